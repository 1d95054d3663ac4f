#include "app/cli/command_line.hpp"

#include "tests/app/support/typed_words.hpp"

#include <gmock/gmock.h>

namespace slotscape {
namespace {

using ::testing::HasSubstr;

TEST(ServeCommand, ListensToThisMachineUnlessTold)
{
  Options const plain = test::parse({"serve"}).value();
  EXPECT_EQ(plain.verb, Verb::serve);
  EXPECT_TRUE(plain.scenario.empty());
  EXPECT_EQ(plain.serve->settings.address, "");
  EXPECT_EQ(plain.serve->settings.port, 8080);
  EXPECT_EQ(plain.serve->settings.viewers, 10U);
  Options const told =
      test::parse({"serve", "tour/1-half-full", "--port", "0", "--address", "0.0.0.0", "--viewers", "30", "--origin",
                   "https://a.example:443, http://b.example:8000", "--size", "800x600", "--stats", "a.json"})
          .value();
  EXPECT_EQ(told.scenario, "tour/1-half-full");
  EXPECT_EQ(told.serve->settings.port, 0);
  EXPECT_EQ(told.serve->settings.address, "0.0.0.0");
  EXPECT_EQ(told.serve->settings.viewers, 30U);
  EXPECT_TRUE(plain.serve->settings.origins.empty());
  ASSERT_EQ(told.serve->settings.origins.size(), 2U);
  EXPECT_EQ(told.serve->settings.origins[0].text(), "https://a.example");
  EXPECT_EQ(told.serve->settings.origins[1].text(), "http://b.example:8000");
  EXPECT_EQ(told.width, 800);
  EXPECT_EQ(told.stats, "a.json");
}

TEST(ServeCommand, SaysWhatItsOptionsCanBe)
{
  EXPECT_THAT(test::wrong_in({"serve", "--port", "65536"}), HasSubstr("--port: '65536' is invalid"));
  EXPECT_THAT(test::wrong_in({"serve", "--viewers", "101"}), HasSubstr("from 0 to 100"));
  EXPECT_THAT(test::wrong_in({"serve", "--address", ""}), HasSubstr("--address: the value is empty"));
  EXPECT_THAT(test::wrong_in({"serve", "--origin", "https://a.example,b.example"}),
              HasSubstr("--origin: 'b.example' is"));
  EXPECT_THAT(test::wrong_in({"serve", "--origin", ""}), HasSubstr("--origin: the value is empty"));
  EXPECT_THAT(test::wrong_in({"serve", "a.json", "b.json"}), HasSubstr("unexpected argument 'b.json'"));
}

}  // namespace
}  // namespace slotscape

#include "app/scene/share_link.hpp"

#include "app/base/base64.hpp"
#include "app/base/deflate.hpp"
#include "gpu/base/error.hpp"

#include <gmock/gmock.h>

#include <random>
#include <string>

namespace slotscape {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(ShareLink, BringsTheScenarioBack)
{
  std::string const scenario = R"({"version": 1, "table": {"slots": 16}, "steps": [{"op": "insert", "key": "Ä"}]})";
  std::string const link = link_of("https://example.org/slotscape/?lesson=1#embed", scenario);
  EXPECT_THAT(link, ::testing::StartsWith("https://example.org/slotscape/?lesson=1#s="));
  EXPECT_EQ(link.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
                                   link.find("#s=") + 3),
            std::string::npos);
  EXPECT_EQ(scenario_in_link(link), scenario);
  EXPECT_EQ(scenario_in_link(link.substr(link.find('#')) + "\n"), scenario) << "as it is copied from a message";
  EXPECT_EQ(scenario_in_link("{\"title\": \"what #s= means\"}"), std::nullopt);
  EXPECT_EQ(scenario_in_link("https://example.org/"), std::nullopt);
}

TEST(ShareLink, SaysThatItIsDamaged)
{
  std::string const scenario(500, 'a');
  std::string const link = link_of("", scenario);
  auto const is_damaged = ThrowsMessage<Error>(HasSubstr("The link is damaged"));
  EXPECT_THAT([&] { scenario_in_link(link.substr(0, link.size() - 3)); }, is_damaged);
  EXPECT_THAT([&] { scenario_in_link("#s="); }, is_damaged);
  EXPECT_THAT([&] { scenario_in_link("#s=%7B%7D"); }, is_damaged);
  for (std::size_t at = 4; at < link.size(); ++at) {
    std::string other = link;
    other[at] = other[at] == 'A' ? 'B' : 'A';
    try {
      EXPECT_EQ(scenario_in_link(other), scenario) << "bits that mean nothing";
    } catch (Error const&) {
      continue;
    }
  }
}

TEST(ShareLink, RefusesWhatIsTooLong)
{
  std::mt19937 random(1);
  std::string noise(longest_link, '\0');
  for (char& each : noise) { each = static_cast<char>(random() & 127u); }
  EXPECT_THAT([&] { link_of("", noise); }, ThrowsMessage<Error>(HasSubstr("programs truncate addresses")));
  std::string const bomb = "#s=" + base64_url(compressed(std::string(longest_shared + 1, 'a')));
  EXPECT_THAT([&] { scenario_in_link(bomb); }, ThrowsMessage<Error>(HasSubstr("The link is damaged")));
}

TEST(Base64, IsWhatRfc4648Says)
{
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64_url("fo\xff"), "Zm__");
  EXPECT_EQ(decode_base64_url("Zm8"), "fo");
  EXPECT_EQ(decode_base64_url("Z"), std::nullopt);
  EXPECT_EQ(decode_base64_url("Zm9="), std::nullopt);
}

}  // namespace
}  // namespace slotscape

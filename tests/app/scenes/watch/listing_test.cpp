#include "app/scenes/watch/listing.hpp"
#include "app/cli/command_line.hpp"
#include "app/registry/scenes.hpp"
#include "gpu/library/watch.hpp"
#include "tests/app/support/environment.hpp"

#include <gmock/gmock.h>

#include <unistd.h>

#include <array>
#include <chrono>

namespace slotscape {
namespace {

using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;

watch::Announced announced_as(std::string description)
{
  return {.name = "customers",
          .program = "train",
          .pid = 4711,
          .bytes = 16u << 20,
          .description = std::move(description),
          .socket = {},
          .since = std::chrono::system_clock::from_time_t(1'000'000'000)};
}

TEST(ListingTest, SaysWhatATableIs)
{
  std::array const tables{announced_as(R"({"preset": "warpcore", "slots": 1048576, "key_bits": 64})")};
  EXPECT_THAT(list_of(tables), AllOf(HasSubstr("customers "),
                                     HasSubstr("warpcore: 1,048,576 slots, keys of 64 bits, 16 MiB of memory; double"),
                                     HasSubstr("train (4711), since 2001-09-0")));
  Json const json = json_of(tables);
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["name"], "customers");
  EXPECT_EQ(json[0]["pid"], 4711);
  EXPECT_EQ(json[0]["since"], "2001-09-09T01:46:40Z");
  EXPECT_EQ(json[0]["memory"], "host");
  EXPECT_EQ(json[0]["slots"], 1048576);
  EXPECT_EQ(json[0]["key_bits"], 64);
  EXPECT_EQ(json[0]["description"]["preset"], "warpcore");
  EXPECT_TRUE(json[0]["problem"].is_null());
}

TEST(ListingTest, ADescriptionThatCannotBeReadIsUnknown)
{
  std::array const tables{announced_as("{\"slots\": \"\x1b[2J\"}")};
  std::string const text = list_of(tables);
  EXPECT_THAT(text, HasSubstr("16 MiB of memory; unknown: customers"));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_TRUE(json_of(tables)[0]["slots"].is_null());
  EXPECT_THAT(json_of(tables)[0]["problem"].get<std::string>(), HasSubstr("invalid JSON"));
}

TEST(ListingTest, WithoutATableItSaysHowToShowOne)
{
  EXPECT_THAT(list_of({}), HasSubstr("slotscape::Watch"));
  EXPECT_EQ(json_of({}), Json::array());
}

/// The command line alone, with a table of this process.
TEST(ListingTest, TheCommandListsWhatIsAnnounced)
{
  TemporaryFolder const folder;
  std::string run = "/tmp/slotscape_listing_XXXXXX";  // short, as names of sockets are
  ASSERT_NE(mkdtemp(run.data()), nullptr);
  test::Variable const runtime("XDG_RUNTIME_DIR", run);
  std::array<std::uint32_t, 64> const slots{};
  {
    auto layout = WatchLayout::keys<std::uint32_t>(slots.size());
    layout.empty_key = 0;
    Watch const watch("listed", slots.data(), slots.size(), layout);
    ASSERT_EQ(watch.problem(), "");
    std::string const json = (folder / "list.json").string();
    std::array const words{"slotscape", "watch", "--json", json.c_str()};
    testing::internal::CaptureStdout();
    EXPECT_FALSE(parse_command_line(words.size(), words.data(), scenes())) << "there is nothing else to do";
    EXPECT_THAT(testing::internal::GetCapturedStdout(),
                AllOf(HasSubstr("listed "), HasSubstr("64 slots, keys of 32 bits"), EndsWith(json + "\n")));
    Json const written = parse_json(test::content_of(json), "list");
    ASSERT_EQ(written.size(), 1u);
    EXPECT_EQ(written[0]["name"], "listed");
    EXPECT_EQ(written[0]["pid"], getpid());
    std::array const named{"slotscape", "watch", "listed"};
    EXPECT_TRUE(parse_command_line(named.size(), named.data(), scenes()));
    std::array const both{"slotscape", "watch", "listed", "--json", json.c_str()};
    EXPECT_THAT(message_of<Error>([&] { parse_command_line(both.size(), both.data(), scenes()); }),
                HasSubstr("list of all tables"));
  }
  std::filesystem::remove_all(run);
}

}  // namespace
}  // namespace slotscape

#include "app/base/json.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/support/one_thread.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

using test::message_of;
using test::OneThread;

TEST(FormatJson, WhatFitsOnALineIsOnOne)
{
  std::string const text = R"({
  "empty": [],
  "nothing": {},
  "list": [1, -2, 0.5, 1e+30, true, null, "a\"b\\c\n", "ä"],
  "object": { "x": [1, 2], "y": { "z": "short" } },
  "mixed": [
    1,
    [2, 3],
    { "x": [1, 2] }
  ],
  "a \"name\"": {
    "why": "this text is as long as it takes to come to the end of the line, and then by so many letters more",
    "and": { "so": "on" }
  }
}
)";
  EXPECT_EQ(format_json(parse_json(text, "text")), text);
  EXPECT_EQ(format_json(Json("one")), "\"one\"\n");
  EXPECT_EQ(format_json(Json::array()), "[]\n");
}

/// An object is on one line if that has up to 120 bytes, without its name.
TEST(FormatJson, ALineHas120Bytes)
{
  auto const lines_with = [](std::size_t letters) {
    Json document;
    document["a long name of the field"]["k"] = std::string(letters, 'x');
    std::string const text = format_json(document);
    return std::ranges::count(text, '\n');
  };
  std::size_t const around = std::string(R"(  { "k": "" })").size();
  EXPECT_EQ(lines_with(120 - around), 3);
  EXPECT_EQ(lines_with(121 - around), 5);
}

TEST(FormatJson, SaysWhereANumberIsThatCannotBeWritten)
{
  Json document;
  document["table"]["rows"] = Json::array({1, Json::array({Json{{"mean", 2.0}, {"max", 1.0}}})});
  document["table"]["rows"][1][0]["max"] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message_of<Error>([&] { format_json(document); }),
            "table.rows[1][0].max is inf, which JSON cannot represent");
  EXPECT_EQ(message_of<Error>([] { format_json(Json::array({std::numeric_limits<double>::quiet_NaN()})); }),
            "[0] is nan, which JSON cannot represent");
}

/// What lies deep in a document is written as quickly as what does not.
TEST(FormatJson, EachPartIsWrittenOnce)
{
  constexpr int levels = 60;
  constexpr std::size_t numbers = 1u << 15;
  Json document;
  document["numbers"] = std::vector<std::uint64_t>(numbers, 123456);
  auto const quickest = [&] {
    double seconds = std::numeric_limits<double>::max();
    for (int run = 0; run < 5; ++run) {
      double const start = OneThread::seconds();
      format_json(document);
      seconds = std::min(seconds, OneThread::seconds() - start);
    }
    return seconds;
  };
  double const flat = quickest();
  for (int level = 0; level < levels; ++level) {
    Json outer;
    outer["level"] = std::exchange(document, Json());
    document = std::move(outer);
  }
  EXPECT_LT(quickest(), 10.0 * flat);
}

}  // namespace
}  // namespace slotscape

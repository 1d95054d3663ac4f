// What the fuzzer has found, and files that say much in few bytes: each is read by every build, also under the
// sanitizers.

#include "tests/app/support/temporary_folder.hpp"
#include "tests/fuzz/targets.hpp"

#include "gpu/base/error.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <vector>

#include "tests/support/paths.hpp"

namespace slotscape::fuzz {

static void PrintTo(Target const& target, std::ostream* out)
{
  *out << target.name;
}

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> corpus_of(Target const& target)
{
  std::vector<fs::path> files;
  for (auto const& entry : fs::directory_iterator(test::in_project() / "tests/fuzz/corpus" / target.name)) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

class Corpus : public ::testing::TestWithParam<Target> {};
INSTANTIATE_TEST_SUITE_P(All, Corpus, ::testing::ValuesIn(targets().begin(), targets().end()),
                         [](auto const& info) { return std::string(info.param.name); });

TEST_P(Corpus, IsReadAsPromised)
{
  std::vector<fs::path> const files = corpus_of(GetParam());
  EXPECT_FALSE(files.empty());
  for (fs::path const& file : files) {
    std::string const content = test::content_of(file);
    EXPECT_LE(content.size(), GetParam().max_bytes) << file;
    EXPECT_NO_THROW(run(GetParam(), content)) << file;
  }
}

/// Each file also without its end, and with a byte changed: a few of the thousands of ways to be damaged.
TEST_P(Corpus, IsReadAsPromisedWhenDamaged)
{
  constexpr std::size_t cuts = 8;
  for (fs::path const& file : corpus_of(GetParam())) {
    std::string content = test::content_of(file);
    for (std::size_t i = 0; i < cuts; ++i) {
      EXPECT_NO_THROW(run(GetParam(), content.substr(0, content.size() * i / cuts))) << file << ", cut " << i;
    }
    for (std::size_t i = 0; i < cuts && !content.empty(); ++i) {
      std::size_t const at = content.size() * i / cuts;
      content[at] = static_cast<char>(content[at] ^ (1u << i));
      EXPECT_NO_THROW(run(GetParam(), content)) << file << ", byte " << at;
    }
  }
}

/// The checks of the targets can fail.
TEST(FuzzTargets, NoticeABrokenPromise)
{
  Target const silent{"silent", [](std::string_view) { throw std::out_of_range("vector::at"); }};
  EXPECT_THROW(run(silent, ""), std::out_of_range);
  Target const terse{"terse", [](std::string_view) { throw Error("bad"); }};
  EXPECT_THROW(run(terse, ""), Broken);
  Target const raw{"raw", [](std::string_view) { throw Error("a line with \x1b in its middle"); }};
  EXPECT_THROW(run(raw, ""), Broken);
}

}  // namespace
}  // namespace slotscape::fuzz

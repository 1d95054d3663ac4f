// docs/adding-a-table.md says the truth: its code is the code here, which is built and tested as it says.

#include "gpu/engine/engine.hpp"
#include "tests/support/paths.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace slotscape {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::filesystem::path const project = test::in_project();
std::filesystem::path const folder = project / "tests/adding_a_table";

std::string content(std::filesystem::path const& file)
{
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// What stands between lines of ``` in the page.
std::vector<std::string> code_blocks(std::string const& page)
{
  std::vector<std::string> blocks;
  std::istringstream lines(page);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) { blocks.emplace_back(); }
    } else if (inside) {
      blocks.back() += line + '\n';
    }
  }
  EXPECT_FALSE(inside) << "a block does not end";
  return blocks;
}

TEST(AddingATable, EveryBlockOfThePageIsCodeThatIsTested)
{
  std::vector<std::string> files;
  for (auto const& entry : std::filesystem::directory_iterator(folder)) { files.push_back(content(entry.path())); }
  std::vector<std::string> const blocks = code_blocks(content(project / "docs/adding-a-table.md"));
  for (std::string const& block : blocks) { EXPECT_THAT(files, Contains(HasSubstr(block))); }
  EXPECT_THAT(blocks, Contains(content(folder / "xor_probing.hpp")));
  EXPECT_THAT(blocks, Contains(content(folder / "families.cmake")));
}

TEST(AddingATable, TakesAtMostSixtyLinesAndOneOfRegistration)
{
  EXPECT_LE(std::ranges::count(content(folder / "xor_probing.hpp"), '\n'), 60);
  EXPECT_EQ(std::ranges::count(content(folder / "families.cmake"), '\n'), 1);
}

TEST(AddingATable, ThePageNamesFilesThatThereAre)
{
  std::string const page = content(project / "docs/adding-a-table.md");
  std::size_t names = 0;
  for (std::size_t at = page.find("`gpu/"); at != std::string::npos; at = page.find("`gpu/", at + 1)) {
    std::string const name = page.substr(at + 1, page.find('`', at + 1) - at - 1);
    bool const is_pattern = name.find_first_of(" *N(") != std::string::npos;
    if (is_pattern) { continue; }
    EXPECT_TRUE(std::filesystem::exists(project / name)) << name;
    ++names;
  }
  EXPECT_GT(names, 3u);
}

TEST(AddingATable, TheEngineKnowsTheFamilyByItsLine)
{
  EXPECT_THAT(family_names(), ElementsAre("xor_probing"));
  std::unique_ptr<Engine> const engine = make_engine(Backend::cpu, {.family = "xor_probing", .slots = 1u << 10});
  engine->run(BatchRequest::inserts(900));
  Statistics const statistics = engine->statistics();
  EXPECT_EQ(statistics.live, 900u);
  EXPECT_GT(statistics.probe_length.max, 0u);
  std::vector<Pair> const pairs = engine->pairs();
  ProbePath const path = engine->probe_path(pairs.front().key);
  for (std::size_t i = 0; i < path.slots.size(); ++i) { EXPECT_EQ(path.slots[i], path.slots.front() ^ i); }
}

TEST(AddingATable, StepModeHasWordsForItsSteps)
{
  auto const engine = make_engine(Backend::cpu, {.family = "xor_probing", .slots = 16, .hash = HashKind::identity});
  std::vector<Key> const keys{5, 21};
  engine->insert(keys, std::vector<Value>{1, 2});
  std::vector<std::string> texts;
  for (Step const& step : engine->trace(Operation::find, 37, 0).steps) { texts.push_back(step.text); }
  EXPECT_THAT(texts,
              ElementsAre("37 hashes to slot 5: 37 mod 16 = 5. Slot 5 holds 5 (home 5), another key. Next: slot 4",
                          "Slot 4 holds 21 (home 5), another key. Next: slot 7",
                          "Slot 7 is empty, so 37 is not in the table"));
}

}  // namespace
}  // namespace slotscape

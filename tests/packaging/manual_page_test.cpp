// The manual page names what the program's help names, and nothing else.

#include "app/cli/command_line.hpp"
#include "app/registry/scenes.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/support/rendered_page.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include <regex>
#include <set>
#include <string>
#include <vector>

namespace slotscape {
namespace {

using Words = std::set<std::string>;

std::string help_of(std::vector<char const*> command)
{
  command.insert(command.begin(), "slotscape");
  command.push_back("--help");
  testing::internal::CaptureStdout();
  parse_command_line(static_cast<int>(command.size()), command.data(), scenes());
  return testing::internal::GetCapturedStdout();
}

/// What a pattern's first group matches in the text.
Words matches(std::string const& text, std::string const& pattern)
{
  std::regex const regex(pattern, std::regex::ECMAScript | std::regex::multiline);
  Words found;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) { found.insert((*at)[1]); }
  return found;
}

Words commands()
{
  std::string const help = help_of({});
  std::smatch heading;
  std::regex_search(help, heading, std::regex("subcommands:", std::regex::icase));
  return matches(heading.suffix(), "^ +([a-z]+)[ ,]");
}

Words options_in(std::string const& text)
{
  return matches(text, "(?:^|[^-\\w])(--[a-z][a-z-]*)");
}

/// The page without its escapes.
std::string page()
{
  std::string const source = test::content_of(test::in_project("assets/package/slotscape.1.in"));
  return std::regex_replace(source, std::regex("\\\\-"), "-");
}

/// Options are written with the signs that can be copied, not with hyphens.
std::string with_escapes(std::string const& text)
{
  std::string escaped;
  std::regex const option("--[a-z-]+");
  std::sregex_iterator const first(text.begin(), text.end(), option);
  std::size_t done = 0;
  for (std::sregex_iterator at = first, end; at != end; ++at) {
    auto const position = static_cast<std::size_t>(at->position());
    escaped += text.substr(done, position - done) + std::regex_replace(at->str(), std::regex("-"), "\\-");
    done = position + static_cast<std::size_t>(at->length());
  }
  return escaped + text.substr(done);
}

/// The entry of an option, from what the help says of it.
std::string entry_of(CLI::Option const& option)
{
  std::string const name = "--" + option.get_lnames().front();
  std::string const takes = option.get_type_name();
  std::string what = option.get_description();
  what.front() = static_cast<char>(std::toupper(what.front()));
  std::string const head = takes.empty() ? fmt::format(".B {}", name) : fmt::format(".BI {} \" {}\"", name, takes);
  return with_escapes(fmt::format(".TP\n{}\n{}{}\n", head, what, what.ends_with('.') ? "" : "."));
}

/// The row of an option, or of what stands without one, in the scene's page of the manual.
std::string row_of(CLI::Option const& option)
{
  std::string const name = option.get_lnames().empty() ? option.get_name(true) : "--" + option.get_lnames().front();
  std::string const takes = option.nonpositional() ? option.get_type_name() : "";
  return fmt::format("| `{}{}{}` | {} |\n", name, takes.empty() ? "" : " ", takes, option.get_description());
}

TEST(ManualPage, HasTheOptionsOfEveryScene)
{
  test::RenderedPage page("assets/package/slotscape.1.in");
  int scenes_with_options = 0;
  for (SceneEntry const& scene : scenes()) {
    if (!scene.add_subcommand) { continue; }
    ++scenes_with_options;
    CLI::App command;
    command.set_help_flag();
    auto const subcommand = scene.add_subcommand(command);
    std::string entries;
    std::string rows = "| option | what it is |\n| --- | --- |\n";
    for (CLI::Option const* const option : command.get_options()) {
      if (option->nonpositional()) { entries += entry_of(*option); }
      rows += row_of(*option);
    }
    test::RenderedPage manual(fmt::format("docs/manual/{}.md", scene.name));
    manual.put(fmt::format("<!-- options of {} -->", scene.name), "<!-- end -->", rows);
    manual.expect_right();
    page.put(fmt::format(".\\\" options of {}", scene.name), ".\\\" end", entries);
  }
  EXPECT_GE(scenes_with_options, 5);
  page.expect_right();
}

/// What people read of a limit is what the program says, on each page.
TEST(ManualPage, HasTheLimitsOfTheHelp)
{
  std::string const limits = "(\\d[\\dx.]* to \\d[\\dx.]*\\d)";
  Words wanted = matches(help_of({}), limits);
  wanted.merge(matches(help_of({"run"}), limits));
  ASSERT_GE(wanted.size(), 4u);
  std::string const manual = test::content_of(test::in_project("docs/manual/command-line.md")) +
                             test::content_of(test::in_project("docs/manual/recording.md"));
  for (std::string const& limit : wanted) {
    EXPECT_NE(page().find(limit), std::string::npos) << limit;
    EXPECT_NE(manual.find(limit), std::string::npos) << limit;
  }
}

TEST(ManualPage, NamesEveryCommand)
{
  EXPECT_EQ(matches(page(), "^\\.B slotscape ([a-z]+)$"), commands());
  for (std::string const& command : commands()) {
    EXPECT_TRUE(std::regex_search(page(), std::regex("\\.TP\n\\.BR? " + command + "[ \n]"))) << command;
  }
}

TEST(ManualPage, NamesEveryMeasurement)
{
  for (auto const& measurement : all_measurements({})) {
    EXPECT_TRUE(std::regex_search(page(), std::regex("\\.B bench " + std::string(measurement->name()) + "\n")))
        << measurement->name();
  }
}

TEST(ManualPage, ExplainsTheOptionsOfTheHelp)
{
  Words wanted = options_in(help_of({}));
  for (std::string const& command : commands()) { wanted.merge(options_in(help_of({command.c_str()}))); }
  wanted.merge(options_in(help_of({"lesson", "export"})));
  for (auto const& measurement : all_measurements({})) {
    wanted.merge(options_in(help_of({"bench", std::string(measurement->name()).c_str()})));
  }
  ASSERT_GT(wanted.size(), 15u);
  EXPECT_EQ(matches(page(), "^\\.TP\n\\.B[IR]? .*?(--[a-z-]+)"), wanted);  // each with an entry of its own
  EXPECT_EQ(options_in(page()), wanted);
}

}  // namespace
}  // namespace slotscape

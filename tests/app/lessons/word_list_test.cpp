#include "app/lessons/word_list.hpp"

#include "app/base/text.hpp"
#include "app/lessons/library.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include "tests/support/paths.hpp"

#include <gmock/gmock.h>
#include <imgui_internal.h>

namespace slotscape {
namespace {

using lessons::Explanation;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string word_of(Explanation const& explanation)
{
  return explanation.substr(2, explanation.find("**", 2) - 2);
}

TEST(Words, AreExplainedOnceAndInOrder)
{
  auto const all = lessons::Library({test::in_project("assets")}).words();
  EXPECT_GT(all.size(), 40u);
  EXPECT_EQ(word_of(all.front()), "α") << "as people meet it most";
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].find("**: "), word_of(all[i]).size() + 2) << all[i];
    EXPECT_TRUE(all[i].ends_with('.')) << all[i];
    if (i > 1) { EXPECT_LT(lower_case(word_of(all[i - 1])), lower_case(word_of(all[i]))) << "in alphabetical order"; }
  }
}

TEST(Words, AreFoundByTheirBeginningFirst)
{
  std::vector<Explanation> const all{"**bucket**: slots.", "**home slot**: where a key would be.",
                                     "**slot**: a place."};
  EXPECT_THAT(lessons::words_with(all, "SLOT"), ElementsAre(all[2], all[0], all[1]));
  EXPECT_THAT(lessons::words_with(all, "would"), ElementsAre(all[1]));
  EXPECT_THAT(lessons::words_with(all, ""), SizeIs(3));
  EXPECT_THAT(lessons::words_with(all, "xyz"), SizeIs(0));
  std::vector<Explanation> const german{"**\u00dcberlauf**: kein Platz.", "**Platz**: f\u00fcr einen Schl\u00fcssel."};
  EXPECT_THAT(lessons::words_with(german, "\u00fcber"), ElementsAre(german[0]));
  EXPECT_THAT(lessons::words_with(german, "SCHLU\u0308SSEL"), ElementsAre(german[1]));
}

TEST(Words, ThatAreMissingAreSaidToBe)
{
  test::TemporaryFolder const folder;
  EXPECT_THAT([&] { static_cast<void>(lessons::Library({folder.path()}).words()); },
              ::testing::ThrowsMessage<Error>(HasSubstr("not installed")));
  auto const empty = folder.write("words.md", "# Words\n");
  EXPECT_THAT([&] { static_cast<void>(lessons::read_word_list(empty)); },
              ::testing::ThrowsMessage<Error>(HasSubstr("no line that begins")));
}

TEST(Words, AreShownAndClosed)
{
  auto const app = test::offscreen_app({1280, 720}, test::slots_scenario({.slots = 32}));
  app->let_errors_out();
  app->help().show_words();
  for (int i = 0; i < 3; ++i) { app->frame(0.05); }
  EXPECT_NE(ImGui::FindWindowByName("##words"), nullptr);
  EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "one types at once";
  for (int i = 0; i < 2; ++i) {  // out of the field, and out of the window
    ImGui::GetIO().AddKeyEvent(ImGuiKey_Escape, true);
    app->frame(0.05);
    ImGui::GetIO().AddKeyEvent(ImGuiKey_Escape, false);
    app->frame(0.05);
  }
  EXPECT_FALSE(ImGui::FindWindowByName("##words")->WasActive);
}

}  // namespace
}  // namespace slotscape

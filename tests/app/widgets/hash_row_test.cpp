#include "app/widgets/hash_row.hpp"

#include "app/simulation/hash_choice.hpp"
#include "app/table_scene/setup.hpp"
#include "tests/app/support/program.hpp"

#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <string>

namespace slotscape {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A panel with nothing but the control of a hash.
class HashRowTest : public ::testing::Test {
protected:
  void frame()
  {
    gui_.begin_frame(0.02);
    ImGui::SetNextWindowSize({400.0f, 400.0f});
    ImGui::Begin("panel");
    field_id_ = ImGui::GetID("##formula");
    changed_ = hash_control(gui_.look(), setting_named<TableSettings>("hash").text, hash_, field_) || changed_;
    ImGui::End();
    gui_.end_frame();
  }
  void type(std::string const& text)
  {
    frame();
    ImGui::ActivateItemByID(field_id_);
    frame();
    frame();
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
    ImGui::GetIO().AddKeyEvent(ImGuiKey_A, true);
    frame();
    ImGui::GetIO().AddKeyEvent(ImGuiKey_A, false);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
    frame();
    ImGui::GetIO().AddInputCharactersUTF8(text.c_str());
    frame();
    frame();
  }
  void enter()
  {
    ImGui::GetIO().AddKeyEvent(ImGuiKey_Enter, true);
    frame();
    ImGui::GetIO().AddKeyEvent(ImGuiKey_Enter, false);
    frame();
    frame();
  }

  std::unique_ptr<gl::Context> context_ = gl::open_offscreen({640, 480});
  Gui gui_{*context_};
  HashChoice hash_ = hash_from_text("formula: k % m");
  HashField field_;
  ImGuiID field_id_ = 0;
  bool changed_ = false;
};

TEST_F(HashRowTest, TakesAFormulaAtEnter)
{
  type("(7*k + 3) % 11");
  EXPECT_EQ(to_text(hash_), "formula: k % m") << "not before Enter";
  enter();
  EXPECT_EQ(to_text(hash_), "formula: (7*k + 3) % 11");
  EXPECT_TRUE(changed_);
}

TEST_F(HashRowTest, KeepsAWrongFormulaWithItsReason)
{
  type("7 * * k");
  EXPECT_EQ(field_.error, "expected a number after * at column 5");
  enter();
  EXPECT_EQ(to_text(hash_), "formula: k % m");
  EXPECT_FALSE(changed_);
  EXPECT_EQ(field_.text, "7 * * k");
  type("7 * k");
  EXPECT_EQ(field_.error, "");
  enter();
  EXPECT_EQ(to_text(hash_), "formula: 7 * k");
}

std::string shown(HashChoice hash)
{
  return test::text_of_panel([&](Look const& look) {
    HashField field;
    hash_control(look, setting_named<TableSettings>("hash").text, hash, field);
  });
}

TEST(HashRow, ShowsTheReductionWhereOneCanMatter)
{
  EXPECT_THAT(shown(hash_from_text("formula: k")), HasSubstr("To slot"));
  EXPECT_THAT(shown(HashKind::murmur3), Not(HasSubstr("To slot")));
  EXPECT_THAT(shown(hash_from_text("murmur3/prime")), HasSubstr("modulo a prime"));
}

}  // namespace
}  // namespace slotscape

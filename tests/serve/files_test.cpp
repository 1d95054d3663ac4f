// What a browser must not reach: the files of the machine that serves it.

#include "tests/app/support/environment.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <imgui_internal.h>

namespace slotscape {
namespace {

using ::testing::HasSubstr;

class ServedFiles : public ::testing::Test {
protected:
  void SetUp() override
  {
    app_->files().close();
    app_->frame(0.1);
  }

  void press(std::initializer_list<ImGuiKey> keys)
  {
    for (bool const down : {true, false}) {
      for (ImGuiKey const key : keys) { ImGui::GetIO().AddKeyEvent(key, down); }
      for (int frame = 0; frame < 3; ++frame) { app_->frame(0.1); }
    }
  }
  std::string said() const { return app_->toasts().latest(); }

  test::TemporaryFolder folder_;
  std::unique_ptr<App> app_ = test::offscreen_app({640, 480}, test::slots_scenario(TableSettings{.slots = 1024}));
};

TEST_F(ServedFiles, AreNeitherOpenedNorWritten)
{
  for (ImGuiKey const key : {ImGuiKey_O, ImGuiKey_S, ImGuiKey_E, ImGuiKey_D}) {
    app_->toasts().dismiss_all();
    press({ImGuiMod_Ctrl, key});
    EXPECT_THAT(said(), HasSubstr("cannot open or write files of this machine")) << ImGui::GetKeyName(key);
    EXPECT_EQ(ImGui::GetTopMostPopupModal(), nullptr) << ImGui::GetKeyName(key);
  }
  press({ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiKey_C});
  EXPECT_THAT(said(), HasSubstr("another machine"));
}

TEST_F(ServedFiles, AreNotReadByWhatIsPasted)
{
  folder_.write("keys.txt", "1\n2\n3\n");
  auto const paste = [&](std::string const& file) {
    ImGui::SetClipboardText(
        fmt::format(R"({{"version": 1, "table": {{"slots": 512}}, "keys": {{"file": "{}"}}}})", file).c_str());
    app_->toasts().dismiss_all();
    press({ImGuiMod_Ctrl, ImGuiKey_V});
  };
  paste((folder_ / "keys.txt").string());
  EXPECT_THAT(said(), HasSubstr("cannot open or write files of this machine"));
  EXPECT_EQ(ImGui::GetTopMostPopupModal(), nullptr);
  paste("README.md");  // in the folder that the program was started in
  EXPECT_THAT(said(), HasSubstr("Could not paste"));
}

}  // namespace
}  // namespace slotscape

#include "app/dialogs/file_dialog.hpp"

#include "tests/app/support/environment.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <csignal>
#include <thread>

namespace slotscape {
namespace {

namespace fs = std::filesystem;

using spatial::Model;
using test::content_of;
using test::TemporaryFolder;
using test::Variable;
using ::testing::HasSubstr;

SpatialSceneSettings few_points()
{
  SpatialSceneSettings settings;
  for (ModelSettings& model : settings.models.of) { model = {"sphere", 2000, {{}, {}, 0.7f}}; }
  settings.hashing.grid.side = 32;
  settings.animation.running = false;
  settings.animation.motion = Motion::still;
  return settings;
}

/// The program, drawn offscreen, on a desktop with programs of the test's own.
class FileDialogTest : public testing::Test {
protected:
  void start(UserSettings const& settings = {})
  {
    app_ = test::offscreen_app({640, 480}, test::spatial_scenario({few_points()}), settings);
    app_->frame(0.1);
  }

  /// A desktop's dialog: it notes its process and its arguments, then does this.
  void install(std::string_view name, std::string const& script)
  {
    fs::path const program =
        folder_.write(name, "#!/bin/sh\nexport PATH=/usr/bin:/bin\necho $$ >> '" + file("started") +
                                "'\nprintf '%s\\n' \"$@\" > '" + file("arguments") + "'\n" + script + "\n");
    fs::permissions(program, fs::perms::owner_all);
  }

  std::string file(std::string_view name) const { return (folder_ / name).string(); }
  std::string cloud(std::string_view name) const
  {
    return folder_.write(name, "0 0 0\n1 0 0\n0 1 0\n0 0 1\n").string();
  }

  void choose(std::string_view label)
  {
    auto const commands = app_->current_scene().commands();
    std::ranges::find(commands, label, &Command::label)->run();
    app_->frame(0.1);
  }
  void save_result() { choose("Save result as PLY…"); }
  void open_as_a() { choose("Open model as A…"); }

  template <class Done>
  bool frames_until(Done done)
  {
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!done() && std::chrono::steady_clock::now() < end) {
      app_->frame(0.01);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return done();
  }
  void frames(int count)
  {
    for (int frame = 0; frame < count; ++frame) { app_->frame(0.1); }
  }

  std::vector<pid_t> started() const
  {
    std::istringstream lines(content_of(folder_ / "started"));
    return {std::istream_iterator<pid_t>(lines), {}};
  }
  /// Waits until the desktop's dialog was started, and has ended.
  bool answered(std::size_t times = 1)
  {
    return frames_until([&] { return started().size() == times && ::kill(started().back(), 0) != 0; });
  }
  bool is_running()
  {
    return frames_until([&] { return started().size() == 1; }) && ::kill(started().front(), 0) == 0;
  }
  bool own_dialog_is_open()
  {
    frames(1);
    return ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  }
  std::string source(Model model) { return test::scene_of<SpatialScene>(*app_).state().settings.models[model].source; }
  std::string said() const { return app_->toasts().latest(); }

  TemporaryFolder folder_;
  Variable path_{"PATH", folder_.path().string()};
  Variable display_{"DISPLAY", ":99"};
  Variable desktop_{"XDG_CURRENT_DESKTOP", "GNOME"};
  std::unique_ptr<App> app_;
};

TEST_F(FileDialogTest, OpensWhatWasChosenInTheDesktopsDialog)
{
  std::string const name = cloud("a 'strange' näme.xyz");
  install("zenity", "printf '%s\\n' \"" + name + "\"");
  start();
  open_as_a();
  EXPECT_TRUE(frames_until([&] { return source(Model::a) == name; })) << said();
  EXPECT_EQ(source(Model::b), "sphere");
  EXPECT_THAT(content_of(folder_ / "arguments"), HasSubstr("--title=Open a model as A"));
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(FileDialogTest, OpensTwoModelsAtOnce)
{
  std::string const one = cloud("one.xyz");
  std::string const two = cloud("two.xyz");
  install("kdialog", "printf '%s\\n' '" + one + "' '" + two + "'");
  start();
  open_as_a();
  EXPECT_TRUE(frames_until([&] { return source(Model::a) == one && source(Model::b) == two; })) << said();
}

TEST_F(FileDialogTest, RefusesMoreFilesThanItAskedFor)
{
  install("kdialog", "printf '%s\\n' /a.xyz /b.xyz /c.xyz");
  start();
  open_as_a();
  EXPECT_TRUE(answered());
  frames(2);
  EXPECT_THAT(said(), HasSubstr("up to 2 files"));
  EXPECT_FALSE(own_dialog_is_open());
}

TEST_F(FileDialogTest, DoesNothingIfTheUserCancels)
{
  install("zenity", "exit 1");
  start();
  open_as_a();
  EXPECT_TRUE(answered());
  frames(2);
  EXPECT_TRUE(app_->toasts().empty()) << said();
  EXPECT_FALSE(own_dialog_is_open());
  open_as_a();
  EXPECT_TRUE(answered(2)) << "it can be asked again";
}

TEST_F(FileDialogTest, IsReplacedByTheNextOneAndInTheEndByItsOwn)
{
  install("zenity", "kill -SEGV $$");
  install("kdialog", "exit 0");
  start();
  open_as_a();
  EXPECT_TRUE(frames_until([&] { return app_->toasts().errors() == 2; }));
  EXPECT_THAT(said(), HasSubstr("kdialog, does not work; Slotscape's own is used instead"));
  EXPECT_TRUE(own_dialog_is_open());
}

TEST_F(FileDialogTest, ComplainsOnlyOnceOfADesktopsDialogThatCannotStart)
{
  fs::permissions(folder_.write("zenity", "#!/nowhere/interpreter\n"), fs::perms::owner_all);
  start();
  open_as_a();
  EXPECT_TRUE(own_dialog_is_open());
  EXPECT_EQ(app_->toasts().errors(), 1u);
  EXPECT_THAT(said(), HasSubstr("zenity, does not work"));
  app_->toasts().dismiss_all();
  save_result();
  EXPECT_TRUE(own_dialog_is_open());
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(FileDialogTest, IsItsOwnWhereTheDesktopHasNone)
{
  start();
  open_as_a();
  EXPECT_TRUE(own_dialog_is_open());
  EXPECT_TRUE(app_->toasts().empty());
}

TEST_F(FileDialogTest, IsItsOwnIfTheUserWantsIt)
{
  install("zenity", "exit 1");
  UserSettings settings;
  settings.desktop_file_dialog = false;
  start(settings);
  open_as_a();
  EXPECT_TRUE(own_dialog_is_open());
  EXPECT_TRUE(started().empty());
  EXPECT_FALSE(app_->user_settings().desktop_file_dialog);
}

/// Events in the order in which the window gives them: the modifiers with each key, then its character.
void type_chord(ImGuiKey key)
{
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, true);
  io.AddKeyEvent(ImGuiKey_LeftCtrl, true);
  io.AddKeyEvent(key, true);
}
void leave_chord(ImGuiKey key)
{
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, false);
  io.AddKeyEvent(ImGuiKey_LeftCtrl, false);
  io.AddKeyEvent(key, false);
}
void type_text(std::string_view text)
{
  for (char const letter : text) {
    auto const key = static_cast<ImGuiKey>(ImGuiKey_A + (letter - 'a'));
    ImGui::GetIO().AddKeyEvent(key, true);
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(letter));
    ImGui::GetIO().AddKeyEvent(key, false);
  }
}
/// The middle of a row of the list of files; 0 is the folder above.
ImVec2 place_in_list(int row)
{
  for (ImGuiWindow const* const window : ImGui::GetCurrentContext()->Windows) {
    if (!window->Active || std::string_view(window->Name).find("/files_") == std::string_view::npos) { continue; }
    ImVec2 const corner = window->ContentRegionRect.Min;
    float const height = ImGui::GetTextLineHeightWithSpacing();
    return {corner.x + 30.0f, corner.y + (static_cast<float>(row) + 0.5f) * height};
  }
  return {};
}
std::string text_in_field()
{
  ImGuiInputTextState const* const state = ImGui::GetInputTextState(ImGui::GetActiveID());
  return state != nullptr ? state->TextA.Data : "no field has the keyboard";
}

/// In slow frames, all that is typed arrives at once.
TEST_F(FileDialogTest, LosesNothingThatIsTypedBeforeItsFieldHasTheKeyboard)
{
  for (int const frames_between : {0, 1, 2, 3}) {
    start();
    type_chord(ImGuiKey_D);
    leave_chord(ImGuiKey_D);
    frames(frames_between);
    type_text("name");
    frames(20);
    EXPECT_EQ(text_in_field(), "name") << frames_between << " frames later";
    app_.reset();
  }
}

void press_enter(ImGuiKey key = ImGuiKey_Enter)
{
  ImGui::GetIO().AddKeyEvent(key, true);
  ImGui::GetIO().AddKeyEvent(key, false);
}

/// Types over what the field proposes.
void type_instead(std::string const& text)
{
  type_chord(ImGuiKey_A);
  leave_chord(ImGuiKey_A);
  ImGui::GetIO().AddInputCharactersUTF8(text.c_str());
}

TEST_F(FileDialogTest, EnterOpensWhatIsTyped)
{
  for (ImGuiKey const key : {ImGuiKey_Enter, ImGuiKey_KeypadEnter}) {
    std::string const name = cloud("typed.xyz");
    start();
    open_as_a();
    frames(4);
    type_instead(name);
    frames(4);
    press_enter(key);
    EXPECT_TRUE(frames_until([&] { return source(Model::a) == name; })) << said();
    EXPECT_FALSE(own_dialog_is_open());
    app_.reset();
  }
}

TEST_F(FileDialogTest, EnterLooksIntoAFolderThatIsTyped)
{
  fs::create_directory(folder_ / "below");
  std::string const name = cloud("below/typed.xyz");
  start();
  open_as_a();
  frames(4);
  type_instead(file("below"));
  frames(4);
  press_enter();
  frames(6);
  EXPECT_TRUE(own_dialog_is_open());
  EXPECT_EQ(text_in_field(), file("below/")) << "ready for the name";
  ImGui::GetIO().AddKeyEvent(ImGuiKey_End, true);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_End, false);
  frames(2);
  ImGui::GetIO().AddInputCharactersUTF8("typed.xyz");
  frames(4);
  press_enter();
  EXPECT_TRUE(frames_until([&] { return source(Model::a) == name; })) << said();
}

TEST_F(FileDialogTest, EnterOpensWhatIsChosenInTheList)
{
  std::string const name = cloud("chosen.xyz");
  start();
  open_as_a();
  frames(4);
  type_instead(file(""));
  frames(4);
  ImVec2 const at = place_in_list(1);
  ImGuiIO& io = ImGui::GetIO();
  io.AddMousePosEvent(at.x, at.y);
  frames(2);
  io.AddMouseButtonEvent(ImGuiMouseButton_Left, true);
  frames(1);
  io.AddMouseButtonEvent(ImGuiMouseButton_Left, false);
  frames(4);
  EXPECT_EQ(source(Model::a), "sphere") << "a click chooses";
  press_enter();
  EXPECT_TRUE(frames_until([&] { return source(Model::a) == name; })) << said();
}

TEST_F(FileDialogTest, CtrlCountsThatWasPressedInAnEarlierFrameThanItsKey)
{
  start();
  save_result();
  frames(4);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_End, true);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_End, false);
  frames(3);
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_LeftCtrl, true);
  frames(1);
  type_chord(ImGuiKey_A);
  leave_chord(ImGuiKey_A);
  type_text("name");
  frames(20);
  EXPECT_EQ(text_in_field(), "name") << "in place of all that was there";
}

TEST_F(FileDialogTest, AddsTheExtensionAndThenAsksBeforeItOverwrites)
{
  install("zenity", "printf '%s\\n' '" + file("result") + "'");
  start();
  save_result();
  EXPECT_TRUE(frames_until([&] { return fs::exists(folder_ / "result.ply"); }));
  EXPECT_THAT(content_of(folder_ / "result.ply"), HasSubstr("ply\n"));

  folder_.write("result.ply", "mine");
  save_result();
  EXPECT_TRUE(answered(2));
  EXPECT_TRUE(own_dialog_is_open()) << "zenity asked about another name";
  EXPECT_EQ(content_of(folder_ / "result.ply"), "mine");
}

TEST_F(FileDialogTest, OverwritesWhatTheDesktopsDialogAskedAbout)
{
  install("zenity", "printf '%s\\n' '" + folder_.write("result.ply", "mine").string() + "'");
  start();
  save_result();
  EXPECT_TRUE(frames_until([&] { return content_of(folder_ / "result.ply") != "mine"; }));
  EXPECT_THAT(content_of(folder_ / "arguments"), HasSubstr("--confirm-overwrite"));
}

TEST_F(FileDialogTest, StartsNextTimeWhereTheLastFileWas)
{
  fs::create_directory(folder_ / "below");
  install("zenity", "printf '%s\\n' '" + file("below/result.ply") + "'");
  start();
  save_result();
  EXPECT_TRUE(frames_until([&] { return fs::exists(folder_ / "below/result.ply"); }));
  open_as_a();
  EXPECT_TRUE(answered(2));
  EXPECT_THAT(content_of(folder_ / "arguments"), HasSubstr("--filename=" + file("below/") + "\n"));
}

TEST_F(FileDialogTest, AsksOneQuestionAtATime)
{
  install("zenity", "exec sleep 1000");
  start();
  open_as_a();
  EXPECT_TRUE(is_running());
  save_result();
  frames(2);
  EXPECT_EQ(started().size(), 1u);
  EXPECT_FALSE(own_dialog_is_open());
  EXPECT_THAT(said(), HasSubstr("open already"));
}

TEST_F(FileDialogTest, EndsTheDesktopsDialogWithTheProgram)
{
  install("zenity", "exec sleep 1000");
  start();
  open_as_a();
  EXPECT_TRUE(is_running());
  app_.reset();
  EXPECT_NE(::kill(started().front(), 0), 0);
}

TEST_F(FileDialogTest, EndsTheDesktopsDialogWithTheSceneThatAsked)
{
  install("zenity", "exec sleep 1000");
  start();
  open_as_a();
  EXPECT_TRUE(is_running());
  app_->show(test::entry("slots"));
  EXPECT_NE(::kill(started().front(), 0), 0);
}

}  // namespace
}  // namespace slotscape

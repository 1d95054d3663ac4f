// What is taken home: the clipboard, and recordings as the user makes them.

#include "app/export/picture_copier.hpp"
#include "app/export/statistics_table.hpp"
#include "tests/app/support/environment.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/stb.hpp"

#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <chrono>
#include <functional>
#include <thread>

namespace slotscape {
namespace {

namespace fs = std::filesystem;

using test::content_of;
using test::scene_of;
using test::TemporaryFolder;
using test::Variable;
using test::write_program;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// The program, drawn offscreen, with 300 keys in a table of 1024 slots.
class SharingTest : public testing::Test {
protected:
  void SetUp() override
  {
    open({.slots = 1024});
    scene().simulation().submit(BatchRequest::inserts(300));
    work();
  }

  void open(TableSettings const& table)
  {
    app_.reset();  // there can be one at a time
    app_ = test::offscreen_app({640, 480}, test::slots_scenario(table));
    test::paint();
    app_->frame(0.1);
  }
  SlotsScene& scene() { return scene_of<SlotsScene>(*app_); }
  void work()
  {
    scene().finish_steps({});
    app_->frame(0.0);
  }

  void press(ImGuiKey key, bool shift = false)
  {
    auto const event = [&](bool down) {
      ImGuiIO& io = ImGui::GetIO();
      io.AddKeyEvent(ImGuiMod_Ctrl, down);
      if (shift) { io.AddKeyEvent(ImGuiMod_Shift, down); }
      io.AddKeyEvent(key, down);
      for (int frame = 0; frame < 3; ++frame) { app_->frame(0.1); }
    };
    event(true);
    event(false);
  }
  bool frames_until(std::function<bool()> const& done)
  {
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!done() && std::chrono::steady_clock::now() < end) {
      app_->frame(0.01);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return done();
  }
  std::string said() const { return app_->toasts().latest(); }
  std::string clipboard() { return ImGui::GetClipboardText(); }

  TemporaryFolder folder_;
  std::unique_ptr<App> app_;
};

TEST_F(SharingTest, ACopiedSetUpComesBackWhenItIsPasted)
{
  std::vector<Pair> const before = scene().simulation().engine().pairs();
  press(ImGuiKey_C);
  EXPECT_THAT(said(), StartsWith("Copied the setup"));
  std::string const text = clipboard();
  open({.slots = 64});
  ImGui::SetClipboardText(text.c_str());
  press(ImGuiKey_V);
  EXPECT_EQ(said(), "Pasted a setup");
  work();
  EXPECT_EQ(scene().state().statistics.slots, 1024u);
  EXPECT_EQ(scene().simulation().engine().pairs(), before);
}

TEST_F(SharingTest, WhatCannotBePastedChangesNothingAndSaysWhy)
{
  std::string const enormous(std::size_t{5} << 20, ' ');
  std::vector<std::pair<std::string, std::string>> const texts{
      {"", "holds no text"},
      {" \n", "holds no text"},
      {"Dear reader", "the clipboard"},
      {R"({ "version": 1, "table": { "family": "none", "slots": 16 } })", "table.family"},
      {R"({ "lesson": 1, "title": "A", "pages": [] })", "save it as a file"},
      {"{" + enormous, "5.0 MiB"},
  };
  for (auto const& [text, reason] : texts) {
    app_->toasts().dismiss_all();
    ImGui::SetClipboardText(text.c_str());
    press(ImGuiKey_V);
    EXPECT_EQ(app_->toasts().errors(), 1u) << text.substr(0, 60);
    EXPECT_THAT(said(), StartsWith("Could not paste; nothing changed.\n"));
    EXPECT_THAT(said(), HasSubstr(reason));
    EXPECT_EQ(scene().state().statistics.live, 300u);
  }
}

TEST_F(SharingTest, TheNumbersAreATable)
{
  press(ImGuiKey_D, true);
  std::string const table = clipboard();
  EXPECT_THAT(table, StartsWith("name\tvalue\nbackend\tcpu\n"));
  EXPECT_THAT(table, HasSubstr("\ntable/slots\t1024\n"));
  EXPECT_THAT(table, HasSubstr("\ntable/live\t300\n"));
  EXPECT_THAT(table, HasSubstr("\naccesses/hits/mean\t1."));
  EXPECT_THAT(table, Not(HasSubstr("histogram")));
}

TEST(StatisticsTable, HasAColumnForEachComparedTable)
{
  Json const statistics = parse_json(R"({ "tables": [
    { "a": 1, "in": { "b": 0.5, "list": [1, 2], "none": null } },
    { "a": 2, "in": { "c": "one\ttwo \"three\"" } } ] })",
                                     "test");
  EXPECT_EQ(table_of_statistics(statistics),
            "name\ttable 1\ttable 2\na\t1\t2\nin/b\t0.5\t\nin/none\t\t\nin/c\t\t\"one\ttwo \"\"three\"\"\"\n");
}

TEST_F(SharingTest, APictureIsGivenToAProgramThatKeepsServingIt)
{
  write_program(folder_, "xclip", "printf '%s\\n' \"$@\" > \"$0.arguments\"; cat > \"$0.png\"; (sleep 3) &");
  Variable const path("PATH", folder_.path().string());
  Variable const display("DISPLAY", ":99");
  Variable const wayland("WAYLAND_DISPLAY", "");
  press(ImGuiKey_C, true);
  ASSERT_TRUE(frames_until([&] { return !said().empty(); }));
  EXPECT_EQ(said(), "Copied the picture.");
  EXPECT_EQ(content_of(folder_ / "xclip.arguments"), "-selection\nclipboard\n-t\nimage/png\n-i\n");
  std::string const png = content_of(folder_ / "xclip.png");
  EXPECT_THAT(png, StartsWith("\x89PNG"));
  EXPECT_THAT(png.substr(png.size() - 8), HasSubstr("IEND"));
}

TEST_F(SharingTest, WithoutSuchAProgramItSaysWhatToInstall)
{
  Variable const path("PATH", "/nowhere");
  Variable const wayland("WAYLAND_DISPLAY", "wayland-0");
  press(ImGuiKey_C, true);
  EXPECT_THAT(said(), HasSubstr("wl-copy (sudo apt install wl-clipboard)"));
  EXPECT_THAT(said(), HasSubstr("Ctrl+S"));
}

TEST_F(SharingTest, SaysWhyAPictureCouldNotBeCopied)
{
  write_program(folder_, "xclip", "echo \"Error: Can't open display\" >&2; exit 1");
  Variable const path("PATH", folder_.path().string());
  Variable const display("DISPLAY", ":99");
  Variable const wayland("WAYLAND_DISPLAY", "");
  press(ImGuiKey_C, true);
  ASSERT_TRUE(frames_until([&] { return !said().empty(); }));
  EXPECT_THAT(said(), HasSubstr("xclip: Error: Can't open display"));
}

TEST(PictureCopier, DoesNotWaitForAProgramThatHangs)
{
  TemporaryFolder const folder;
  PictureCopier const copier({write_program(folder, "xclip", "exec sleep 60").string()},
                             {2, 1, std::vector<std::uint8_t>(8)}, 0.1);
  while (!copier.result()) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
  EXPECT_EQ(copier.result(), "xclip: it does not answer");
}

TEST(CopyCommand, FitsTheSession)
{
  TemporaryFolder const folder;
  std::string const path = folder.path().string();
  EXPECT_THAT(copy_command({path, true, true}), IsEmpty());
  write_program(folder, "xclip", "");
  EXPECT_THAT(copy_command({path, true, true}).front(), (folder / "xclip").string());
  EXPECT_THAT(copy_command({path, true, false}), IsEmpty()) << "xclip needs an X server";
  write_program(folder, "wl-copy", "");
  EXPECT_THAT(copy_command({path, true, true}), ElementsAre((folder / "wl-copy").string(), "--type", "image/png"));
  EXPECT_THAT(copy_command({path, false, true}).front(), (folder / "xclip").string());
}

/// The window, recorded from the key to the toast. The desktop has no file dialog.
class WindowRecorderTest : public SharingTest {
protected:
  void record(ImGuiKey answer, fs::path const& path)
  {
    press(ImGuiKey_R, true);
    type(answer);
    press(ImGuiKey_A);
    ImGui::GetIO().AddInputCharactersUTF8(path.c_str());
    app_->frame(0.1);
    type(ImGuiKey_Enter);
  }
  void type(ImGuiKey key)
  {
    ImGui::GetIO().AddKeyEvent(key, true);
    app_->frame(0.1);
    ImGui::GetIO().AddKeyEvent(key, false);
    for (int frame = 0; frame < 5; ++frame) { app_->frame(0.01); }
  }

  Variable path_{"PATH", folder_.path().string()};
};

TEST_F(WindowRecorderTest, WritesPicturesUntilTheKeyIsPressedAgain)
{
  record(ImGuiKey_Enter, folder_ / "frames");
  ASSERT_TRUE(frames_until([&] { return fs::exists(folder_ / "frames/frame_000003.png"); })) << said();
  press(ImGuiKey_R, true);
  ASSERT_TRUE(frames_until([&] { return !said().empty(); }));
  EXPECT_THAT(said(), StartsWith("Recorded " + (folder_ / "frames").string()));
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

using Pixels = std::vector<std::uint8_t>;

/// The rows of the menu, where the strip is. Below them, numbers change.
Pixels menu_of(Pixels const& picture)
{
  return {picture.begin(), picture.begin() + std::ptrdiff_t{640} * 4 * 16};
}

Pixels menu_in(fs::path const& file)
{
  int width = 0;
  int height = 0;
  int channels = 0;
  stbi_uc* const pixels = stbi_load(file.c_str(), &width, &height, &channels, 4);
  if (pixels == nullptr) { return {}; }
  Pixels const picture(pixels, pixels + std::ptrdiff_t{4} * width * height);
  stbi_image_free(pixels);
  return menu_of(picture);
}

TEST_F(WindowRecorderTest, DoesNotRecordItsOwnStrip)
{
  Pixels const before = menu_of(app_->screen().picture().pixels);
  record(ImGuiKey_Enter, folder_ / "frames");
  ASSERT_TRUE(frames_until([&] { return fs::exists(folder_ / "frames/frame_000003.png"); })) << said();
  app_->pictures().save_next_frame(folder_ / "saved.png", PicturePart::everything);
  app_->frame(0.0);
  EXPECT_TRUE(menu_of(app_->screen().picture().pixels) != before) << "the strip is not shown";
  EXPECT_TRUE(menu_in(folder_ / "saved.png") == before);
  press(ImGuiKey_R, true);
  ASSERT_TRUE(frames_until([&] { return said().starts_with("Recorded"); })) << said();
  EXPECT_TRUE(menu_in(folder_ / "frames/frame_000003.png") == before);
}

TEST_F(WindowRecorderTest, SaysWhyAFilmFailedAndWhereItIs)
{
  write_program(folder_, "ffmpeg", "head -c 100 > /dev/null; echo 'No space left on device' >&2; exit 1");
  record(ImGuiKey_Enter, folder_ / "film.mp4");
  ASSERT_TRUE(frames_until([&] { return app_->toasts().errors() == 1; })) << said();
  EXPECT_THAT(said(), HasSubstr("ffmpeg failed: No space left on device"));
  EXPECT_THAT(said(), HasSubstr("The part written before that is in " + (folder_ / "film.mp4").string()));
}

}  // namespace
}  // namespace slotscape

#pragma once

#include "app/scenes/match/scene.hpp"
#include "tests/app/support/program.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace slotscape::test {

/// A picture as a PGM file.
inline std::filesystem::path write_pgm(std::filesystem::path const& file, matching::Picture const& picture)
{
  std::ofstream out(file, std::ios::binary);
  out << "P5 " << picture.width << " " << picture.height << " 255\n";
  out.write(reinterpret_cast<char const*>(picture.pixels.data()), static_cast<std::streamsize>(picture.pixels.size()));
  return file;
}

/// The scene of image matching in the program on the CPU, drawn offscreen.
class MatchSceneTest : public testing::Test {
protected:
  explicit MatchSceneTest(MatchSetup set_up = first_match())
      : app_(offscreen_app({1280, 720}, Scenario{&entry("match"), std::move(set_up)}))
  {
    frames(3);
  }
  void frames(int count)
  {
    for (int i = 0; i < count; ++i) { app_->frame(0.1); }
  }
  /// Until everything has been matched and filled in.
  void finish()
  {
    for (int i = 0; i < 3000 && !scene().quiet(); ++i) { frames(1); }
    frames(1);
  }
  MatchScene& scene() { return scene_of<MatchScene>(*app_); }
  MatchState& state() { return scene().state(); }
  matching::MatchSnapshot const& snapshot() { return state().shown->snapshot; }
  matching::Similarity const& transformation() { return snapshot().candidates.at(0).transformation; }

  std::unique_ptr<App> app_;
};

}  // namespace slotscape::test

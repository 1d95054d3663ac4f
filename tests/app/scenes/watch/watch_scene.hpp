#pragma once

#include "app/scenes/watch/scene.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/app/watch/dumped_table.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace slotscape::test {

inline constexpr std::uint32_t table_slots = 1u << 14;

/// The scene of somebody's own table in the program on the CPU, drawn offscreen.
class WatchSceneTest : public testing::Test {
protected:
  static WatchSetup set_up_of(std::filesystem::path const& file, Json layout)
  {
    WatchSetup set_up;
    set_up.settings.files = {file.string()};
    set_up.settings.layout = std::move(layout);
    return set_up;
  }
  static Json preset() { return Json{{"preset", "SimpleGPUHashTable"}}; }
  void open(DumpedTable const& table, Json layout = preset())
  {
    show(set_up_of(folder_.write("table.npy", table.structured()), std::move(layout)));
  }
  /// Keys alone, of 32 bits, where empty slots have all bits set.
  void open_keys(std::vector<std::uint32_t> const& keys, Json layout)
  {
    std::string const bytes(reinterpret_cast<char const*>(keys.data()), 4 * keys.size());
    layout["slots"] = keys.size();
    layout["key"] = {{"bits", 32}};
    layout["empty_key"] = DumpedTable::empty;
    show(set_up_of(folder_.write("keys.bin", bytes), std::move(layout)));
  }
  /// The same in linear probing, with the home of each key.
  void open_with_homes(std::vector<std::uint32_t> const& keys, std::vector<std::uint32_t> const& homes)
  {
    auto const column = [](std::vector<std::uint32_t> const& numbers) {
      std::string const bytes(reinterpret_cast<char const*>(numbers.data()), 4 * numbers.size());
      return DumpedTable::npy("'<u4'", "(" + std::to_string(numbers.size()) + ",)", bytes);
    };
    WatchSetup set_up = set_up_of(folder_.write("keys.npy", column(keys)), {{"key", {{"array", "keys"}, {"bits", 32}}},
                                                                            {"empty_key", DumpedTable::empty},
                                                                            {"hash", {{"homes", "homes"}}},
                                                                            {"probing", "linear"}});
    set_up.settings.files.push_back(folder_.write("homes.npy", column(homes)).string());
    show(set_up);
  }
  void show(WatchSetup const& set_up)
  {
    app_.reset();  // two at once would share what there is one of, such as the state of ImGui
    app_ = offscreen_app({1280, 720}, Scenario{&entry("watch"), set_up});
    frames(3);
  }
  void frames(int count)
  {
    for (int i = 0; i < count; ++i) { app_->frame(0.1); }
  }
  /// As if it had been typed.
  void find(Key key)
  {
    auto const pairs = std::make_shared<std::vector<Pair> const>(1, Pair{key, 0});
    state().table.ask(OnTyped{{.operation = Operation::find, .pairs = pairs}});
    frames(1);
  }
  WatchScene& scene() { return dynamic_cast<WatchScene&>(app_->current_scene()); }
  WatchState& state() { return scene().state(); }

  TemporaryFolder folder_;
  std::unique_ptr<App> app_;
};

}  // namespace slotscape::test

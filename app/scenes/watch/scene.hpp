#pragma once

#include "app/scene/scene.hpp"
#include "app/scenes/watch/lookups.hpp"
#include "app/scenes/watch/numbers.hpp"
#include "app/scenes/watch/picture.hpp"
#include "app/scenes/watch/reader.hpp"
#include "app/scenes/watch/state.hpp"
#include "app/table_map/map_view.hpp"
#include "app/table_scene/gui.hpp"
#include "app/table_scene/setup.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace slotscape {

/// A read-only view of a table in another program's memory, or in a file.
class WatchScene final : public Scene {
public:
  /// Throws Error if a file of the set-up cannot be opened, or its description is wrong. For large files,
  /// `finish_steps` throws.
  WatchScene(WatchSetup const& set_up, DeviceFacts const& device);

  WatchState& state() { return state_; }
  WatchState const& state() const { return state_; }
  MapView const& view() const { return view_; }
  TableSceneLayout const& layout() const { return layout_; }
  /// Shows the table of a source that is already open.
  void watch_source(std::unique_ptr<watch::Source> source, bool is_live) { reader_.show(std::move(source), is_live); }

  SceneSetup set_up() const override;
  SceneSetup set_up_for_others() const override;
  bool quick_to_save() const override { return false; }
  void finish_steps(std::function<void()> const& frame) override;
  SceneSetup to_remember() const override;

  void advance(double elapsed_seconds) override;
  void lay_out(Frame const& frame) override;
  FrameFacts analyse(Frame const& frame) override;
  void draw_pictures(Presenters& presenters, int framebuffer_height) override;
  void draw_gui(Frame const& frame) override;
  void draw_slide(Look const& look, Drawing& drawing, bool paints) override;

  std::span<Command const> commands() const override { return commands_; }
  bool type(char32_t character) override;
  bool types_letters() const override;
  bool awaits_keyboard() const override { return state_.table.typed.focus; }
  void cancel() override;
  bool cancellable() const override { return reader_.is_busy() || state_.copied.has_value(); }
  /// Opens the files of one dump, possibly including its description.
  bool open(Paths const& files) override
  {
    reader_.open(files);
    return true;
  }
  bool asked() const override { return !state_.requests.empty() || !state_.table.requests.empty(); }
  bool quiet() const override;
  std::optional<Slot> chosen_slot() const override { return state_.table.selection.pinned; }
  void forget_choice() override { state_.table.selection.pinned.reset(); }
  std::string notice() const override { return reader_.notice(); }
  Findings findings() const override;
  bool shows(std::string const& finding) const override;
  std::vector<std::string> told() const override;
  SceneStatistics statistics(FrameTimes const& frames) override;

private:
  /// The set-up for tuning, and the number of the reader's table that it came from.
  struct HandedOverKeys {
    std::uint64_t of_table;
    TableSetup set_up;
  };

  void handle_requests();
  void handle(WatchRequest const& request);
  void handle_table_requests();
  void ask_for_dump();
  void ask_for_layout();
  /// Shows the same keys in another scene: "compare" or "tune".
  void show_keys_in(std::string_view scene);

  WatchState state_;
  MapView view_;
  WatchPicture picture_;
  WatchNumbers numbers_;
  WatchReader reader_;
  WatchLookups lookups_;
  TableSceneLayout layout_;
  std::optional<HandedOverKeys> handed_over_;
  Announcements running_;
  std::vector<Command> commands_;
};

}  // namespace slotscape

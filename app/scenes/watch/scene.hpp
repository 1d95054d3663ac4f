#pragma once

#include "app/scene/scene.hpp"
#include "app/scenes/watch/first_look.hpp"
#include "app/scenes/watch/state.hpp"
#include "app/table_map/map_view.hpp"
#include "app/table_scene/gui.hpp"
#include "app/table_scene/setup.hpp"
#include "gpu/base/work.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace slotscape {

/// A table in the memory of another program, or in a file: looked at, and never changed.
class WatchScene final : public Scene {
public:
  /// Throws Error if a file of the set-up cannot be opened, or its description is wrong; of large ones, `finish_steps`
  /// does.
  WatchScene(WatchSetup const& set_up, DeviceFacts const& device);

  WatchState& state() { return state_; }
  WatchState const& state() const { return state_; }
  MapView const& view() const { return view_; }
  TableSceneLayout const& layout() const { return layout_; }
  /// Looks at a table that somebody else has opened.
  void watch_source(std::unique_ptr<watch::Source> source, bool is_live);

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
  bool cancellable() const override { return work_.busy() || state_.copied.has_value(); }
  /// Opens the files of one dump, with its description if one of them is that.
  bool open(Paths const& files) override;
  bool asked() const override { return !state_.requests.empty() || !state_.table.requests.empty(); }
  bool quiet() const override;
  std::optional<Slot> chosen_slot() const override { return state_.table.selection.pinned; }
  void forget_choice() override { state_.table.selection.pinned.reset(); }
  std::string notice() const override { return notice_; }
  Findings findings() const override;
  bool shows(std::string const& finding) const override;
  std::vector<std::string> told() const override;
  SceneStatistics statistics(FrameTimes const& frames) override;

private:
  void handle_requests();
  void handle(WatchRunning const& request);
  void handle(OpenDump const& request);
  void handle(OpenLayout const& request);
  void handle(PauseWatch const& request);
  void handle(UsePreset const& request);
  void handle(UseDescription const& request);
  void handle(UseOwnDescription const& request);
  void handle(CheckAgain const& request);
  void handle(SameKeysIn const& request);
  void handle(ShowSlot const& request);
  void replace_layout(Json layout);
  void look_by_layout();
  void handle_table_requests();

  watch::Dump dump_of_settings() const;
  void open_dump_of_settings();
  /// Shows nothing, or what it is given.
  void forget_table(std::unique_ptr<watch::Source> source, std::string name, bool is_live);
  void connect_to(std::string const& name);
  void follow_source();
  void follow_files();
  /// Looks at the source's arrays as they are now, by its description or that of the settings.
  void look();
  void look_by(watch::Description const& description);
  /// The same of a file, beside the frames, and its end, for which this waits; nothing: however long it takes.
  void begin_look(bool checks);
  void begin_opening(watch::Dump dump, bool checks);
  void note_failure(std::string why);
  void copy_on();
  void take_look(std::optional<double> max_wait);
  void show_table();
  void note_facts(watch::WatchedTable::KeyFacts facts);
  void check_description(bool searches);
  void lose_table(std::string why);
  void take_events();
  watch::AnyKey typed_key(Key key) const;
  Key shown_key(watch::AnyKey key) const;
  /// Throws Error, saying why, if the slots cannot tell whether the table has the key.
  void require_in_slots(watch::AnyKey key) const;
  Lookup lookup_of(watch::AnyKey key);
  void look_up(watch::AnyKey key);
  void show_key(watch::AnyKey key);
  void note_statistics();
  void show_homes();
  void judge();
  bool is_analysis_due(Frame const& frame, PictureRequest const& request) const;
  Presenter& presenter(Presenters& presenters);
  void show_what_is_known();
  std::string wide_text(watch::AnyKey key) const;
  void complete_cards();
  /// Its program may write while it is read.
  bool follows() const;
  bool flashes() const;
  TableSetup keys_elsewhere() const;
  std::vector<Command> make_commands();
  std::vector<Command> view_commands();

  WatchState state_;
  std::unique_ptr<watch::Source> source_;
  std::unique_ptr<watch::WatchedTable> table_;
  Work<FirstLook, FirstLooked> work_;  ///< while it is busy, what it reads stays
  std::string described_;              ///< the text of the description that was read last
  MapView view_;
  TableSceneLayout layout_;
  std::unique_ptr<Presenter> host_presenter_;  ///< of tables in the host's memory where the program runs on a GPU
  std::optional<PictureRequest> drawn_;        ///< the picture that the presenter holds; none: it is out of date
  double opened_at_ = 0.0;
  double analysed_at_ = 0.0;
  double analysis_seconds_ = 0.0;
  double unfaded_seconds_ = 0.0;  ///< since the last analysis
  double followed_at_ = -1e9;     ///< when the table was last seen to run
  watch::AnyKey looked_up_ = 0;
  watch::WatchedTable::KeyFacts facts_;
  double counted_homes_at_ = -1e9;
  bool counts_on_ = false;  ///< of many keys, not all have been counted yet
  std::uint64_t counted_live_ = ~std::uint64_t{0};
  double checked_at_ = 0.0;
  double failed_at_ = -1e9;  ///< to open a file again; infinite: nobody wants it any more
  double sampled_at_ = -1e9;
  std::optional<TableSetup> handed_over_;  ///< what tuning was asked to take over
  RunningTables running_;
  std::string notice_;
  std::vector<Command> commands_;
};

}  // namespace slotscape

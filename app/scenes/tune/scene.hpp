#pragma once

#include "app/keys/comparing.hpp"
#include "app/scene/scene.hpp"
#include "app/scene/undo.hpp"
#include "app/scenes/tune/gui.hpp"
#include "app/scenes/tune/state.hpp"
#include "app/widgets/sides.hpp"
#include "gpu/base/translation.hpp"

#include <functional>
#include <vector>

namespace slotscape {

/// The areas of the window in the tuning scene.
struct TuneLayout {
  SideLayout sides;
  Rectangle sweep;  ///< the sweep's progress
  Rectangle views;
  Rectangle plots;
};

/// A visible plot, and the positions of its marks.
struct ShownPlot {
  tuning::Plot plot;
  Rectangle place;
  std::vector<tuning::PlotMark> marks = {};
};

/// Finds the table and the load factor that suit a workload on this device: a sweep in the background, plots of its
/// results, and the answer in sentences.
class TuneScene final : public Scene {
public:
  TuneScene(TuneSetup const& set_up, DeviceFacts const& device);
  /// Pauses the sweep until the scene is shown again.
  ~TuneScene() override;

  TuneState& state() { return state_; }
  TuneLayout const& layout() const { return layout_; }
  std::vector<ShownPlot> const& plots() const { return plots_; }

  SceneSetup set_up() const override;
  bool can_wait() const override { return ready(); }
  bool open(Paths const& files) override;

  void advance(double elapsed_seconds) override;
  std::vector<std::string> told() const override;
  void finish_steps(std::function<void()> const& frame) override;
  bool plays_steps() const override { return true; }
  void lay_out(Frame const& frame) override;
  FrameFacts analyse(Frame const& frame) override;
  void draw_gui(Frame const& frame) override;
  void draw_slide(Look const& look, Drawing& drawing, bool paints) override;

  std::string undoes() const override { return undo_.undoes(); }
  std::string redoes() const override { return undo_.redoes(); }
  void undo() override;
  void redo() override;

  std::span<Command const> commands() const override { return commands_; }
  void cancel() override;
  bool cancellable() const override { return state_.sweeping || state_.selected; }
  bool asked() const override { return !state_.requests.empty(); }
  bool quiet() const override { return state_.requests.empty() && saving_ == nullptr; }
  bool ready() const override { return quiet() && !state_.sweeping; }
  std::string notice() const override { return state_.notice; }
  Findings findings() const override { return tuning::findings_of(state_.settings.workload, look_alikes_); }
  SceneStatistics statistics(FrameTimes const& frames) override;

private:
  // --- the sweep
  void handle_requests();
  void start_or_pause();
  void start(std::vector<tuning::Measured> known);
  void follow_sweep();
  void take(std::shared_ptr<tuning::Results const> results);
  void say_answer();
  tuning::Measured const& measured(std::size_t index) const;
  tuning::Measured const& own(std::size_t index) const;
  void open_in_slots(std::size_t index);
  void open_both();
  void use_keys(KeySettings source);
  void use_probe(KeySettings probe);
  void open_probe(Paths const& files);

  // --- drawing
  void place_plots(Look const& look, Rectangle const& place);
  void draw_plots(Look const& look);
  void draw_plots_with(Look const& look, Drawing& drawing);
  void follow_mouse(Look const& look);
  void select(std::optional<std::size_t> index);
  void step_along_frontier(int by);

  // --- files
  void ask_where_to_save(TuneExport what);
  void ask_where_to_save_plot(tuning::Plot plot);
  std::string save(TuneExport what, std::filesystem::path const& file, Look const& look) const;
  void need_results() const;
  Json chosen_scenario(tuning::Results const& results, std::filesystem::path const& folder) const;

  // --- undo
  void note_changes();
  TuneSettings exchange(TuneSettings const& settings);
  std::vector<Command> sweep_commands();
  std::vector<Command> mark_commands();
  std::vector<Command> file_commands();
  std::vector<Command> view_commands();

  TuneState state_;
  mutable LookAlikes look_alikes_;
  std::shared_ptr<TuneRun> run_;
  StartSweep start_sweep_;
  bool to_start_ = false;
  bool told_failure_ = false;
  Catalogue const* said_in_ = nullptr;  ///< language of `answer`
  std::vector<ShownPlot> plots_;
  std::function<void(Look const&)> saving_;  ///< save in the next frame, which has a font
  CardPlace card_{.right = true};
  TuneSettings settled_;
  UndoList<TuneSettings> undo_;
  TuneLayout layout_;
  std::vector<Command> commands_;
};

}  // namespace slotscape

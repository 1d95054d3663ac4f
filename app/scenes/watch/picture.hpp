#pragma once

#include "app/scenes/watch/state.hpp"
#include "app/table_map/map_view.hpp"
#include "gpu/interop/presenter.hpp"
#include "gpu/watch/watched_table.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace slotscape {

/// When a watched table is analysed anew, and where its picture is.
class WatchPicture {
public:
  /// The references outlive it.
  WatchPicture(WatchState& state, MapView& view) : state_(state), view_(view) {}

  /// Once a frame. follows: the table may be another one in the next frame.
  void pass(double elapsed_seconds, bool follows);
  /// A file that nobody writes is analysed when the view changes; a live table as often as a part of the time allows.
  bool is_due(PictureRequest const& request, Backend backend, bool follows) const;
  /// read_more: reads what else is shown; it counts as a part of the analysis.
  FrameFacts analyse(watch::WatchedTable& table, PictureRequest const& request, Presenter& presenter,
                     std::function<void()> const& read_more);
  bool is_drawn() const { return drawn_.has_value(); }
  /// For a while after the last change, until all of them have faded.
  bool flashes() const;
  /// For a table on this backend.
  Presenter& presenter(Presenters& presenters, Backend backend);
  /// The picture is out of date.
  void forget() { drawn_.reset(); }
  /// The next table may be on another backend.
  void leave();

private:
  WatchState& state_;
  MapView& view_;
  std::unique_ptr<Presenter> host_presenter_;  ///< of tables in the host's memory where the program runs on a GPU
  std::optional<PictureRequest> drawn_;        ///< the picture that the presenter holds; none: it is out of date
  double analysed_at_ = 0.0;
  double analysis_seconds_ = 0.0;
  double unfaded_seconds_ = 0.0;  ///< since the last analysis
  double followed_at_ = -1e9;     ///< when the table was last seen to run
};

}  // namespace slotscape

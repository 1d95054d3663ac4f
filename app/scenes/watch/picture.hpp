#pragma once

#include "app/scenes/watch/state.hpp"
#include "app/table_map/map_view.hpp"
#include "gpu/interop/presenter.hpp"
#include "gpu/watch/watched_table.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace slotscape {

/// Decides when to analyse a watched table again, and holds its picture.
class WatchPicture {
public:
  /// The referenced objects must outlive this.
  WatchPicture(WatchState& state, MapView& view) : state_(state), view_(view) {}

  /// To be called once per frame. follows: the table may change before the next frame.
  void pass(double elapsed_seconds, bool follows);
  /// A file that is not being written is analysed when the view changes; a live table repeatedly, within a share of the
  /// time.
  bool is_due(PictureRequest const& request, Backend backend, bool follows) const;
  /// `read_more` reads the other displayed data; its time counts as part of the analysis.
  FrameFacts analyse(watch::WatchedTable& table, PictureRequest const& request, Presenter& presenter,
                     std::function<void()> const& read_more);
  bool is_drawn() const { return drawn_.has_value(); }
  /// True for a while after the last change, until all flashes have faded.
  bool flashes() const;
  /// The presenter for a table on this backend.
  Presenter& presenter(Presenters& presenters, Backend backend);
  /// Marks the picture as outdated.
  void forget() { drawn_.reset(); }
  /// Call this before switching to another table, which may be on another backend.
  void leave();

private:
  WatchState& state_;
  MapView& view_;
  std::unique_ptr<Presenter> host_presenter_;  ///< for tables in host memory when the program runs on a GPU
  std::optional<PictureRequest> drawn_;        ///< the picture in the presenter; empty: outdated
  double analysed_at_ = 0.0;
  double analysis_seconds_ = 0.0;
  double unfaded_seconds_ = 0.0;  ///< since the last analysis
  double followed_at_ = -1e9;     ///< when the table was last seen running
};

}  // namespace slotscape

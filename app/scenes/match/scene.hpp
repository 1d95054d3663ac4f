#pragma once

#include "app/scene/undo.hpp"
#include "app/scene/work_scene.hpp"
#include "app/scenes/match/picture_view.hpp"
#include "app/scenes/match/query_hand.hpp"
#include "app/scenes/match/state.hpp"
#include "app/scenes/match/vote_view.hpp"
#include "app/table_map/map_links.hpp"
#include "app/table_map/map_view.hpp"
#include "app/widgets/sides.hpp"
#include "gpu/base/translation.hpp"

#include <optional>
#include <vector>

namespace slotscape {

/// A part of the canvas with a line of text above it.
struct CaptionedPlace {
  Rectangle caption;
  Rectangle canvas;  ///< width 0: hidden
};

/// The areas of the window in the image matching scene.
struct MatchLayout {
  SideLayout sides;
  Rectangle verdict;
  OfSides<CaptionedPlace> pictures;
  CaptionedPlace map;
  Rectangle legend;
  CaptionedPlace votes;
};

/// Image matching by geometric hashing: two pictures, the table that stores the points of the first, and the votes of
/// the second. Matching runs in the background, while frames show the previous result.
class MatchScene final : public WorkScene<MatchQuery, SharedMatch> {
public:
  /// Throws Error if the settings are invalid.
  MatchScene(MatchSetup const& set_up, DeviceFacts const& device);

  MatchState& state() { return state_; }
  MatchLayout const& layout() const { return layout_; }
  PictureView const& picture(matching::Side side) const { return pictures_[index_of(side)]; }

  SceneSetup set_up() const override;
  SceneSetup to_remember() const override;
  bool open(Paths const& files) override;

  void advance(double elapsed_seconds) override;
  void lay_out(Frame const& frame) override;
  FrameFacts analyse(Frame const& frame) override;
  void draw_pictures(Presenters& presenters, int framebuffer_height) override;
  void draw_gui(Frame const& frame) override;
  void draw_slide(Look const& look, Drawing& drawing, bool paints) override;

  std::string undoes() const override { return undo_.undoes(); }
  std::string redoes() const override { return undo_.redoes(); }
  void undo() override;
  void redo() override;

  std::span<Command const> commands() const override { return commands_; }
  void cancel() override;
  bool cancellable() const override;
  bool asked() const override { return !state_.requests.empty(); }
  bool quiet() const override;
  bool can_wait() const override { return quiet(); }
  bool plays_steps() const override { return true; }
  std::string notice() const override { return state_.notice; }
  Findings findings() const override;
  SceneStatistics statistics(FrameTimes const& frames) override;
  /// The result of the match, on one line.
  std::string verdict() const;

private:
  // --- work
  MatchScene(MatchSetup const& set_up, DeviceFacts const& device, std::shared_ptr<Matcher> matcher);
  MatchQuery query() const override;
  void show(MatchQuery const& query, SharedMatch result) override;
  void go_back(std::optional<MatchQuery> const& query) override;
  std::string doing(MatchQuery const& query) const override;
  std::string action(MatchQuery const&) const override { return tr("match the pictures"); }
  bool may_finish() const override;
  void begun() override { engine_shows_ = false; }
  bool done(bool watched) override;
  void cancel_work() override;
  ProgressSnapshot steps() const override { return {"Matching", work().progress().share()}; }
  void say(std::string notice) override { state_.notice = std::move(notice); }
  void handle_requests();
  void note_times();
  void play(double elapsed_seconds);
  bool has_next_frame() const;
  /// Drops the records of the frames if they are of another video.
  void note_video(MatchResult const& result);
  /// Records that a frame cannot be read, and keeps showing the previous one. Throws Error if no frame has been
  /// matched.
  void pass_over(MatchResult const& unread);
  bool plays() const { return state_.settings.playing && has_next_frame(); }
  /// Whether the engine holds the result shown, and may be used.
  bool has_engine() const { return engine_shows_ && !work().busy(); }

  // --- the table
  void choose_cell(std::optional<Slot> slot);
  void choose_cell(matching::Bin bin);
  void follow_views();
  std::optional<ShownCell> cell_at(SlotInfo const& slot);

  // --- drawing
  int pictures_height(Look const& look, Rectangle const& place) const;
  void draw_reference(Frame const& frame);
  void draw_query(Frame const& frame);
  void draw_reference_on(ImDrawList& list, Look const& look) const;
  void draw_query_on(ImDrawList& list, Look const& look) const;
  std::array<ImVec2, 4> wanted_corners() const;
  std::optional<QueryHand::Grip> grip_at(Look const& look, ImVec2 mouse) const;
  void follow_query_hand(Look const& look, bool hovered, bool active);
  void draw_map(Frame const& frame);
  void draw_captions(Look const& look);
  void draw_verdict(Look const& look);
  std::vector<BasisArrow> arrows_on(matching::Side side) const;

  // --- changes by the user
  void note_changes();
  MatchSceneSettings exchange(MatchSceneSettings const& settings);
  void ask_for_pictures(AskForPictures const& what);
  void move_frame(int by);
  std::vector<Command> matching_commands();
  std::vector<Command> query_commands();
  std::vector<Command> file_commands();
  std::vector<Command> view_commands();

  MatchState state_;
  std::optional<matching::Bin> to_choose_;  ///< cell to choose as soon as there is a table
  std::optional<MatchQuery> video_of_;      ///< the query that the recorded frames were matched with
  double frame_seconds_ = 0.0;              ///< how long the current video frame has been shown
  bool engine_shows_ = false;
  OfSides<PictureView> pictures_{PictureView{matching::Side::reference}, PictureView{matching::Side::query}};
  std::optional<QueryHand> hand_;
  VoteView votes_;
  MapView map_{"##match_map"};
  MapLinks links_;
  MatchSceneSettings settled_;
  UndoList<MatchSceneSettings> undo_;
  MatchLayout layout_;
  std::vector<Command> commands_;
  std::shared_ptr<Matcher> matcher_;  ///< use its engine only while `work` is not busy
};

}  // namespace slotscape

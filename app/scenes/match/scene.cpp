#include "app/scenes/match/scene.hpp"

#include "app/base/fixed.hpp"
#include "app/base/text.hpp"
#include "app/table_map/shown_color.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

namespace slotscape {

namespace {

constexpr std::size_t map_presenter = 0;
constexpr double fill_seconds = 1.6;
constexpr double seconds_of_frame = 1.0 / 12.0;
constexpr double long_seconds = 0.3;  ///< work longer than this is abandoned for a new query, and its progress is shown

bool same_but_frame(MatchQuery const& a, MatchQuery b)
{
  b.frame = a.frame;
  return a == b;
}

std::size_t side_of_video(MatchResult const& result)
{
  return result.frames[1] >= result.frames[0] ? 1 : 0;
}

bool differs_by_hand_only(MatchQuery const& a, MatchQuery b)
{
  b.pose = a.pose;
  return same_but_frame(a, b);
}

}  // namespace

std::string text_of(matching::Similarity const& transformation)
{
  return tr("onto the reference: rotated by {}°, scale {:.3f}, shift ({}, {})",
            with_minus(fixed(transformation.rotation_degrees, 1)), transformation.scale,
            with_minus(fixed(transformation.shift_x, 1)), with_minus(fixed(transformation.shift_y, 1)));
}

std::string run_text(ShownCell const& cell, std::uint64_t items)
{
  std::string const count = grouped(cell.bases.size());
  return tr_plural("{} value, starting at {} of {}", "{} values, starting at {} of {}", cell.bases.size(), count,
                   grouped(cell.first), grouped(items));
}

std::vector<std::uint32_t> different_bases(ShownCell const& cell)
{
  std::set<std::uint32_t> const different(cell.bases.begin(), cell.bases.end());
  return {different.begin(), different.end()};
}

MatchScene::MatchScene(MatchSetup const& set_up, DeviceFacts const& device)
    : MatchScene(set_up, device, std::make_shared<Matcher>(device.backend))
{
}

MatchScene::MatchScene(MatchSetup const& set_up, DeviceFacts const& device, std::shared_ptr<Matcher> matcher)
    : WorkScene([matcher](MatchQuery const& query, Progress const& now) { return matcher->compute(query, now); }),
      matcher_(std::move(matcher))
{
  state_.settings = set_up.settings;
  state_.device = device;
  matching::validate(state_.settings.matching);
  settled_ = state_.settings;
  to_choose_ = set_up.cell;
  for (auto make : {&MatchScene::matching_commands, &MatchScene::query_commands, &MatchScene::file_commands,
                    &MatchScene::view_commands}) {
    std::ranges::move((this->*make)(), std::back_inserter(commands_));
  }
}

SceneSetup MatchScene::set_up() const
{
  return MatchSetup{state_.settings, state_.chosen ? std::optional(state_.chosen->bin) : to_choose_};
}

MatchQuery MatchScene::query() const
{
  MatchSceneSettings const& settings = state_.settings;
  return {settings.sources, settings.frame, settings.pose, settings.matching};
}

std::string MatchScene::verdict() const
{
  if (!state_.shown) { return tr("nothing has been matched yet"); }
  matching::MatchSnapshot const& found = state_.shown->snapshot;
  if (!found.found) { return tr("no match; the best candidate has a score of {:.2f}", found.score()); }
  return tr("{}; score {:.2f}, runner-up {:.2f}", text_of(found.candidates.front().transformation), found.score(),
            found.runner_up());
}

Findings MatchScene::findings() const
{
  constexpr std::size_t most_named = 4;
  Findings findings = state_.shown ? state_.shown->findings : Findings();
  auto const unreadable = state_.count_video().unreadable;
  for (std::size_t i = 0; i < std::min(unreadable.size(), most_named); ++i) {
    findings.push_back(tr("Skipped a frame that cannot be read. {}", unreadable[i]->unreadable));
  }
  if (unreadable.size() > most_named) {
    findings.emplace_back(tr("More frames could not be read and were skipped; the statistics list them all."));
  }
  return findings;
}

void MatchScene::handle_requests()
{
  for (MatchRequest const& request : std::exchange(state_.requests, {})) {
    if (auto const* const ask = std::get_if<AskForPictures>(&request)) {
      ask_for_pictures(*ask);
    } else if (auto const* const choice = std::get_if<ChooseCell>(&request)) {
      choose_cell(choice->slot);
    } else if (std::holds_alternative<ReplayVotes>(request)) {
      state_.filled = state_.filled < 1.0 ? 1.0 : 0.0;
    } else if (std::holds_alternative<PlayVideo>(request)) {
      bool const runs = plays();
      if (!runs && !has_next_frame()) { state_.settings.frame = 0; }
      state_.settings.playing = !runs;
    } else {
      for (PictureView& picture : pictures_) { picture.fit(); }
      map_.fit();
    }
  }
}

void MatchScene::advance(double elapsed_seconds)
{
  handle_requests();
  if (state_.filled < 1.0) { state_.filled = std::min(1.0, state_.filled + elapsed_seconds / fill_seconds); }
  play(elapsed_seconds);
  WorkScene::advance(elapsed_seconds);
  state_.progress = working_seconds() > long_seconds ? progress() : std::nullopt;
}

std::string MatchScene::doing(MatchQuery const& query) const
{
  return tr("Matching {}", label_of_picture(query.sources[1]));
}

bool MatchScene::may_finish() const
{
  return working_seconds() <= long_seconds;
}

void MatchScene::note_video(MatchResult const& result)
{
  if (!video_of_ || !same_but_frame(*video_of_, result.query)) { state_.video.clear(); }
  video_of_ = result.query;
  state_.frame_count = std::max(result.frames[0], result.frames[1]);
}

void MatchScene::pass_over(MatchResult const& unread)
{
  engine_shows_ = state_.shown != nullptr;
  state_.video[unread.query.frame] = {.file = unread.frame_files[side_of_video(unread)],
                                      .found = false,
                                      .transformation = {},
                                      .score = 0.0,
                                      .runner_up = 0.0,
                                      .seconds = 0.0,
                                      .unreadable = unread.unreadable};
  auto const count = state_.count_video();
  bool const shows_it = state_.shown && state_.shown->query.sources == unread.query.sources;
  if (shows_it || count.matched > 0 || plays()) { return; }
  std::string const why = count.unreadable.front()->unreadable;
  std::string const text =
      count.unreadable.size() == 1 ? why : tr("None of {} frames can be read. {}", count.unreadable.size(), why);
  go_back(state_.shown ? std::optional(state_.shown->query) : std::nullopt);
  throw Error(text);
}

void MatchScene::show(MatchQuery const&, SharedMatch result)
{
  note_video(*result);
  if (!result->unreadable.empty()) { return pass_over(*result); }
  bool const by_hand = state_.shown && differs_by_hand_only(state_.shown->query, result->query);
  bool const in_hand = ImGui::IsAnyItemActive() || ImGui::IsAnyMouseDown();
  state_.filled = state_.settings.fill_votes && !by_hand && !in_hand && is_watched() ? 0.0 : 1.0;
  state_.shown = std::move(result);
  engine_shows_ = true;
  state_.candidate.reset();
  state_.pair.reset();
  matching::MatchEngine& engine = matcher_->engine();
  state_.table.settings.table = engine.table().table();
  state_.table_bytes = engine.table().memory_bytes();
  if (!state_.shown->snapshot.reused_table || state_.multiplicity.count == 0) {
    state_.multiplicity = engine.multiplicity();
  }
  if (!state_.shown->snapshot.reused_table) {
    if (state_.chosen) { to_choose_ = state_.chosen->bin; }
    choose_cell(std::nullopt);
    state_.table.selection = {};
  }
  if (to_choose_) { choose_cell(*std::exchange(to_choose_, std::nullopt)); }
  state_.hovered.reset();
  votes_.take_click();
  note_times();
}

void MatchScene::note_times()
{
  matching::MatchSnapshot const& snapshot = state_.shown->snapshot;
  state_.times.push_back({state_.shown->query.matching.method, snapshot.reused_table, snapshot.stage_seconds});
  if (state_.times.size() > MatchState::max_times) { state_.times.pop_front(); }
  if (state_.frame_count == 1) { return; }
  matching::Similarity const found =
      snapshot.found ? snapshot.candidates.front().transformation : matching::Similarity{};
  auto const& seconds = snapshot.stage_seconds;
  state_.video[state_.shown->query.frame] = {state_.shown->frame_files[side_of_video(*state_.shown)],
                                             snapshot.found,
                                             found,
                                             snapshot.score(),
                                             snapshot.runner_up(),
                                             std::accumulate(seconds.begin(), seconds.end(), 0.0)};
}

/// Before the first match, there is nothing to go back to except the initial pictures.
void MatchScene::go_back(std::optional<MatchQuery> const& query)
{
  MatchSceneSettings const plain = first_match().settings;
  MatchQuery const before = query.value_or(MatchQuery{plain.sources, plain.frame, plain.pose, plain.matching});
  state_.settings.sources = before.sources;
  state_.settings.frame = before.frame;
  state_.settings.pose = before.pose;
  state_.settings.matching = before.matching;
  settled_ = state_.settings;
}

bool MatchScene::has_next_frame() const
{
  return state_.settings.frame + 1 < state_.frame_count;
}

void MatchScene::play(double elapsed_seconds)
{
  frame_seconds_ += elapsed_seconds;
  bool const is_up_to_date = (state_.shown || !state_.video.empty()) && is_answered();
  bool const is_time = !is_watched() || frame_seconds_ >= seconds_of_frame;
  if (!is_up_to_date || !is_time || !plays()) { return; }
  ++state_.settings.frame;
  settled_.frame = state_.settings.frame;
  frame_seconds_ = 0.0;
}

void MatchScene::move_frame(int by)
{
  auto const last = static_cast<int>(state_.frame_count) - 1;
  int const wanted = std::clamp(static_cast<int>(state_.settings.frame) + by, 0, last);
  state_.settings.frame = static_cast<std::uint32_t>(wanted);
  state_.settings.playing = false;
}

void MatchScene::cancel_work()
{
  WorkScene::cancel_work();
  state_.settings.playing = false;
}

bool MatchScene::done(bool)
{
  return is_answered() && !plays() && state_.filled >= 1.0;
}

std::optional<ShownCell> MatchScene::cell_at(SlotInfo const& slot)
{
  if (slot.state != SlotState::live || !slot.has_key) { return std::nullopt; }
  matching::MatchEngine& engine = matcher_->engine();
  Key const key = slot.pair.key;
  return ShownCell{slot.slot, key, engine.bin_of(key), engine.bases_at(key), engine.run_at(key).first};
}

/// Shows the bases of a cell on the reference, and the home of its key in the table.
void MatchScene::choose_cell(std::optional<Slot> slot)
{
  state_.chosen.reset();
  links_ = {};
  if (!slot || !has_engine() || *slot >= state_.table.settings.table.slots) { return; }
  InspectedTable& table = matcher_->engine().table();
  state_.chosen = cell_at(table.slot(*slot));
  state_.table.selection.pinned = slot;
  if (!state_.chosen) { return; }
  links_.selected = slot;
  links_.lookups.push_back({table.probe_path(state_.chosen->key), "", basis_color});
}

void MatchScene::choose_cell(matching::Bin bin)
{
  matching::MatchEngine& engine = matcher_->engine();
  ProbePath const path = engine.table().probe_path(engine.key_of(bin));
  if (path.value && !path.slots.empty()) { choose_cell(path.slots.back()); }
}

void MatchScene::follow_views()
{
  if (auto const pair = votes_.take_click()) {
    bool const again = state_.pair == pair;
    state_.pair = again ? std::nullopt : pair;
  }
  std::optional<Slot> const pinned = state_.table.selection.pinned;
  bool const same = pinned ? state_.chosen && state_.chosen->slot == *pinned : !state_.chosen;
  if (same) { return; }
  choose_cell(pinned);
  if (!state_.chosen) { state_.table.selection.pinned.reset(); }
}

FrameFacts MatchScene::analyse(Frame const& frame)
{
  FrameFacts facts;
  if (!state_.shown) { return facts; }
  for (std::size_t i = 0; i < pictures_.size(); ++i) {
    pictures_[i].place(layout_.pictures[i].canvas, state_, i == 0 ? 0.06 : 0.14);
  }
  if (layout_.votes.canvas.width > 0) { votes_.place(layout_.votes.canvas, state_); }
  state_.table.settings.view = state_.settings.map;
  state_.table.settings.view.color_by = shown_color(state_.settings.map.color_by, family_of(state_.table));
  if (!has_engine()) { return facts; }
  follow_views();
  InspectedTable& table = matcher_->engine().table();
  if (layout_.map.canvas.width > 0) {
    map_.place(layout_.map.canvas, frame.look, state_.table, frame.elapsed_seconds);
    facts = map_.analyse(table, frame.presenters[map_presenter], state_.table, frame.elapsed_seconds);
  } else if (state_.shown->snapshot.slots > 0) {
    state_.table.statistics = table.analyse({}, {}).statistics;
  }
  auto const& under_mouse = state_.table.inspected.hovered;
  bool const same = state_.hovered && under_mouse && state_.hovered->slot == under_mouse->slot.slot;
  if (!same) { state_.hovered = under_mouse ? cell_at(under_mouse->slot) : std::nullopt; }
  return facts;
}

bool MatchScene::quiet() const
{
  return is_answered() && state_.filled >= 1.0 && !plays() && !votes_.clicked() && !map_.in_flight() && !hand_ &&
         state_.requests.empty();
}

bool MatchScene::cancellable() const
{
  return work().busy() || state_.chosen || state_.pair || state_.candidate;
}

void MatchScene::cancel()
{
  if (work().busy()) { return cancel_work(); }
  state_.table.selection.pinned.reset();
  choose_cell(std::nullopt);
  state_.pair.reset();
  state_.candidate.reset();
  state_.filled = 1.0;
}

}  // namespace slotscape

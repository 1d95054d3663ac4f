#include "app/table_map/step/player.hpp"

#include "app/table_map/step/plain.hpp"
#include "app/table_map/step/retold.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace slotscape {
namespace {

constexpr double longest_motion_seconds = 0.5;
constexpr double motion_share = 0.7;  ///< maximum share of the time between two steps

std::vector<std::size_t> step_numbers(Trace const& trace)
{
  std::vector<std::size_t> numbers(trace.steps.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{1});
  return numbers;
}

/// For each step, the number of the probe that first saw the step's first slot; 0 if the step sees none.
std::vector<std::size_t> probe_numbers(Trace const& trace)
{
  std::map<Slot, std::size_t> first;
  std::size_t probes = 0;
  std::vector<std::size_t> numbers;
  for (Step const& step : trace.steps) {
    bool is_new = false;
    for (SlotInfo const& slot : step.seen) { is_new |= first.try_emplace(slot.slot, probes + 1).second; }
    probes += is_new ? 1 : 0;
    numbers.push_back(step.seen.empty() ? 0 : first.at(step.seen.front().slot));
  }
  return numbers;
}

}  // namespace

StepPlayer::StepPlayer(Trace trace, std::size_t position) : trace_(std::move(trace)), numbers_(step_numbers(trace_))
{
  if (position > count()) {
    throw Error(tr_plural("Step mode cannot open at position {}: this operation has {} step.",
                          "Step mode cannot open at position {}: this operation has {} steps.", count(), position,
                          count()));
  }
  stand_at(position);
}

void StepPlayer::tell(FamilyInfo const& family, KeyStyle style, bool plain, bool values)
{
  bool const told_so = keys_as_ == style && plain_ == plain && values_ == values;
  if (told_so) { return; }
  position_ = accesses();
  keys_as_ = style;
  plain_ = plain;
  values_ = values;
  if (given_) { trace_ = *std::exchange(given_, std::nullopt); }
  numbers_ = step_numbers(trace_);
  bool const in_words = !spoken_keys(style).empty() || style == KeyStyle::with_sign;
  bool const as_given = !in_words && !plain && values;
  if (as_given) { return note_changes(); }
  KeyWriter const written = [style](Key key) { return key_text(key, style); };
  given_ = trace_;
  if (in_words) { trace_ = retold(*given_, family, written); }
  if (plain) {
    told_ = steps_in_plain_words(*given_);
    position_ = static_cast<std::size_t>(std::ranges::lower_bound(told_, position_) - told_.begin());
    trace_ = in_plain_words(std::move(trace_), family, written);
    numbers_ = probe_numbers(trace_);
  }
  if (!values) { trace_ = without_values(std::move(trace_)); }
  note_changes();
}

std::vector<std::vector<Slot>> const* StepPlayer::chains() const
{
  if (performed_) { return nullptr; }
  std::vector<Step> const& all = given_ ? given_->steps : trace_.steps;
  for (std::size_t i = at_end() ? all.size() : accesses(); i-- > 0;) {
    if (!all[i].chains) { continue; }
    // Between the updates of a split's two heads, keys would be in no chain.
    bool const is_followed = i + 1 < all.size() && all[i + 1].chains && all[i].place.line == "heads";
    return all[is_followed ? i + 1 : i].chains.get();
  }
  return nullptr;
}

Step const* StepPlayer::previous_on_map() const
{
  for (std::size_t i = position_; i-- > 1;) {
    if (!trace_.steps[i - 1].seen.empty()) { return &trace_.steps[i - 1]; }
  }
  return nullptr;
}

void StepPlayer::forward()
{
  playing_ = false;
  if (!at_end()) { take_step(); }
}

void StepPlayer::back()
{
  go_to(at_start() ? 0 : position_ - 1);
}

void StepPlayer::go_to(std::size_t position)
{
  playing_ = false;
  stand_at(std::min(position, count()));
}

void StepPlayer::play_or_pause()
{
  playing_ = !playing_ && count() != 0;
  since_step_ = 0.0;
  if (!playing_) { return; }
  if (at_end()) { stand_at(0); }
  take_step();
}

void StepPlayer::set_speed(double steps_a_second)
{
  speed_ = std::clamp(steps_a_second, slowest, fastest);
}

double StepPlayer::motion_seconds() const
{
  return playing_ ? std::min(longest_motion_seconds, motion_share / speed_) : longest_motion_seconds;
}

void StepPlayer::advance(double seconds)
{
  if (motion_ < 1.0) {
    motion_ = std::min(motion_ + seconds / motion_seconds(), 1.0);
    if (motion_ >= 1.0) { note_change(*present()); }
  }
  if (!playing_) { return; }
  since_step_ += seconds;
  for (double const pause = 1.0 / speed_; since_step_ >= pause && !at_end(); since_step_ -= pause) { take_step(); }
  playing_ = !at_end();
}

void StepPlayer::take_step()
{
  if (motion_ < 1.0) { note_change(*present()); }
  ++position_;
  motion_ = 0.0;
}

void StepPlayer::stand_at(std::size_t position)
{
  position_ = position;
  motion_ = 1.0;
  note_changes();
}

/// Collects the changes of the steps so far, except for a step whose key is still moving.
void StepPlayer::note_changes()
{
  changes_.clear();
  std::size_t const arrived = motion_ < 1.0 && position_ != 0 ? position_ - 1 : position_;
  for (std::size_t i = 0; i < arrived; ++i) { note_change(trace_.steps[i]); }
}

/// In plain words, the step in which a key arrives also empties the key's previous slot.
void StepPlayer::note_departure(Step const& step)
{
  bool const moves = plain_ && step.after && step.moved_from && step.place.line == "move";
  if (!moves) { return; }
  Slot const left = *step.moved_from;
  auto const changed = changes_.find(left);
  bool const is_there = changed == changes_.end() || changed->second.pair.key == step.after->pair.key;
  if (is_there) { changes_.insert_or_assign(left, SlotInfo{left, SlotState::empty, {}, left, false, 0}); }
}

void StepPlayer::note_change(Step const& step)
{
  note_departure(step);
  if (step.after) { changes_.insert_or_assign(step.after->slot, *step.after); }
}

SlotInfo const& StepPlayer::overlaid(SlotInfo const& slot) const
{
  auto const changed = changes().find(slot.slot);
  return changed == changes().end() ? slot : changed->second;
}

std::size_t StepGroup::count() const
{
  std::size_t most = 0;
  for (StepPlayer const* player : players_) { most = std::max(most, player->count()); }
  return most;
}

std::size_t StepGroup::position() const
{
  std::size_t farthest = 0;
  for (StepPlayer const* player : players_) { farthest = std::max(farthest, player->position()); }
  return farthest;
}

bool StepGroup::at_end() const
{
  return std::ranges::all_of(players_, [](StepPlayer const* player) { return player->at_end(); });
}

bool StepGroup::playing() const
{
  return std::ranges::any_of(players_, [](StepPlayer const* player) { return player->playing(); });
}

bool StepGroup::moving() const
{
  return std::ranges::any_of(players_, [](StepPlayer const* player) { return player->moving(); });
}

void StepGroup::forward()
{
  for (StepPlayer* player : players_) { player->forward(); }
}

void StepGroup::back()
{
  std::size_t const farthest = position();
  for (StepPlayer* player : players_) {
    if (player->position() == farthest) {
      player->back();
    } else {
      player->go_to(player->position());  // ends the motion and the playback of this player, too
    }
  }
}

void StepGroup::go_to(std::size_t position)
{
  for (StepPlayer* player : players_) { player->go_to(position); }
}

void StepGroup::play_or_pause()
{
  bool const pauses = playing();
  bool const from_start = at_end();
  for (StepPlayer* player : players_) {
    bool const takes_part = pauses ? player->playing() : from_start || !player->at_end();
    if (takes_part) { player->play_or_pause(); }
  }
}

void StepGroup::set_speed(double steps_a_second)
{
  for (StepPlayer* player : players_) { player->set_speed(steps_a_second); }
}

void StepGroup::set_performed(bool performed)
{
  for (StepPlayer* player : players_) { player->set_performed(performed); }
}

void StepGroup::advance(double seconds)
{
  for (StepPlayer* player : players_) { player->advance(seconds); }
}

}  // namespace slotscape

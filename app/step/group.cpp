#include "app/step/group.hpp"

#include <algorithm>

namespace slotscape {

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
      player->go_to(player->position());  // its motion and its playing end, as those of the others
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

void StepGroup::advance(double seconds)
{
  for (StepPlayer* player : players_) { player->advance(seconds); }
}

}  // namespace slotscape

#include "app/table_map/step/draw.hpp"

#include "app/widgets/look.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace slotscape {
namespace {

constexpr float shadow_alpha = 0.63f;
constexpr float min_drawn_side = 8.0f;
constexpr std::size_t faded_after = 8;  ///< number of steps after which a step has faded

struct Rect {
  ImVec2 low;
  ImVec2 high;
};

float eased(double t)
{
  return static_cast<float>(t * t * (3.0 - 2.0 * t));
}

ImVec2 between(ImVec2 a, ImVec2 b, float t)
{
  return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

float slot_side(Annotator const& on)
{
  return static_cast<float>(on.camera.slot_pixels());
}

Rect cell(Annotator const& on, Slot slot)
{
  ImVec2 const low = on.place(on.camera.slot_corner(slot));
  return {low, {low.x + slot_side(on), low.y + slot_side(on)}};
}

/// The slots of a step as a few rectangles: neighbours in a row are merged.
std::vector<Rect> frames(Annotator const& on, Step const& step)
{
  std::vector<Position> at;
  for (SlotInfo const& slot : step.seen) { at.push_back(on.camera.plane().position(slot.slot)); }
  std::ranges::sort(at, [](Position a, Position b) { return a.y != b.y ? a.y < b.y : a.x < b.x; });
  std::vector<Rect> rects;
  Position last{};
  for (Position const& position : at) {
    ImVec2 const low =
        on.place(on.camera.to_screen({static_cast<double>(position.x), static_cast<double>(position.y)}));
    ImVec2 const high{low.x + slot_side(on), low.y + slot_side(on)};
    bool const joins = !rects.empty() && position.y == last.y && position.x == last.x + 1;
    if (joins) {
      rects.back().high = high;
    } else {
      rects.push_back({low, high});
    }
    last = position;
  }
  return rects;
}

/// Draws a rectangle with a rim, which stands out on cells of every shade.
void rimmed_rect(Annotator const& on, Rect const& rect, ImU32 color, float thickness)
{
  ImU32 const rim = theme::with_alpha(theme::rim, 0.7f * static_cast<float>(color >> IM_COL32_A_SHIFT) / 255.0f);
  on.drawing.frame(rect.low, rect.high, rim, on.look(3.0f), thickness + on.look(3.0f));
  on.drawing.frame(rect.low, rect.high, color, on.look(3.0f), thickness);
}

bool on_canvas(Annotator const& on, Step const& step)
{
  return std::ranges::any_of(step.seen, [&](SlotInfo const& slot) { return on.camera.shows(slot.slot); });
}

/// The first `share` of a path, by length.
std::vector<ImVec2> first_part(std::vector<ImVec2> const& way, float share)
{
  auto const length = [&](std::size_t i) { return std::hypot(way[i].x - way[i - 1].x, way[i].y - way[i - 1].y); };
  float rest = 0.0f;
  for (std::size_t i = 1; i < way.size(); ++i) { rest += length(i) * share; }
  std::vector<ImVec2> part{way.front()};
  for (std::size_t i = 1; i < way.size(); ++i) {
    float const here = length(i);
    if (here >= rest) {
      part.push_back(between(way[i - 1], way[i], here > 0.0f ? rest / here : 1.0f));
      return part;
    }
    part.push_back(way[i]);
    rest -= here;
  }
  return part;
}

/// A path from slot to slot: around the text in cells, or a curve if there is no text.
std::vector<ImVec2> way(Annotator const& on, Slot from, Slot to, float share)
{
  auto const whole =
      shows_text(on.camera) ? way_past_writing(on, from, to) : arc(on, on.slot_center(from), on.slot_center(to));
  return first_part(whole, share);
}

void centered_text(Annotator const& on, ImVec2 middle, float size, ImU32 color, std::string const& text)
{
  ImFont* const font = on.look.font;
  float const width = font->CalcTextSizeA(size, FLT_MAX, 0.0f, text.c_str()).x;
  on.drawing.text({std::floor(middle.x - width / 2.0f), std::floor(middle.y - size / 2.0f)}, size, color, text);
}

/// The largest font size, up to `largest`, at which the text is at most `width` wide.
float fitting(Annotator const& on, std::string const& text, float width, float largest)
{
  float const needed = on.look.font->CalcTextSizeA(largest, FLT_MAX, 0.0f, text.c_str()).x;
  return needed <= width ? largest : largest * width / needed;
}

/// The latest steps at a slot: "3", "3·4", "…7·8".
std::string latest(std::vector<std::size_t> const& steps)
{
  std::string last = std::to_string(steps.back());
  if (steps.size() == 1) { return last; }
  return fmt::format("{}{}·{}", steps.size() > 2 ? "…" : "", steps[steps.size() - 2], last);
}

/// The step to draw after step `i` of `steps`: a path can be very long, and is drawn in every frame.
std::size_t next_drawn(std::size_t i, std::size_t steps)
{
  return draws_step(i + 1, steps) ? i + 1 : steps - steps_drawn_at_each_end;
}

/// Older steps fade.
float strength(std::size_t step, std::size_t position)
{
  auto const age = static_cast<float>(std::min(position - 1 - step, faded_after));
  return 0.95f - 0.65f * age / static_cast<float>(faded_after);
}

/// Whether the slots of two steps adjoin each other; the end of the table adjoins its beginning.
bool are_neighbours(Step const& before, Step const& step, std::uint64_t slots)
{
  Slot const to = step.seen.front().slot;
  auto const touch = [&](Slot from) { return (from + 1) % slots == to || (to + 1) % slots == from; };
  return touch(before.seen.front().slot) || touch(before.seen.back().slot);
}

void draw_past(Annotator const& on, StepPlayer const& player)
{
  std::vector<Step> const& steps = player.trace().steps;
  Step const* before = nullptr;
  for (std::size_t i = 0; i < player.position(); i = next_drawn(i, player.position())) {
    Step const& step = steps[i];
    if (step.seen.empty()) { continue; }
    bool const is_present = i + 1 == player.position();
    bool const moves_here = before != nullptr && before->seen.front().slot != step.seen.front().slot &&
                            step.moved_from != before->seen.front().slot;  // a moved key has an arrow of its own
    if (moves_here && (on_canvas(on, step) || on_canvas(on, *before))) {
      float const share = is_present ? eased(player.motion()) : 1.0f;
      ImU32 const color = theme::with_alpha(is_present ? step_color(step) : on.ink(), strength(i, player.position()));
      Slot const from = before->seen.front().slot;
      Slot const to = step.seen.front().slot;
      bool const jumps = shows_text(on.camera) && !are_neighbours(*before, step, on.camera.slots()) &&
                         on.camera.plane().kind() != Plane::Kind::arrays;
      auto const draw = jumps ? &Annotator::dashed_arrow : &Annotator::arrow;
      (on.*draw)(way(on, from, to, share), color, std::clamp(slot_side(on) / 32.0f, 1.5f, on.look(5.0f)));
    }
    if (!is_present && slot_side(on) >= min_drawn_side) {
      for (Rect const& rect : frames(on, step)) {
        rimmed_rect(on, rect, theme::with_alpha(on.ink(), strength(i, player.position())), on.look(1.5f));
      }
    }
    before = &step;
  }
}

void draw_numbers(Annotator const& on, StepPlayer const& player)
{
  if (!shows_text(on.camera)) { return; }
  std::map<Slot, std::vector<std::size_t>> visits;
  std::vector<Step> const& steps = player.trace().steps;
  std::vector<std::size_t> const& numbered = player.numbers();
  for (std::size_t i = 0; i < player.position(); i = next_drawn(i, player.position())) {
    if (steps[i].seen.empty() || !on.camera.shows(steps[i].seen.front().slot)) { continue; }
    auto& visit = visits[steps[i].seen.front().slot];
    if (visit.empty() || visit.back() != numbered[i]) { visit.push_back(numbered[i]); }
  }
  Step const* const present = player.present();
  for (auto const& [slot, numbers] : visits) {
    bool const is_present = present != nullptr && !present->seen.empty() && present->seen.front().slot == slot;
    draw_badge(on, slot, latest(numbers), is_present ? step_color(*present) : ImU32{theme::past_step});
  }
}

void draw_frame(Annotator const& on, Rect const& rect, ImU32 color)
{
  float const least = on.look(min_drawn_side);
  if (rect.high.x - rect.low.x < least) {
    ImVec2 const center = between(rect.low, rect.high, 0.5f);
    on.drawing.circle(center, on.look(11.0f), theme::with_alpha(theme::rim, shadow_alpha), on.look(5.0f));
    on.drawing.circle(center, on.look(11.0f), color, on.look(3.0f));
    return;
  }
  float const thick = std::clamp(slot_side(on) / 22.0f, 2.0f, on.look(6.0f));
  for (float out = 1.0f; out <= 2.5f * thick; out += 1.0f) {
    on.drawing.frame({rect.low.x - out, rect.low.y - out}, {rect.high.x + out, rect.high.y + out},
                     theme::with_alpha(color, 0.4f * (1.0f - out / (2.5f * thick))), on.look(3.0f) + out, 1.5f);
  }
  rimmed_rect(on, rect, color, thick);
}

/// Draws the outline of the current step, moving from the previous one.
void draw_present(Annotator const& on, StepPlayer const& player)
{
  Step const* const present = player.present();
  if (present == nullptr || present->seen.empty()) { return; }
  std::vector<Rect> rects = frames(on, *present);
  Step const* const before = player.previous_on_map();
  float const t = eased(player.motion());
  if (before != nullptr && rects.size() == 1) {
    Rect const from = frames(on, *before).front();
    rects.front() = {between(from.low, rects.front().low, t), between(from.high, rects.front().high, t)};
  }
  for (Rect const& rect : rects) { draw_frame(on, rect, step_color(*present)); }
}

void draw_traveller(Annotator const& on, ImVec2 at, std::string const& text)
{
  float const size = fitting(on, text, std::max(slot_side(on) * 0.8f, on.look(60.0f)),
                             std::clamp(slot_side(on) * 0.28f, on.look(15.0f), on.look(44.0f)));
  float const half = on.look.font->CalcTextSizeA(size, FLT_MAX, 0.0f, text.c_str()).x / 2.0f + size * 0.4f;
  ImVec2 const low{at.x - half, at.y - size * 0.75f};
  ImVec2 const high{at.x + half, at.y + size * 0.75f};
  on.drawing.fill({low.x + 2.0f, low.y + 3.0f}, {high.x + 2.0f, high.y + 3.0f},
                  theme::with_alpha(theme::drop_shadow, shadow_alpha), on.look(6.0f));
  on.drawing.fill(low, high, theme::step_moves, on.look(6.0f));
  centered_text(on, at, size, theme::panel, text);
}

/// Draws the paths of keys that moved from one slot to another.
void draw_moves(Annotator const& on, StepPlayer const& player)
{
  std::vector<Step> const& steps = player.trace().steps;
  for (std::size_t i = 0; i < player.position(); i = next_drawn(i, player.position())) {
    Step const& step = steps[i];
    if (!step.moved_from || !step.after) { continue; }
    bool const on_its_way = i + 1 == player.position() && player.motion() < 1.0;
    auto const points = way(on, *step.moved_from, step.after->slot, on_its_way ? eased(player.motion()) : 1.0f);
    on.arrow(points, theme::with_alpha(theme::step_moves, on_its_way ? 1.0f : 0.7f),
             std::clamp(slot_side(on) / 24.0f, 2.0f, on.look(6.0f)));
  }
}

/// Draws the key that is currently moving.
void draw_moving_key(Annotator const& on, StepPlayer const& player)
{
  Step const* const present = player.present();
  if (present == nullptr || !present->moved_from || !present->after || player.motion() >= 1.0) { return; }
  auto const points = way(on, *present->moved_from, present->after->slot, eased(player.motion()));
  draw_traveller(on, points.back(), key_text(present->after->pair.key, player.keys_as()));
}

}  // namespace

ImU32 step_color(Step const& step)
{
  switch (step.kind) {
    case Step::Kind::read: return theme::step_read;
    case Step::Kind::metadata: return theme::step_metadata;
    case Step::Kind::compare_and_swap:
    case Step::Kind::exchange: break;
  }
  return step.after ? theme::step_write : theme::step_fails;
}

void draw_changes(Annotator const& on, StepPlayer const& player, CellColor const& color,
                  std::function<bool(SlotInfo const&)> const& is_hatched)
{
  for (auto const& [slot, info] : player.changes()) {
    if (!on.camera.shows(slot)) { continue; }
    Rect place = cell(on, slot);
    if (slot_side(on) >= min_drawn_side) { place.low = {place.low.x + 1.0f, place.low.y + 1.0f}; }
    Color const paint = color(info);
    on.drawing.fill(place.low, place.high, packed(paint));
    if (is_hatched(info) && slot_side(on) >= 10.0f) { draw_hatch(on, place.low, place.high); }
  }
}

void draw_paths(Annotator const& on, StepPlayer const& player)
{
  draw_past(on, player);
  draw_moves(on, player);
  draw_present(on, player);
}

void draw_step_labels(Annotator const& on, StepPlayer const& player)
{
  draw_numbers(on, player);
  draw_moving_key(on, player);
}

}  // namespace slotscape

#include "app/table_scene/typed.hpp"

#include "app/keys/typed_keys.hpp"
#include "app/table_scene/step/stepping.hpp"
#include "app/widgets/text_field.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <utility>

namespace slotscape {
namespace {

constexpr std::string_view step_label = translatable("the step");

}  // namespace

void TypedOperations::perform(OnKeys const& on_keys)
{
  answers_.say({});
  tables_.state().typed.note(on_keys);
  if (tables_.state().steps.on) { return step_through(on_keys); }
  if (on_keys.operation == Operation::find && on_keys.pairs->size() == 1) {
    Key const key = on_keys.pairs->front().key;
    if (!work_.simulation().engine().probe_path(key).value) { answers_.say(hint_at(tables_.state(), key)); }
    return look_up_by_hand(key);
  }
  answers_.await(on_keys);
  changes_.act(on_keys);
}

void TypedOperations::step_through(OnKeys const& on_keys)
{
  std::vector<Pair> const& pairs = *on_keys.pairs;
  if (tables_.state().typed.active) { let_go_of_field(); }  // frees the arrow keys for the steps
  tables_.enter_steps(StepRequest{{on_keys.operation, pairs.front().key, pairs.front().value}}, false);
  for (std::size_t i = 1; i < pairs.size(); ++i) {
    tables_.state().steps.next.push_back({on_keys.operation, pairs[i].key, pairs[i].value});
  }
}

void TypedOperations::step_through_field()
{
  TypedKeys const& typed = tables_.state().typed;
  if (!typed.is_new || typed.text.empty()) { return tables_.enter_steps(std::nullopt, false); }
  auto const on_keys = enter_keys(tables_.state());
  if (!on_keys) { return; }  // the field shows why the keys are invalid
  answers_.say({});
  tables_.state().typed.note(*on_keys);
  step_through(*on_keys);
}

void TypedOperations::look_up_by_hand(Key key)
{
  looked_up_ = {OnKey{Operation::find, key}, work_.simulation().history().size()};
  tables_.look_up(key);
}

void TypedOperations::enter()
{
  TypedKeys& typed = tables_.state().typed;
  if (!typed.focus) { return do_steps(); }
  if (auto const on_keys = enter_keys(tables_.state())) { perform(*on_keys); }  // else the field shows why not
}

void TypedOperations::do_steps()
{
  auto const shown = tables_.stepped();
  if (!shown || tables_.players().empty() || tables_.state().steps.is_performed) { return; }
  StepState& steps = tables_.state().steps;
  bool const stays_shown = is_bare_ && steps.next.empty();  // keeps the outcome visible for the audience
  if (stays_shown) {
    steps.performs = shown->operation.operation != Operation::find;
    return tables_.players().go_to(tables_.players().count());
  }
  undo_.remember_tables(std::string(step_label), TableUndo::small_image);
  work_.simulation().submit(shown->operation);
  std::string summary = tables_.end_of_steps();
  std::vector<OnKey> performed = steps.performed;
  performed.push_back(shown->operation);
  std::deque<OnKey> next = steps.next;
  std::optional<StepRequest> following;
  if (!next.empty()) {
    following = StepRequest{next.front()};
    next.pop_front();
  }
  tables_.enter_steps(following, false);
  steps.performed = std::move(performed);
  steps.next = std::move(next);
  steps.done = std::move(summary);
}

void TypedOperations::follow_shown_step()
{
  StepState& steps = tables_.state().steps;
  if (!steps.is_performed) { before_shown_steps_.reset(); }
  StepGroup shown = tables_.players();
  bool const can = steps.performs && !shown.empty() && work_.simulation().idle() &&
                   work_.simulation().memory_bytes() <= TableUndo::small_image;
  bool const at_end = !shown.empty() && shown.at_end() && !shown.moving();
  if (!can || at_end == steps.is_performed) { return; }
  if (at_end) {
    before_shown_steps_ = work_.simulation().save();
    work_.simulation().submit(tables_.stepped()->operation);
    work_.simulation().finish();
  } else {
    work_.simulation().exchange(*std::exchange(before_shown_steps_, nullptr));
  }
  steps.is_performed = at_end;
  shown.set_performed(at_end);
  tables_.update_from_simulation();
}

void TypedOperations::walk_back()
{
  StepState& steps = tables_.state().steps;
  if (steps.performed.empty()) { return; }
  if (work_.is_busy()) { return; }
  std::size_t const changes = undo_.settings_since(step_label);
  if (changes == 0) { throw Error(tr("Earlier steps can no longer be undone: the table is too large to keep.")); }
  std::vector<OnKey> performed = steps.performed;
  OnKey const operation = performed.back();
  performed.pop_back();
  std::deque<OnKey> next = steps.next;
  if (auto const shown = tables_.stepped()) { next.push_front(shown->operation); }
  TableSceneSettings const now = tables_.state().settings;  // keeps colours and the like
  for (std::size_t i = 0; i < changes; ++i) { undo_.undo(); }
  TableSettings const table = tables_.state().settings.table;
  tables_.state().settings = now;
  tables_.state().settings.table = table;
  tables_.state().settings.keys = work_.simulation().keys();
  undo_.settle();
  if (tables_.state().typed.active) { let_go_of_field(); }  // so that Enter is not typed into the field
  tables_.enter_steps(StepRequest{.operation = operation, .at_end = true}, false);
  steps.performed = std::move(performed);
  steps.next = std::move(next);
}

void TypedOperations::take_key(KeySource source)
{
  slotscape::take_key(tables_.state(), source, work_.simulation().engine(tables_.focus()), tables_.pinned(), random_);
}

std::optional<OnKey> TypedOperations::looked_up() const
{
  bool const is_last = looked_up_ && looked_up_->second == work_.simulation().history().size();
  return is_last ? std::optional(looked_up_->first) : std::nullopt;
}

}  // namespace slotscape

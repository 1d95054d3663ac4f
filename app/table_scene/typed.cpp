#include "app/base/text.hpp"
#include "app/keys/typed_keys.hpp"
#include "app/table_scene/table_scene.hpp"
#include "app/widgets/text_field.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <utility>

namespace slotscape {
namespace {

constexpr std::string_view step_label = translatable("the step");

/// " The whole table was rebuilt 2 times for that, with other hash functions."
std::string rebuilt_text(ActionReport const& report, bool is_one_of_several)
{
  std::string const which = is_one_of_several ? tr("Table {}", report.table + 1) : tr("The whole table");
  std::string const times = grouped(report.rebuilds);
  bool const is_cuckoo = family_info(report.settings.family).theory == TheoryOf::cuckoo;
  return " " + (is_cuckoo ? tr_plural("{} was rebuilt once for that, with other hash functions.",
                                      "{} was rebuilt {} times for that, with other hash functions.", report.rebuilds,
                                      which, times)
                          : tr_plural("{} was rebuilt once for that.", "{} was rebuilt {} times for that.",
                                      report.rebuilds, which, times));
}

/// Of the key that was typed last, and is not in the table.
std::string hint_at(TableState const& state, Key key)
{
  std::vector<std::string> const& past = state.typed.past;
  return past.empty() ? std::string() : look_alike_hint(state.settings.keys, past.back(), key);
}

}  // namespace

void TableScene::handle_typed(OnKeys const& on_keys)
{
  answer_.clear();
  state().typed.note(on_keys);
  if (state().steps.on) { return step_through(on_keys); }
  if (on_keys.operation == Operation::find && on_keys.pairs->size() == 1) {
    Key const key = on_keys.pairs->front().key;
    if (!simulation().engine().probe_path(key).value) { answer_ = hint_at(state(), key); }
    return look_up_by_hand(key);
  }
  asked_ = on_keys;
  handle_action(on_keys);
}

void TableScene::step_through(OnKeys const& on_keys)
{
  std::vector<Pair> const& pairs = *on_keys.pairs;
  if (state().typed.active) { let_go_of_field(); }  // the arrows are for the steps
  enter_steps(StepRequest{{on_keys.operation, pairs.front().key, pairs.front().value}}, false);
  for (std::size_t i = 1; i < pairs.size(); ++i) {
    state().steps.next.push_back({on_keys.operation, pairs[i].key, pairs[i].value});
  }
}

void TableScene::step_through_field()
{
  TypedKeys const& typed = state().typed;
  if (!typed.is_new || typed.text.empty()) { return enter_steps(std::nullopt, false); }
  auto const on_keys = enter_keys(state());
  if (!on_keys) { return; }  // the field says why
  answer_.clear();
  state().typed.note(*on_keys);
  step_through(*on_keys);
}

void TableScene::look_up_by_hand(Key key)
{
  looked_up_ = {OnKey{Operation::find, key}, simulation().history().size()};
  look_up(key);
}

bool TableScene::type(char32_t character)
{
  return type_key(state().typed, use_of_field(state()), character);
}

bool TableScene::types_letters() const
{
  return has_letters(key_form(state()));
}

void TableScene::enter()
{
  TypedKeys& typed = state().typed;
  if (!typed.focus) { return do_steps(); }
  if (auto const on_keys = enter_keys(state())) { handle_typed(*on_keys); }  // else it says why
}

void TableScene::note_report(ActionReport const& report)
{
  if (report.table == 0) {
    is_answer_ = asked_ && report.op == op_name(asked_->operation) && report.count == asked_->pairs->size();
    if (is_answer_) {
      OnKeys const answered = *std::exchange(asked_, std::nullopt);
      std::vector<Key> const refused = refused_keys(simulation().engine(), answered, report.outcomes);
      answer_ = answer_to(answered, report.outcomes, refused, state().settings.view.keys_as);
      bool const in_vain = report.outcomes[Outcome::missing] == 1 && answered.pairs->size() == 1;
      std::string const hint = in_vain ? hint_at(state(), answered.pairs->front().key) : "";
      if (!hint.empty()) { answer_ += " " + hint; }
    }
  }
  if (is_answer_ && report.rebuilds != 0) { answer_ += rebuilt_text(report, table_states().size() > 1); }
}

void TableScene::do_steps()
{
  auto const shown = stepped();
  if (!shown || players().empty() || state().steps.is_performed) { return; }
  StepState& steps = state().steps;
  bool const stays_shown = is_bare_ && steps.next.empty();  // an audience is to read what came of it
  if (stays_shown) {
    steps.performs = shown->operation.operation != Operation::find;
    return players().go_to(players().count());
  }
  remember_tables(std::string(step_label), small_image);
  simulation().submit(shown->operation);
  std::string summary = end_of_steps();
  std::vector<OnKey> performed = steps.performed;
  performed.push_back(shown->operation);
  std::deque<OnKey> next = steps.next;
  std::optional<StepRequest> following;
  if (!next.empty()) {
    following = StepRequest{next.front()};
    next.pop_front();
  }
  enter_steps(following, false);
  steps.performed = std::move(performed);
  steps.next = std::move(next);
  steps.done = std::move(summary);
}

void TableScene::perform_shown_steps()
{
  StepState& steps = state().steps;
  if (!steps.is_performed) { before_shown_steps_.reset(); }
  StepGroup shown = players();
  bool const can =
      steps.performs && !shown.empty() && simulation().idle() && simulation().memory_bytes() <= small_image;
  bool const at_end = !shown.empty() && shown.at_end() && !shown.moving();
  if (!can || at_end == steps.is_performed) { return; }
  if (at_end) {
    before_shown_steps_ = simulation().save();
    simulation().submit(stepped()->operation);
    simulation().finish();
  } else {
    simulation().exchange(*std::exchange(before_shown_steps_, nullptr));
  }
  steps.is_performed = at_end;
  shown.set_performed(at_end);
  update_from_simulation();
}

void TableScene::walk_back()
{
  StepState& steps = state().steps;
  if (steps.performed.empty()) { return; }
  if (working()) { return; }
  auto const sets_only = [](Moment const& moment) { return moment.simulation == nullptr; };
  std::size_t const changes = undo_.changes_since(step_label, sets_only);
  if (changes == 0) {
    throw Error(tr("What was stepped through before can be undone no more: the table is too large to be kept."));
  }
  std::vector<OnKey> performed = steps.performed;
  OnKey const operation = performed.back();
  performed.pop_back();
  std::deque<OnKey> next = steps.next;
  if (auto const shown = stepped()) { next.push_front(shown->operation); }
  TableSceneSettings const now = state().settings;  // colours and the like stay as they are
  for (std::size_t i = 0; i < changes; ++i) { undo(); }
  TableSettings const table = state().settings.table;
  state().settings = now;
  state().settings.table = table;
  state().settings.keys = simulation().keys();
  settle();
  if (state().typed.active) { let_go_of_field(); }  // Enter is no text
  enter_steps(StepRequest{.operation = operation, .at_end = true}, false);
  steps.performed = std::move(performed);
  steps.next = std::move(next);
}

}  // namespace slotscape

#include "app/table_scene/answers.hpp"

#include "app/base/encoding.hpp"
#include "app/base/text.hpp"
#include "app/keys/file_keys.hpp"
#include "app/keys/key_words.hpp"
#include "app/keys/typed_keys.hpp"
#include "app/simulation/families.hpp"
#include "app/table_scene/sizes.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <utility>

namespace slotscape {
namespace {

/// For example " The whole table was rebuilt 2 times for that, with other hash functions."
std::string rebuilt_text(ActionReport const& report, bool is_one_of_several)
{
  std::string const which = is_one_of_several ? tr("Table {}", report.table + 1) : tr("The whole table");
  std::string const times = grouped(report.rebuilds);
  bool const is_cuckoo = family_info(report.settings.family).theory == TheoryOf::cuckoo;
  return " " + (is_cuckoo ? tr_plural("{} was rebuilt once in the process, with other hash functions.",
                                      "{} was rebuilt {} times in the process, with other hash functions.",
                                      report.rebuilds, which, times)
                          : tr_plural("{} was rebuilt once in the process.", "{} was rebuilt {} times in the process.",
                                      report.rebuilds, which, times));
}

}  // namespace

std::string hint_at(TableState const& state, Key key)
{
  std::vector<std::string> const& past = state.typed.past;
  return past.empty() ? std::string() : look_alike_hint(state.settings.keys, past.back(), key);
}

void TableAnswers::begin(TableSetup const& set_up)
{
  begins_ = !set_up.steps.empty();
  fills_ = std::ranges::any_of(set_up.steps, [](Action const& step) { return std::holds_alternative<FillTo>(step); });
  if (set_up.of_keys) {
    answer_ =
        tr("These are the live keys of the previous tables, reinserted: their slots and probe lengths may differ.");
  }
  if (answer_.empty()) { answer_ = how_they_differ(tables_.table_states()); }
  handed_over_ = set_up.handed_over;
}

void TableAnswers::restart()
{
  keys_move_ = false;
  keys_come_ = false;
  begins_ = false;
  refused_.clear();
}

void TableAnswers::tell()
{
  note_what_was_refused();
  tell_what_was_lost();
  tell_what_came();
}

void TableAnswers::forget()
{
  answer_.clear();
  keys_come_ = false;
}

void TableAnswers::await_moved_keys(bool keys_move, std::uint64_t too_wide)
{
  keys_move_ = keys_move;
  too_wide_ = too_wide;
}

void TableAnswers::say_cleared(std::uint64_t keys, bool are_kept)
{
  if (keys == 0) { return; }
  std::string const text = tr_plural("Cleared {} key.", "Cleared {} keys.", keys, grouped(keys));
  if (!are_kept) { return say_with_loss(text); }
  say(text + " " + tr_plural("Undo (Ctrl+Z) restores it.", "Undo (Ctrl+Z) restores them.", keys));
}

std::string TableAnswers::notice() const
{
  if (!answer_.empty()) { return answer_; }
  TableState const& shared = tables_.state();
  bool const moves = shared.settings.drive.running || shared.edits.load_dragged || shared.progress;
  std::string const advice = shared.notice.empty() || moves ? "" : advice_on_held_load(shared);
  return advice.empty() ? shared.notice : advice;
}

Findings TableAnswers::findings() const
{
  Findings findings = handed_over_.findings();
  add_findings(findings, key_findings(tables_.state().settings.keys));
  if (work_.is_busy()) { return findings; }  // frames do not wait for further findings
  KeySettings const* before = nullptr;
  for (KeySettings const& keys : work_.simulation().files()) {
    add_findings(findings, key_findings(keys));
    if (before != nullptr) {
      std::string why = why_not_comparable(*before, keys);
      if (why.empty()) { why = look_alikes_.hint(*before, keys); }
      if (!why.empty()) { add_findings(findings, {why}); }
    }
    before = &keys;
  }
  add_findings(findings, work_.simulation().findings());
  add_findings(findings, refused_);
  return findings;
}

void TableAnswers::note_report(ActionReport const& report)
{
  if (report.table == 0) {
    is_answer_ = asked_ && report.op == op_name(asked_->operation) && report.count == asked_->pairs->size();
    if (is_answer_) {
      OnKeys const answered = *std::exchange(asked_, std::nullopt);
      std::vector<Key> const refused = refused_keys(work_.simulation().engine(), answered, report.outcomes);
      answer_ = answer_to(answered, report.outcomes, refused, tables_.state().settings.view.keys_as);
      bool const in_vain = report.outcomes[Outcome::missing] == 1 && answered.pairs->size() == 1;
      std::string const hint = in_vain ? hint_at(tables_.state(), answered.pairs->front().key) : "";
      if (!hint.empty()) { answer_ += " " + hint; }
    }
  }
  if (is_answer_ && report.rebuilds != 0) { answer_ += rebuilt_text(report, tables_.table_states().size() > 1); }
}

/// Reports keys refused by the initial steps. Fills to a load report their own refusals.
void TableAnswers::note_what_was_refused()
{
  if (!begins_ || !work_.simulation().idle()) { return; }
  begins_ = false;
  std::vector<Key> const given = keys_given(work_.simulation().history());
  for (std::size_t i = 0; i < work_.simulation().tables(); ++i) {
    std::uint64_t const refused = work_.simulation().refused(i);
    if (refused == 0) { continue; }
    std::vector<Key> const named = absent_keys(work_.simulation().engine(i), given);
    bool const is_all = named.size() == refused;
    if (!is_all && fills_ && named.empty()) { continue; }
    std::string const text =
        refusal_text(is_all || !fills_ ? refused : named.size(), named, tables_.state().settings.view.keys_as);
    refused_.push_back(work_.simulation().tables() == 1 ? text : tr("Table {}: {}", i + 1, text));
  }
}

void TableAnswers::tell_what_came()
{
  if (!keys_come_ || !work_.simulation().idle()) { return; }
  keys_come_ = false;
  KeySettings const& keys = tables_.state().settings.keys;
  if (!keys.file_keys) { return; }
  Engine& engine = work_.simulation().engine(0);
  std::uint64_t const live = engine.counts().live;
  std::uint64_t const drawn = std::min<std::uint64_t>(engine.keys_drawn(), keys.file_keys->size());
  std::string const name = path_text(path_of_text(keys.file_name).filename());
  bool const all = drawn == keys.file_keys->size();
  std::string const which = all ? tr("all {} keys", grouped(drawn))
                                : tr("the first {} of {} keys", grouped(drawn), grouped(keys.file_keys->size()));
  std::uint64_t refused = 0;
  for (std::size_t i = 0; i < work_.simulation().tables(); ++i) {
    refused = std::max(refused, work_.simulation().refused(i));
  }
  if (refused != 0) {
    answer_ = with_loss(
        tr("Of {} of {}, {} did not fit: choose more slots, or another family.", which, name, grouped(refused)));
    return;
  }
  std::string const holds = live == drawn
                                ? tr("The table holds {} of {}.", which, name)
                                : tr("The table holds {} of {}; {} of them are distinct.", which, name, grouped(live));
  answer_ = with_loss(all ? holds : holds + " " + tr("For more, choose more slots or a higher load."));
}

void TableAnswers::tell_what_was_lost()
{
  if (!keys_move_ || !work_.simulation().idle()) { return; }
  keys_move_ = false;
  std::uint64_t const refused = work_.simulation().refused();
  if (refused + too_wide_ == 0) { return; }
  if (!answer_.empty()) { answer_ += " "; }
  answer_ += refused != 0 ? tr_plural("{} of the keys did not fit in this table.",
                                      "{} of the keys did not fit in this table.", refused, grouped(refused))
                          : tr_plural("{} of the keys are too wide for this table.",
                                      "{} of the keys are too wide for this table.", too_wide_, grouped(too_wide_));
  if (!is_lost_) { answer_ += std::string(" ") + tr("Undo (Ctrl+Z) restores them."); }
}

std::string TableAnswers::with_loss(std::string text) const
{
  if (!is_lost_) { return text; }
  return text + (text.empty() ? "" : " ") + tr("The previous state took more than 1 GiB, too much for undo.");
}

}  // namespace slotscape

#include "app/scenes/watch/reader.hpp"

#include "app/base/text.hpp"
#include "app/watch/description_json.hpp"
#include "app/watch/dump.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace slotscape {
namespace {

FirstLooked read_first(FirstLook const& look, Progress const& progress)
{
  constexpr double share_of_scan = 0.6;
  progress.begin(tr("Reading {}", look.name));
  FirstLooked looked;
  looked.described = look.described;
  looked.description = look.description;
  looked.hides_homes = look.hides_homes && !look.checks;
  looked.table = watch::make_watched_table(look.backend, look.name,
                                           shown_description(look.description, looked.hides_homes), look.arrays);
  progress.require();
  if (look.checks) {
    looked.check = looked.table->check(true);
    looked.hides_homes = looked.check->is_wrong();
    if (looked.hides_homes) { looked.table->look_at(shown_description(look.description, true), look.arrays); }
  }
  looked.table->watch_work(progress.part(0.0, share_of_scan));
  looked.table->analyse({}, {});
  looked.table->watch_work(progress.part(share_of_scan, 1.0));
  looked.facts = looked.table->all_key_facts();
  looked.table->watch_work({});
  return looked;
}

}  // namespace

watch::Description shown_description(watch::Description description, bool hides_homes)
{
  if (hides_homes) { description.home_of = watch::HomeOf::unknown; }
  return description;
}

ViewSettings with_words_of(watch::Description const& table, ViewSettings view)
{
  using watch::Meaning;
  view.keys_as = table.key.is_signed ? KeyStyle::with_sign : KeyStyle::numbers;
  ViewSettings const plain;
  WordName const fingerprint{translatable("Fingerprint"), translatable("fingerprint")};
  WordName const row{translatable("Row number"), translatable("row")};
  view.key_name = table.key.meaning == Meaning::fingerprint ? fingerprint : plain.key_name;
  bool const has_values = table.value && table.value->meaning != Meaning::nothing;
  view.values_as = has_values ? table.value->code() : NumberCode{};
  view.value_name = table.value && table.value->meaning == Meaning::row ? row : plain.value_name;
  return view;
}

ViewSettings without_words(ViewSettings view)
{
  ViewSettings const plain;
  view.key_name = plain.key_name;
  view.values_as = plain.values_as;
  view.value_name = plain.value_name;
  return view;
}

FirstLooked look_first(FirstLook const& look, Progress const& progress)
{
  if (!look.dump) { return read_first(look, progress); }
  progress.begin(tr("Opening {}", look.name));
  std::unique_ptr<watch::Source> source = watch::open_dump(*look.dump, progress);
  FirstLook opened = look;
  opened.described = source->description();
  opened.checks = look.checks || opened.described != look.described;
  std::string const& layout = look.dump->layout_name;
  opened.description = watch::read_description(opened.described, layout.empty() ? look.name : layout);
  opened.arrays.assign(source->arrays().begin(), source->arrays().end());
  FirstLooked looked = read_first(opened, progress);
  looked.source = std::move(source);
  return looked;
}

/// A running program's table is inspected immediately, because its memory may disappear. A file is read in the
/// background.
void WatchReader::look()
{
  try {
    bool const replaces = state_.is_live && !state_.settings.layout.empty();
    std::string const text = replaces ? state_.settings.layout.dump() : source_->description();
    if (source_->arrays().empty()) {
      return lose_table(source_->alive() ? tr("The program has not shown its memory yet.") : tr("The table is gone."));
    }
    if (text != described_ || state_.description.slots == 0) {
      std::string const& layout = state_.settings.layout_name;
      state_.description = watch::read_description(text, layout.empty() ? state_.name : layout);
    }
    bool const is_new = text != described_;
    described_ = text;
    state_.homes_hidden = state_.homes_hidden && !is_new;
    if (!state_.is_live) { return begin_look(is_new); }
    look_by(state_.description);
    state_.problem.clear();
    if (is_new) { check_description(true); }
  } catch (Error const& error) {
    described_.clear();
    lose_table(error.what());
  }
}

/// Throws Error at once if the description is impossible.
void WatchReader::begin_look(bool checks)
{
  work_.stop();
  table_.reset();
  state_.has_table = false;
  watch::validate(state_.description, source_->arrays());
  state_.problem.clear();
  std::span<watch::Array const> const arrays = source_->arrays();
  work_.start({.name = state_.name,
               .described = described_,
               .description = state_.description,
               .arrays = {arrays.begin(), arrays.end()},
               .backend = source_->backend(),
               .checks = checks,
               .hides_homes = state_.homes_hidden});
}

/// Opens the files of a dump and inspects their table. Until then, the view does not change.
void WatchReader::begin_opening(watch::Dump dump, bool checks)
{
  work_.stop();
  work_.start({.name = state_.name,
               .dump = std::move(dump),
               .described = described_,
               .checks = checks,
               .hides_homes = state_.homes_hidden});
}

void WatchReader::take_look(std::optional<double> max_wait)
{
  work_.wait(max_wait);
  auto outcome = work_.take();
  if (!outcome) { return; }
  try {
    if (outcome->error) { std::rethrow_exception(outcome->error); }
  } catch (Cancelled const&) {
    note_failure(tr("Reading {} was cancelled.", state_.name));
    if (!table_) { failed_at_ = std::numeric_limits<double>::infinity(); }
    return;
  } catch (Error const& error) {
    return note_failure(error.what());
  }
  FirstLooked looked = *std::move(outcome->result);
  table_ = std::move(looked.table);
  if (looked.source) { source_ = std::move(looked.source); }
  described_ = std::move(looked.described);
  state_.description = std::move(looked.description);
  state_.homes_hidden = looked.hides_homes;
  if (looked.check) { state_.check = std::move(*looked.check); }
  state_.manner = source_->manner();
  state_.problem.clear();
  show_table();
  numbers_.note(*table_, looked.facts);
}

/// A table that is still shown was loaded earlier and stays: its file may be incomplete because it is being written.
void WatchReader::note_failure(std::string why)
{
  failed_at_ = state_.table.now;
  if (table_) { return; }
  described_.clear();
  bool const needs_description = !state_.is_live && state_.settings.layout.empty();
  lose_table(needs_description ? why_unknown(state_.name, why) : std::move(why));
}

void WatchReader::look_by(watch::Description const& described)
{
  watch::Description const shown = shown_description(described, state_.homes_hidden);
  if (table_) {
    table_->look_at(shown, source_->arrays());
  } else {
    table_ = watch::make_watched_table(source_->backend(), state_.name, shown, source_->arrays());
  }
  show_table();
}

/// Shows a new table, or the same one by a new description.
void WatchReader::show_table()
{
  TableState& table = state_.table;
  table.settings.table = table_->table();
  table.foreign = &table_->family();
  watch::Part const& key = table_->description().key;
  table.foreign_facts.typed_key_bits = key.is_signed ? 64 : key.bits;
  table.settings.view = with_words_of(table_->description(), table.settings.view);
  table.foreign_facts.is_still = !state_.is_live;
  table.foreign_facts.hides_homes = state_.homes_hidden;
  state_.paused = false;
  state_.copied.reset();
  state_.has_table = true;
  picture_.forget();
  numbers_.restart();
}

void WatchReader::lose_table(std::string why)
{
  table_.reset();
  state_.has_table = false;
  state_.paused = false;
  state_.copied.reset();
  state_.table.foreign = nullptr;
  state_.table.inspected = {};
  state_.table.selection = {};
  state_.problem = std::move(why);
}

/// A description that finds hardly any key is considered wrong: everything that needs homes is hidden, and a sentence
/// explains why.
void WatchReader::check_description(bool searches)
{
  if (!table_) { return; }
  checked_at_ = state_.table.now;
  if (!state_.is_live) { return begin_look(true); }
  if (state_.homes_hidden) {
    state_.homes_hidden = false;
    look_by(state_.description);
  }
  state_.check = table_->check(searches);
  if (!state_.check.is_wrong()) { return; }
  state_.homes_hidden = true;
  look_by(state_.description);
}

}  // namespace slotscape

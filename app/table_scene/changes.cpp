#include "app/table_scene/changes.hpp"

#include "app/base/encoding.hpp"
#include "app/base/text.hpp"
#include "app/keys/file_keys.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/small_keys.hpp"
#include "app/table_scene/sizes.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slotscape {
namespace {

bool changes_tables(Action const& action)
{
  if (auto const* batch = std::get_if<BatchRequest>(&action)) { return batch->insert > 0.0 || batch->erase > 0.0; }
  if (auto const* one = std::get_if<OnKey>(&action)) { return one->operation != Operation::find; }
  if (auto const* several = std::get_if<OnKeys>(&action)) { return several->operation != Operation::find; }
  return true;
}

/// When an empty table becomes small, it gets readable keys; when it becomes larger, it loses them.
KeySettings keys_for_other_size(KeySettings const& keys, TableSettings const& table)
{
  if (!holds_small_keys(table)) { return without_small_keys(keys); }
  return keys.distribution == KeyDistribution::uniform ? small_keys(keys) : keys;
}

/// Describes an action: "insert Ada", "clear".
std::string described(Action const& action, KeyStyle style)
{
  auto const* one = std::get_if<OnKey>(&action);
  if (one != nullptr) { return fmt::format("{} {}", translated(op_name(one->operation)), key_text(one->key, style)); }
  auto const* several = std::get_if<OnKeys>(&action);
  bool const single = several != nullptr && several->pairs.size() == 1;
  if (single) {
    return fmt::format("{} {}", translated(op_name(several->operation)), key_text(several->pairs->front().key, style));
  }
  return describe(action);
}

/// Widens the tables to the width of the keys. Returns false if they are already wide enough. Throws Error if a family
/// does not support this width.
bool widen_for(KeySettings const& keys, std::vector<TableSettings>& tables)
{
  int const bits = key_bits_for(keys);
  if (std::ranges::all_of(tables, [&](TableSettings const& table) { return table.key_bits >= bits; })) { return false; }
  for (TableSettings& table : tables) {
    FamilyInfo const& family = family_info(table.family);
    if (!family.wide) {
      throw Error(tr("{}: its keys need 64 bits, and {} stores 32-bit keys only. Choose another family first.",
                     path_text(path_of_text(keys.file_name).filename()), family.title));
    }
    table.key_bits = bits;
  }
  return true;
}

}  // namespace

void TableChanges::open_keys(KeySettings const& keys)
{
  std::vector<TableSettings> tables = asked_of(tables_.table_states());
  widen_for(keys, tables);
  tables_.rest();
  opened_ = keys;
  ask_for_tables(std::move(tables));
}

void TableChanges::ask_for_tables(std::vector<TableSettings> tables)
{
  TableSettings const first = tables.front();
  ask_for_table(tables_.state(), first, tables.size() > 1 ? std::move(tables) : std::vector<TableSettings>());
}

/// Uses the keys, if necessary after replacing the tables by wide enough ones.
void TableChanges::use_keys(SetKeys const& set_keys)
{
  std::vector<TableSettings> tables = asked_of(tables_.table_states());
  if (!widen_for(set_keys.keys, tables)) { return work_.simulation().submit(set_keys); }
  ask_for_tables(std::move(tables));
  tables_.state().act(set_keys);
}

/// Shows signed numbers if this file has them, whatever earlier files had.
void TableChanges::show_sign_of(KeySettings const& keys)
{
  KeyStyle& style = tables_.state().settings.view.keys_as;
  bool const are_numbers = style == KeyStyle::numbers || style == KeyStyle::with_sign;
  if (are_numbers) { style = notes_of(keys).with_sign ? KeyStyle::with_sign : KeyStyle::numbers; }
}

/// Inserts the keys up to the load that is, or would be, held.
void TableChanges::insert_opened(KeySettings const& keys)
{
  tables_.state().settings.keys = keys;
  show_sign_of(keys);
  double load = tables_.state().settings.drive.target_load;
  for (std::size_t i = 0; i < work_.simulation().tables(); ++i) {
    TableSettings const& table = work_.simulation().engine(i).table();
    load = capped_to_safe_load(family_info(table.family), table, load);
  }
  work_.simulation().submit(FillTo{load});
  answers_.await_keys();
}

void TableChanges::act(Action const& action)
{
  bool const drops_much = std::holds_alternative<Clear>(action) || std::holds_alternative<Rehash>(action);
  if (auto const* rehash = std::get_if<Rehash>(&action); rehash != nullptr && rehash->slots != 0) {
    follow_size(tables_.state().settings.drive, tables_.state().settings.table.slots, rehash->slots);
  }
  bool are_kept = false;
  if (changes_tables(action)) {
    answers_.forget();  // the current message is about tables that are about to change
    are_kept = undo_.remember_tables(described(action, tables_.state().settings.view.keys_as),
                                     drops_much ? TableUndo::large_image : TableUndo::small_image);
  }
  if (std::holds_alternative<Clear>(action)) {
    answers_.say_cleared(work_.simulation().live(), are_kept);
    answers_.handed_over() = {};
  }
  if (std::holds_alternative<Rehash>(action)) { answers_.handed_over().of_tables.clear(); }
  if (auto const* set_keys = std::get_if<SetKeys>(&action)) {
    show_sign_of(set_keys->keys);
    return use_keys(*set_keys);
  }
  if (auto const* fill = std::get_if<FillTo>(&action)) { return work_.simulation().fill_instead(*fill); }
  work_.simulation().submit(action);
}

void TableChanges::replace(ReplaceTables const& wanted)
{
  std::optional<KeySettings> const opened = std::exchange(opened_, {});
  Recipe recipe;
  int key_bits = wanted.table.key_bits;
  for (TableSettings const& table : wanted.compared) { key_bits = std::min(key_bits, table.key_bits); }
  bool const same_keys = wanted.keeps_keys && !opened;
  if (same_keys) {
    recipe = work_.simulation().recipe_for_others(key_bits);
  } else {
    recipe.keys = opened.value_or(tables_.state().settings.keys);
  }
  TableSettings const before = tables_.state().settings.table;
  bool const is_empty = !same_keys || (work_.simulation().live() == 0 && work_.simulation().idle());
  if (is_empty && holds_small_keys(before) != holds_small_keys(wanted.table)) {
    recipe = {{}, keys_for_other_size(recipe.keys, wanted.table), {}};
  }
  check_keys_fit(recipe.keys, key_bits);
  std::shared_ptr<Simulation> fresh;
  try {
    fresh = tables_.make(wanted, recipe.keys);
  } catch (Error const&) {
    if (!undo_.make_room()) { throw; }
    fresh = tables_.make(wanted, recipe.keys);
  }
  undo_.remember_replaced();
  bool const as_before =
      wanted.asked.empty() && wanted.compared.empty() && wanted.table == tables_.table_states().front()->settings.table;
  follow_size(tables_.state().settings.drive, before.slots, wanted.table.slots);
  HandedOver& handed_over = answers_.handed_over();
  handed_over = {same_keys ? std::move(handed_over.of_keys) : Findings(), {}};
  undo_.use(std::move(fresh), as_before ? asked_of(tables_.table_states()) : wanted.asked);
  for (Action const& step : recipe.steps) { work_.simulation().submit(step, true); }
  if (opened) { insert_opened(*opened); }
  answers_.await_moved_keys(same_keys, recipe.dropped);
  answers_.say_with_loss(how_they_differ(tables_.table_states()));
  undo_.settle();
}

void TableChanges::restart()
{
  undo_.remember_tables(translatable("the restart"), TableUndo::large_image);
  tables_.forget_throughput();
  answers_.expect_no_keys();
  answers_.handed_over() = {};
  work_.simulation().restart();
}

void TableChanges::cancel()
{
  answers_.expect_no_keys();
  work_.simulation().cancel();
}

}  // namespace slotscape

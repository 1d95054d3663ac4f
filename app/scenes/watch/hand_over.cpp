#include "app/scenes/watch/scene.hpp"

#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/keys/file_keys.hpp"
#include "app/keys/key_text.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/random.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/tables/formula_hasher.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace slotscape {
namespace {

constexpr std::uint64_t max_keys_elsewhere = std::uint64_t{1} << 22;

/// The built-in family most similar to the table.
std::string family_like(watch::Description const& table)
{
  switch (table.probing.scheme) {
    case watch::Scheme::double_hashing:
    case watch::Scheme::perturbation: return "double_hashing";
    case watch::Scheme::quadratic:
    case watch::Scheme::squares: return "quadratic";
    case watch::Scheme::cuckoo: return "cuckoo";
    case watch::Scheme::chains: return "slab";
    default: return "linear_probing";
  }
}

/// 16-byte keys are represented by their hashes.
int width_here(watch::Description const& table)
{
  return std::min(table.key.bits, 64);
}

/// Pairs with keys of `width_here`. Signed 64-bit keys are passed on as shown.
std::vector<Pair> pairs_here(watch::WatchedTable& table, std::uint64_t most)
{
  std::vector<Pair> pairs = table.pairs(most);
  watch::Part const& key = table.description().key;
  if (!key.is_signed || key.bits != 32) { return pairs; }
  for (Pair& pair : pairs) { pair.key = static_cast<std::uint32_t>(signed_of_key(pair.key)); }
  return pairs;
}

/// Removes keys that built-in tables reserve, and reports it.
Findings without_reserved_keys(std::vector<Pair>& pairs, int key_bits, KeyStyle style)
{
  auto const first = std::ranges::find_if(pairs, [&](Pair const& pair) { return is_reserved(pair.key, key_bits); });
  if (first == pairs.end()) { return {}; }
  std::string const example = key_text(first->key, style);
  std::uint64_t const count = std::erase_if(pairs, [&](Pair const& pair) { return is_reserved(pair.key, key_bits); });
  std::string const which =
      tr_plural("{} key of your table is left out ({}).", "{} keys of your table are left out (such as {}).", count,
                grouped(count), example);
  int const reserved = key_bits == 64 ? 3 : 2;
  std::string const why = style == KeyStyle::with_sign
                              ? tr("Tables here reserve the {} lowest {}-bit numbers.", reserved, key_bits)
                              : tr("Tables here reserve the {} largest {}-bit numbers.", reserved, key_bits);
  return {which + " " + why};
}

/// Writes the keys to a file of 64-bit words, so that other scenes can read them after the table is gone.
std::filesystem::path key_file_of(std::vector<Pair> const& pairs)
{
  std::string words;
  for (Pair const& pair : pairs) { words.append(reinterpret_cast<char const*>(&pair.key), sizeof(pair.key)); }
  constexpr std::string_view ending = ".u64";
  std::string name = (std::filesystem::temp_directory_path() / "slotscape-keys-XXXXXX").string().append(ending);
  int const made = ::mkstemps(name.data(), ending.size());
  if (made < 0) { throw Error(tr("Could not write the keys to {}: {}.", name, std::strerror(errno))); }
  ::close(made);
  write_text_file(name, words);
  return name;
}

/// Values above the largest one that a built-in table can store are clamped to it.
SharedPairs allowed(std::vector<Pair> pairs, int key_bits)
{
  for (Pair& pair : pairs) { pair.value = std::min(pair.value, largest_value(key_bits)); }
  return std::make_shared<std::vector<Pair> const>(std::move(pairs));
}

template <class U>
bool has_homes_of(watch::Description const& table, HashChoice const& hash)
{
  constexpr std::uint64_t tried = 64;
  return with_hasher<U>(hash, table.slots, [&](auto const& hasher) {
    for (std::uint64_t i = 0; i < tried; ++i) {
      auto const key = static_cast<U>(random64(31, i));
      std::uint64_t const home = watch::place_of(table.hashes.front(), key, table.key.bits, table.slots);
      if (home != hasher.home(key)) { return false; }
    }
    return true;
  });
}

/// The compiled-in hashes, and the table's formulas with every reduction available for formulas.
std::vector<HashChoice> possible_hashes(watch::Description const& table)
{
  std::vector<HashChoice> choices(compiled_in_hashes.begin(), compiled_in_hashes.end());
  if (table.hashes.front().through != 0) { return choices; }
  for (HashFormula const& formula : table.formulas) {
    HashChoice choice(formula);
    if (table.hashes.front().reduction == watch::Reduction::mask) { choice.reduction = HashReduction::mask; }
    choices.push_back(choice);
  }
  return choices;
}

/// The built-in hash that gives keys the same home slots in a table of the same size.
std::optional<HashChoice> same_hash(watch::Description const& table)
{
  if (!table.knows_paths() || table.align() != 1 || table.key.bits > 64 || table.slots < min_slots) { return {}; }
  for (HashChoice const& hash : possible_hashes(table)) {
    bool const same =
        table.key.bits == 64 ? has_homes_of<std::uint64_t>(table, hash) : has_homes_of<std::uint32_t>(table, hash);
    if (same) { return hash; }
  }
  return {};
}

bool has_same_hash(watch::Description const& table, TableSettings const& here)
{
  return same_hash(table) && table.slots == here.slots;
}

/// How the program erases keys; nothing if the description does not say.
std::optional<Deletion> erases(watch::Description const& table)
{
  if (table.erased_key || table.control) { return Deletion::tombstone_reuse; }
  if (table.erased_value) { return Deletion::empty_value; }
  return {};
}

/// Whether lookups of these keys take clearly longer than those of keys with random homes.
bool crowds(HomeSpread const& homes)
{
  constexpr double clearly = 1.25;
  return homes.evenness() != Evenness::as_random && (homes.probing.hit > clearly * homes.random_probing.hit ||
                                                     homes.probing.miss > clearly * homes.random_probing.miss);
}

/// How the table differs from the built-in one that represents it.
std::vector<Unlike> unlike(watch::Description const& table, TableSettings const& here,
                           watch::WatchedTable::KeyFacts const& facts)
{
  std::vector<Unlike> list;
  FamilyInfo const& family = family_info(here.family);
  if (family.uses_hash && !has_same_hash(table, here)) {
    list.push_back(facts.homes && crowds(*facts.homes) ? Unlike::crowded_hash : Unlike::hash);
  }
  bool const has_scheme = table.probing.scheme != watch::Scheme::alternating && family_like(table) == here.family;
  if (!has_scheme || table.probing.scheme == watch::Scheme::unknown) { list.push_back(Unlike::probing); }
  std::optional<Deletion> const deletion = erases(table);
  if (deletion && family.deletes_two_ways && deletion != here.deletion) { list.push_back(Unlike::deletion); }
  return list;
}

/// A note if the built-in table cannot use this table's hash; otherwise empty.
std::string other_hash(watch::Description const& table, TableSettings const& here)
{
  std::string const hash = words_of(here.hash);
  if (table.key.is_signed && table.key.ordered_bits != 0) {
    return tr(
        "The tables here hash the keys with {}; your own hashes an encoding of the keys that preserves their order.",
        hash);
  }
  if (has_same_hash(table, here)) { return {}; }
  if (!table.knows_paths()) {
    return tr("The tables here hash the keys with {}; the hash of your own is not known.", hash);
  }
  return tr("The tables here hash the keys with {}, unlike your own: {} is not one of their hashes for {} slots.", hash,
            watch::text_of(table.hashes.front()), grouped(here.slots));
}

TableSetup keys_elsewhere(WatchState const& state, watch::WatchedTable& watched,
                          watch::WatchedTable::KeyFacts const& facts)
{
  TableSetup set_up;
  watch::Description const& table = state.description;
  TableSceneSettings& settings = set_up.settings;
  int const key_bits = width_here(table);
  std::vector<Pair> pairs = pairs_here(watched, max_keys_elsewhere + 1);
  if (pairs.size() > max_keys_elsewhere) {
    throw Error(tr("The table has more than {} keys, the limit for other scenes.", grouped(max_keys_elsewhere)));
  }
  if (table.key.is_signed && key_bits == 64) { settings.view.keys_as = KeyStyle::with_sign; }
  set_up.handed_over.of_keys = without_reserved_keys(pairs, key_bits, settings.view.keys_as);
  for (std::string& sentence : watch::words_explained(table)) {
    set_up.handed_over.of_keys.push_back(std::move(sentence));
  }
  if (pairs.empty()) { throw Error(tr("The table has no keys that another scene could take over.")); }
  settings.table.key_bits = key_bits;
  settings.table.family = family_like(table);
  FamilyInfo const& family = family_info(settings.table.family);
  if (!family.wide) { settings.table.family = "linear_probing"; }
  settings.table.slots =
      suitable_slots(family_info(settings.table.family).slot_counts, std::max(table.slots, min_slots));
  watch::Description const known = shown_description(table, state.homes_hidden);
  if (auto const hash = same_hash(known)) { settings.table.hash = *hash; }
  if (erases(known) == Deletion::tombstone_reuse && family_info(settings.table.family).deletes_two_ways) {
    settings.table.deletion = Deletion::tombstone_reuse;
  }
  settings.drive.target_load =
      static_cast<double>(pairs.size()) / static_cast<double>(std::max<std::uint64_t>(settings.table.slots, 1));
  settings.drive.hold_load = false;
  set_up.handed_over.unlike = unlike(known, settings.table, facts);
  std::string const hash = other_hash(known, settings.table);
  if (!hash.empty()) { set_up.handed_over.of_tables.push_back(hash); }
  OnKeys insert{Operation::insert, allowed(std::move(pairs), key_bits)};
  set_up.steps = {std::move(insert)};
  set_up.whole_batches = true;
  return set_up;
}

}  // namespace

/// The set-up that the compare and tune scenes take over when shown next.
SceneSetup WatchScene::set_up_for_others() const
{
  if (handed_over_ && handed_over_->of_table == reader_.opened()) { return handed_over_->set_up; }
  if (reader_.table() == nullptr) { return {}; }
  try {
    return keys_elsewhere(state_, *reader_.table(), numbers_.facts());
  } catch (Error const&) {
    return {};
  }
}

void WatchScene::show_keys_in(std::string_view scene)
{
  if (reader_.table() == nullptr) { return; }
  TableSetup set_up = keys_elsewhere(state_, *reader_.table(), numbers_.facts());
  if (scene == "compare") {
    CompareSetup compared;
    compared.shared = std::move(set_up);
    TableSettings const own = compared.shared.settings.table;
    TableSettings other = own;
    other.family = "segmented_cuckoo";
    other.parameters.clear();
    other.slots = suitable_slots(family_info(other.family).slot_counts, own.slots);
    compared.tables = {own, other};
    return show_scene({"compare", std::move(compared)});
  }
  auto const& pairs = *std::get<OnKeys>(set_up.steps.front()).pairs;
  bool const with_sign = set_up.settings.view.keys_as == KeyStyle::with_sign;
  set_up.settings.keys = with_temporary_key_file(key_file_of(pairs), with_sign, set_up.handed_over.findings());
  set_up.hands_over_keys = true;
  handed_over_ = HandedOverKeys{reader_.opened(), std::move(set_up)};
  show_scene({scene, {}});
}

}  // namespace slotscape

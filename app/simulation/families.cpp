#include "app/simulation/families.hpp"

#include "app/base/text.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/tables/shards.hpp"
#include "gpu/tables/slot_counts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace slotscape {
namespace {

std::string at_once(Guarantees const& guarantees)
{
  switch (guarantees.concurrency) {
    case Concurrency::mixed: return tr("Inserts, finds and erases can all run concurrently.");
    case Concurrency::erases_apart:
      return tr("Inserts and finds can run concurrently; erases need a phase of their own.");
    case Concurrency::erases_alone:
      return tr(
          "Inserts, finds and erases run in separate phases. Erases take effect one after another; a batch closes "
          "the gaps of different clusters in parallel.");
    case Concurrency::phased: break;
  }
  return tr("Inserts, finds and erases run in separate phases, each in parallel.");
}

std::string load_text(double load)
{
  return fmt::format("α {:.3g}", load);
}

std::string safe_load(Guarantees const& guarantees)
{
  if (guarantees.safe_load >= guarantees.max_load) { return tr("Random keys fit until every slot is taken."); }
  return tr("Up to {}, random keys fit.", load_text(guarantees.safe_load));
}

std::string beyond(Guarantees const& guarantees)
{
  bool const any = guarantees.safe_load >= guarantees.max_load;
  if (guarantees.overflow == OverflowPolicy::report_full) {
    return any ? tr("Beyond that, an insert returns ‘full’.")
               : tr("Beyond that, an insert that finds no slot returns ‘full’.");
  }
  return any ? tr("Beyond that, an insert rebuilds the table with other hashes; if that fails, it returns ‘full’.")
             : tr("Beyond that, an insert that finds no slot rebuilds the table with other hashes; if that fails, it "
                  "returns ‘full’.");
}

std::string_view erasing(Guarantees const& guarantees)
{
  if (guarantees.erase_frees_slot) { return tr("Any key can reuse the slot of an erased key."); }
  if (guarantees.erase_frees_bucket) { return tr("Keys of the same bucket can reuse the slot of an erased key."); }
  return tr("The slot of an erased key is not reused until the table is purged or rehashed.");
}

}  // namespace

void set_parameter(TableSettings& table, Parameter const& parameter, std::uint32_t value)
{
  std::string const name(parameter.name);
  if (value == parameter.fallback) {
    table.parameters.erase(name);
  } else {
    table.parameters[name] = value;
  }
}

std::string parameter_text(Parameter const& parameter, std::uint32_t value)
{
  constexpr std::string_view percent = ", %";
  std::string const title = uncapitalised(parameter.title);
  std::string const said = in_sentence(translated(parameter.title));
  if (!parameter.choice_names.empty()) {
    auto const place = std::ranges::find(parameter.choices, value) - parameter.choices.begin();
    return fmt::format("{}: {}", said, translated(parameter.choice_names[static_cast<std::size_t>(place)]));
  }
  if (said.ends_with(percent)) {
    return fmt::format("{} {} %", std::string_view(said).substr(0, said.size() - percent.size()), value);
  }
  bool const has_symbol = title.size() > 2 && title[title.size() - 2] == ' ';
  if (has_symbol) { return fmt::format("{} = {}", said, value); }
  bool const counts_things = title.substr(0, title.find(' ')).ends_with('s') || title.ends_with('s');
  return counts_things ? fmt::format("{} {}", grouped(value), said) : fmt::format("{} {}", said, value);
}

TableSettings with_family(TableSettings table, FamilyInfo const& family)
{
  table.family = family.name;
  table.parameters.clear();
  table.slots = suitable_slots(family.slot_counts, table.slots, table.shards);
  if (!family.wide) { table.key_bits = 32; }
  if (!family.keys_alone) { table.keys_only = false; }
  fit_deletion(table, family);
  return table;
}

std::vector<Deletion> ways_to_erase(FamilyInfo const& family, TableSettings const& table)
{
  std::vector<Deletion> ways;
  if (table.keys_only) { return ways; }
  if (family.deletes_two_ways) {
    ways = {Deletion::empty_value, Deletion::tombstone_reuse};
  } else if (family.shifts_back) {
    ways = {table.deletion == Deletion::empty_value ? Deletion::empty_value : Deletion::tombstone_reuse};
  }
  if (family.shifts_back) { ways.push_back(Deletion::shift); }
  return ways;
}

bool can_erase_by(FamilyInfo const& family, Deletion deletion)
{
  return deletion != Deletion::shift || family.shifts_back;
}

void fit_deletion(TableSettings& table, FamilyInfo const& family)
{
  bool const leaves = table.keys_only || !family.shifts_back;
  if (leaves && table.deletion == Deletion::shift) { table.deletion = Deletion::tombstone_reuse; }
}

std::vector<TableSettings> fitted(std::vector<TableSettings> asked)
{
  int key_bits = std::numeric_limits<int>::max();
  for (TableSettings& table : asked) {
    FamilyInfo const& family = family_info(table.family);
    table.slots = suitable_slots(slot_counts_of(family, table), table.slots, table.shards);
    key_bits = std::min(key_bits, family.wide ? table.key_bits : 32);
    table.keys_only = table.keys_only && family.keys_alone;
    fit_deletion(table, family);
  }
  for (TableSettings& table : asked) { table.key_bits = key_bits; }
  return asked;
}

void set_values(TableSettings& table, bool has_values)
{
  table.keys_only = !has_values;
  if (has_values) { return; }
  table.deletion = Deletion::tombstone_reuse;
  table.combine = Combine::replace;
}

std::string families_with_sets()
{
  std::vector<std::string> names = family_names();
  std::erase_if(names, [](std::string const& name) { return !family_info(name).keys_alone; });
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string_view kind_of(SlotCounts counts)
{
  switch (counts) {
    case SlotCounts::any: return translatable("a whole number");
    case SlotCounts::power_of_two: return translatable("a power of two");
    case SlotCounts::power_of_two_or_prime: break;
  }
  return translatable("a power of two or a prime number");
}

std::optional<std::uint64_t> parse_slots(std::string_view text)
{
  std::string digits(text.substr(0, text.find('=')));
  // In some languages, `grouped` writes no-break spaces.
  for (std::size_t at = 0; (at = digits.find("\u00a0", at)) != std::string::npos;) { digits.erase(at, 2); }
  std::erase_if(digits, [](char letter) { return letter == ',' || letter == ' '; });
  if (!digits.starts_with("2^")) { return parse_number<std::uint64_t>(digits); }
  auto const power = parse_number<std::uint32_t>(std::string_view(digits).substr(2));
  return power && *power < 64 ? std::optional(std::uint64_t{1} << *power) : std::nullopt;
}

std::string allowed_slot_counts(SlotCounts counts, std::uint64_t wanted, std::uint32_t shards)
{
  std::string const times = shards == 1 || counts == SlotCounts::any ? "" : fmt::format("{} times ", shards);
  std::string text = fmt::format("{}{} from {} to {}", times, kind_of(counts), min_slots * shards, max_slots);
  if (counts == SlotCounts::any) { return text; }
  return fmt::format("{}, for example {}", text, nearest_slots_text(counts, wanted, shards));
}

std::string translated_slot_counts(SlotCounts counts, std::uint64_t wanted, std::uint32_t shards)
{
  std::uint64_t const low = min_slots * shards;
  std::string const kind = translated(kind_of(counts));
  if (counts == SlotCounts::any) { return tr("{} from {} to {}", kind, low, max_slots); }
  std::string const near = nearest_slots_text(counts, wanted, shards);
  return shards == 1 ? tr("{} from {} to {}, for example {}", kind, low, max_slots, near)
                     : tr("{} times {} from {} to {}, for example {}", shards, kind, low, max_slots, near);
}

std::optional<ParameterChoice> choice_for_any_slots(FamilyInfo const& family, TableSettings const& table)
{
  if (slot_counts_of(family, table) == SlotCounts::any) { return std::nullopt; }
  for (Parameter const& parameter : family.parameters) {
    for (std::size_t i = 0; i < parameter.choices.size(); ++i) {
      TableSettings other = table;
      other.parameters[std::string(parameter.name)] = parameter.choices[i];
      if (slot_counts_of(family, other) == SlotCounts::any) { return ParameterChoice{&parameter, i}; }
    }
  }
  return std::nullopt;
}

std::uint64_t suitable_slots(SlotCounts counts, std::uint64_t wanted, std::uint32_t shards)
{
  if (wanted < min_slots || wanted > max_slots) { return wanted; }
  return std::ranges::max(nearest_slots(counts, wanted, shards));
}

std::string slots_text(std::uint64_t slots)
{
  std::string const number = grouped(slots);
  return std::has_single_bit(slots) ? fmt::format("2^{} = {}", std::bit_width(slots) - 1, number) : number;
}

std::uint64_t bytes_of_pairs(TableSettings const& table, std::uint64_t slots)
{
  return slots * (table.keys_only ? 1 : 2) * static_cast<std::uint64_t>(table.key_bits) / 8;
}

std::vector<GuaranteeText> guarantee_texts(Guarantees const& guarantees)
{
  std::vector<GuaranteeText> texts{{translatable("Parallel"), at_once(guarantees)}};
  if (guarantees.is_static) {
    texts.push_back({translatable("Static"), tr("Inserting new keys rebuilds the whole table.")});
  }
  texts.push_back({translatable("Erasing"), std::string(erasing(guarantees))});
  texts.push_back({translatable("Order"), guarantees.ordered ? tr("Iteration is in ascending order of keys.")
                                                             : tr("The order of iteration is arbitrary.")});
  texts.push_back({translatable("Load"), safe_load(guarantees) + " " + beyond(guarantees)});
  return texts;
}

std::string safe_load_warning(Guarantees const& guarantees, double load)
{
  constexpr double rounding = 1e-9;
  if (load <= guarantees.safe_load + rounding) { return {}; }
  std::string const safe = load_text(guarantees.safe_load);
  return guarantees.overflow == OverflowPolicy::report_full
             ? tr("Above the safe {}: inserts may return ‘full’.", safe)
             : tr("Above the safe {}: the table may be rebuilt often, or fill up.", safe);
}

double capped_to_safe_load(FamilyInfo const& family, TableSettings const& table, double load)
{
  return std::min(load, guarantees_of(family, table).safe_load);
}

}  // namespace slotscape

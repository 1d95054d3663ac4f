#include "gpu/watch/check.hpp"

#include "gpu/base/translation.hpp"
#include "gpu/watch/passes.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

namespace slotscape::watch {
namespace {

constexpr std::size_t max_better = 3;

/// Kinds of probing that existing tables use.
std::vector<Probing> shapes(Description const& table)
{
  std::vector<Probing> all;
  auto const add = [&](Probing const& probing) {
    if (std::ranges::find(all, probing) == all.end()) { all.push_back(probing); }
  };
  if (table.probing.scheme != Scheme::unknown) { add(table.probing); }
  add({.scheme = Scheme::linear});
  add({.scheme = Scheme::double_hashing});
  add({.scheme = Scheme::quadratic});
  add({.scheme = Scheme::squares});
  add({.scheme = Scheme::downward});
  if (std::has_single_bit(table.slots)) { add({.scheme = Scheme::perturbation}); }
  for (std::uint64_t const window : {2u, 4u, 8u, 16u, 32u}) {
    if (table.slots % window != 0 || table.slots <= 2 * window) { continue; }
    add({.scheme = Scheme::linear, .window = window});
    add({.scheme = Scheme::linear, .window = window, .align = 1});
    add({.scheme = Scheme::double_hashing, .window = window});
    add({.scheme = Scheme::double_hashing, .window = window, .align = 1});
  }
  return all;
}

constexpr std::array functions{
    HashFunction::murmur3_finaliser, HashFunction::xxhash_32,        HashFunction::identity,
    HashFunction::murmur3_32,        HashFunction::xxhash_64,        HashFunction::murmur3_128,
    HashFunction::fibonacci,         HashFunction::xxhash_avalanche, HashFunction::murmur3_finaliser32,
    HashFunction::splitmix64};

std::vector<Reduction> reductions(std::uint64_t places)
{
  if (std::has_single_bit(places)) { return {Reduction::mask, Reduction::multiply_shift}; }
  return {Reduction::modulo, Reduction::multiply_shift, Reduction::multiply_shift_32};
}

/// For signed keys: a remainder that is never negative, as in Python. Adds a multiple of `places` that is at least as
/// large as the absolute value of the lowest key. Returns nullopt where this equals the plain remainder.
std::optional<Hash> remainder_with_sign(Part const& key, std::uint64_t places)
{
  bool const has_sign = key.is_signed && key.ordered_bits == 0 && key.bits <= 64;
  if (!has_sign || std::has_single_bit(places)) { return {}; }
  std::uint64_t const lowest = std::uint64_t{1} << (key.bits - 1);
  std::uint64_t const multiple = (lowest + places - 1) / places * places;
  return Hash{.function = HashFunction::identity, .reduction = Reduction::modulo, .add = multiple};
}

Description with(Description table, Probing const& probing, Hash const& hash)
{
  table.preset.clear();
  table.probing = probing;
  table.home_of = HomeOf::hash;
  table.hashes = {hash};
  if (probing.scheme == Scheme::double_hashing) {
    Hash second = hash;
    second.seed = hash.seed + 1;
    second.reduction = Reduction::modulo;
    table.hashes.push_back(second);
  }
  return table;
}

void add_presets(std::vector<Description>& all, Description const& table)
{
  for (Preset const& preset : presets()) {
    PresetSettings settings{.key_bits = table.key.bits, .slots = table.slots};
    Description found = preset.make(settings);
    std::uint64_t const window = found.probing.window;
    if (found.links || table.slots % window != 0 || table.slots / window < 2) { continue; }
    Description tried = table;
    tried.preset = preset.name;
    tried.home_of = found.home_of;
    tried.hashes = found.hashes;
    tried.probing = found.probing;
    bool const masks =
        std::ranges::any_of(tried.hashes, [](Hash const& hash) { return hash.reduction == Reduction::mask; });
    if (tried.has_undefined_hash() || (masks && !std::has_single_bit(table.slots / tried.align()))) { continue; }
    all.push_back(std::move(tried));
  }
}

/// Whether two hashes agree on these keys and slots, such as a mask and a remainder by a power of two.
bool same_places(Description const& one, Description const& other)
{
  constexpr std::uint64_t tried = 64;
  for (std::uint64_t i = 0; i < tried; ++i) {
    AnyKey const key = key_drawn(random64(29, i), one.key.bits);
    auto const home = [&](Description const& table) {
      return place_of(table.hashes.front(), key, table.key.bits, table.slots);
    };
    if (home(one) != home(other)) { return false; }
  }
  return true;
}

/// Whether a lookup by `other` first reads the home described by `table`, which probes linearly, with some neighbours.
bool reads_around_home(Description const& other, Description const& table)
{
  constexpr std::uint64_t tried = 64;
  bool const is_wider = other.probing.window > table.probing.window;
  if (table.home_of != HomeOf::hash || table.probing.scheme != Scheme::linear || !is_wider) { return false; }
  for (std::uint64_t i = 0; i < tried; ++i) {
    AnyKey const key = key_drawn(random64(29, i), table.key.bits);
    auto const home = [&](Description const& by) {
      return place_of(by.hashes.front(), key, table.key.bits, table.slots / by.align()) * by.align();
    };
    bool const is_around = home(other) <= home(table) && home(table) < home(other) + other.probing.window;
    if (!is_around) { return false; }
  }
  return true;
}

/// For each description, whether it differs from `table` only by wider windows, which find keys after the holes of a
/// damaged table as well. For buckets that begin before the home, only keys between them and the home count.
std::vector<bool> only_wider(Description const& table, std::span<Description const> tried,
                             std::span<std::uint64_t const> found)
{
  std::map<std::uint64_t, std::uint64_t> by_window;  // keys found from the described homes
  std::vector<bool> around(tried.size());
  for (std::size_t i = 0; i < tried.size(); ++i) {
    around[i] = reads_around_home(tried[i], table);
    bool const is_same_home = around[i] && tried[i].align() <= table.align();
    if (!is_same_home) { continue; }
    std::uint64_t& most = by_window[tried[i].probing.window];
    most = std::max(most, found[i]);
  }
  for (std::size_t i = 0; i < tried.size(); ++i) {
    around[i] = around[i] && found[i] <= by_window[tried[i].probing.window];
  }
  return around;
}

std::string counted(std::uint64_t number)
{
  std::string text = std::to_string(number);
  for (std::size_t place = text.size(); place > 3; place -= 3) { text.insert(place - 3, ","); }
  return text;
}

}  // namespace

std::vector<Description> alternatives(Description const& table)
{
  std::vector<Description> all;
  bool const is_known_for_sure = !table.family.empty();
  if (table.links || table.buckets || is_known_for_sure) { return all; }
  add_presets(all, table);
  std::vector<std::uint64_t> seeds{0};
  for (Hash const& hash : table.hashes) {
    if (hash.seed != 0 && seeds.size() < 2) { seeds.push_back(hash.seed); }
  }
  for (Probing const& probing : shapes(table)) {
    if (probing.scheme == Scheme::cuckoo || probing.scheme == Scheme::chains) { continue; }
    std::uint64_t const align = probing.align == 0 ? probing.window : probing.align;
    if (auto const hash = remainder_with_sign(table.key, table.slots / align)) {
      all.push_back(with(table, probing, *hash));
    }
    for (HashFunction const function : functions) {
      if (!is_defined(function, table.key.bits)) { continue; }
      for (Reduction const reduction : reductions(table.slots / align)) {
        for (std::uint64_t const seed : seeds) {
          all.push_back(with(table, probing, {.function = function, .reduction = reduction, .seed = seed}));
        }
      }
    }
  }
  return all;
}

namespace {

/// Masks for the bits that a hash may wrongly drop or keep, for this number of places.
std::vector<std::uint64_t> masks(std::uint64_t places)
{
  int const bits = std::bit_width(places - 1);
  std::vector<std::uint64_t> all;
  auto const low = [](int count) { return (std::uint64_t{1} << count) - 1; };
  for (int kept = bits - 1; kept >= std::max(bits / 2, 1); --kept) { all.push_back(low(kept)); }
  if (!std::has_single_bit(places)) {
    all.push_back(places - 1);   // as if the number were a power of two
    all.push_back(0xffffffffu);  // a 64-bit hash in a 32-bit variable
    return all;
  }
  constexpr int max_dropped = 6;
  for (int dropped = 1; dropped <= std::min(max_dropped, bits - 2); ++dropped) { all.push_back(~low(dropped)); }
  for (int missing = 1; missing < bits - 1; ++missing) { all.push_back(low(bits) & ~(std::uint64_t{1} << missing)); }
  return all;
}

/// Variants of the hash that use fewer or different bits.
std::vector<Hash> lossy_hashes(Hash const& hash, int key_bits, std::uint64_t places)
{
  constexpr std::uint8_t half = 32;
  constexpr int least_left = 4;  // bits
  std::vector<Hash> all;
  std::vector<std::uint64_t> const kept = masks(places);
  auto const add = [&](Hash changed) {
    if (changed != hash) { all.push_back(changed); }
  };
  for (Words const words : {Words::all, Words::low, Words::low_extended, Words::high, Words::swapped}) {
    if (words != Words::all && key_bits != 64) { continue; }
    Hash changed = hash;
    changed.words = words;
    add(changed);
    bool const is_long = hash_bits(changed.function, hashed_bits(changed, key_bits)) == 64;
    for (std::uint64_t const mask : kept) {
      changed.mask = mask;
      changed.shift = 0;
      add(changed);
      changed.shift = half;
      if (is_long && words == Words::all) { add(changed); }
    }
  }
  Hash shifted = hash;
  for (int shift = 1; shift <= hash_bits(hash.function, key_bits) - least_left; ++shift) {
    shifted.shift = static_cast<std::uint8_t>(shift);
    add(shifted);
  }
  return all;
}

}  // namespace

std::vector<Description> lossy_alternatives(Description const& table)
{
  std::vector<Description> all;
  if (table.links || table.buckets || !table.family.empty()) { return all; }
  std::vector<Probing> shapes{{.scheme = Scheme::linear}};
  Scheme const scheme = table.probing.scheme;
  bool const is_other = table.probing != shapes.front() && table.probing.reach == 0 &&
                        (scheme == Scheme::linear || scheme == Scheme::quadratic || scheme == Scheme::alternating);
  if (is_other) { shapes.insert(shapes.begin(), table.probing); }
  for (Probing const& probing : shapes) {
    std::uint64_t const places = table.slots / (probing.align == 0 ? probing.window : probing.align);
    if (places < 4) { continue; }
    Reduction const reduction = std::has_single_bit(places) ? Reduction::mask : Reduction::modulo;
    std::vector<Hash> hashes;
    bool const is_described = table.home_of == HomeOf::hash && !table.has_undefined_hash();
    if (is_described) { hashes.push_back(table.hashes.front()); }
    for (HashFunction const function : functions) {
      if (is_defined(function, table.key.bits)) { hashes.push_back({.function = function, .reduction = reduction}); }
    }
    for (Hash const& hash : hashes) {
      for (Hash const& lossy : lossy_hashes(hash, table.key.bits, places)) {
        all.push_back(with(table, probing, lossy));
      }
    }
  }
  return all;
}

std::vector<Description> smaller_alternatives(Description const& table)
{
  std::vector<Description> all;
  Probing const& probing = table.probing;
  bool const depends_on_size = probing.modulo != 0 || probing.lengths != 0 ||
                               std::ranges::any_of(table.hashes, [](Hash const& hash) { return hash.through != 0; });
  if (!table.knows_paths() || table.links || table.buckets || depends_on_size) { return all; }
  for (std::uint64_t const part : {2u, 4u}) {
    std::uint64_t const slots = table.slots / part;
    bool const is_whole = table.slots % part == 0 && slots % probing.window == 0 && slots % table.align() == 0;
    if (!is_whole || slots < 2 * probing.window) { break; }
    all.push_back(table);
    all.back().slots = slots;
  }
  return all;
}

std::vector<Check::Better> better_ones(Check const& check, Description const& table, std::span<Description const> tried,
                                       std::span<std::uint64_t const> found)
{
  std::vector<Check::Better> better;
  std::vector<bool> const are_wider = only_wider(table, tried, found);
  for (std::size_t i = 0; i < tried.size(); ++i) {
    // If lookups are so long that they are given up, other paths through the table also meet most keys.
    bool const is_chance = check.was_checked && check.failed() == 0 && tried[i].probing.scheme != table.probing.scheme;
    if (are_wider[i] || is_chance) { continue; }
    bool const is_whole = found[i] == check.sampled && found[i] > check.found;
    bool const clearly = 2 * found[i] > check.sampled && found[i] > check.found + check.sampled / 20;
    if (is_whole || clearly) { better.push_back({.description = tried[i], .found = found[i]}); }
  }
  std::ranges::stable_sort(better, std::greater{}, &Check::Better::found);
  // Wider windows also find what narrow ones find: among descriptions that find equally many keys, keep the simplest.
  std::vector<Check::Better> told;
  for (Check::Better& each : better) {
    auto const same = [&](Check::Better const& other) { return same_places(other.description, each.description); };
    if (told.size() < max_better && std::ranges::none_of(told, same)) { told.push_back(std::move(each)); }
  }
  return told;
}

std::string text_of(Check::Growth const& growth, std::uint64_t slots)
{
  bool const is_double = slots == 2 * growth.slots;
  return is_double
             ? tr("The table doubled, but its keys are still placed as if it had half the slots ({}).",
                  counted(growth.slots))
             : tr("The table grew fourfold, but its keys are still placed as if it had a quarter of the slots ({}).",
                  counted(growth.slots));
}

std::string text_of(Check const& check)
{
  if (check.sampled == 0) { return {}; }
  std::string text;
  if (check.is_nearly_right() && check.better.empty()) { return {}; }
  if (check.growth) {
    return tr("Of {} sampled keys, this description finds {}, and {} are found with {} slots.", counted(check.sampled),
              counted(check.found), counted(check.growth->found), counted(check.growth->slots));
  }
  if (check.is_undecided()) {
    text =
        tr("Of {} sampled keys, this description finds {} and does not find {}; lookups of {} were given up after {} "
           "accesses. It is unclear whether the hash is right.",
           counted(check.sampled), counted(check.found), counted(check.failed()), counted(check.not_followed),
           counted(check.followed));
  } else if (check.was_checked) {
    std::string const given_up = check.not_followed == 0 ? ""
                                                         : tr("; lookups of {} were given up after {} accesses",
                                                              counted(check.not_followed), counted(check.followed));
    bool const is_doubtful = !check.finds_half() || !check.better.empty();
    text = is_doubtful ? tr("Of {} sampled keys, this description finds {}{}. Is the hash right?",
                            counted(check.sampled), counted(check.found), given_up)
                       : tr("Of {} sampled keys, this description finds {}{}.", counted(check.sampled),
                            counted(check.found), given_up);
  } else if (!check.better.empty()) {
    text = tr("The description does not say where keys belong, so {} keys were looked up in other ways.",
              counted(check.sampled));
  }
  for (Check::Better const& better : check.better) {
    std::string const preset =
        better.description.preset.empty() ? std::string() : tr("The preset '{}': ", better.description.preset);
    std::string what = text_of(better.description);
    if (preset.empty() && !what.empty()) { what.front() = static_cast<char>(std::toupper(what.front())); }
    text += ' ' + tr("{}{} finds {}.", preset, what, counted(better.found));
  }
  if (check.was_checked && check.better.empty() && check.is_wrong()) {
    text += ' ';
    text += tr("None of the hashes and probing schemes known here does better.");
  }
  return text;
}

}  // namespace slotscape::watch

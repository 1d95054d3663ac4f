#include "gpu/watch/check.hpp"

#include "gpu/base/translation.hpp"
#include "gpu/watch/passes.hpp"

#include <algorithm>
#include <bit>

namespace slotscape::watch {
namespace {

constexpr std::size_t max_better = 3;

/// Kinds of probing that tables are built with.
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

/// Whether two hashes are the same on these keys and slots, such as a mask and a remainder by a power of two.
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

std::string counted(std::uint64_t number)
{
  std::string text = std::to_string(number);
  if (text.size() > 3) { text.insert(text.size() - 3, ","); }
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

std::vector<Check::Better> better_ones(Check const& check, std::span<Description const> tried,
                                       std::span<std::uint64_t const> found)
{
  std::vector<Check::Better> better;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    bool const is_whole = found[i] == check.sampled && found[i] > check.found;
    bool const clearly = 2 * found[i] > check.sampled && found[i] > check.found + check.sampled / 20;
    if (is_whole || clearly) { better.push_back({tried[i], found[i]}); }
  }
  std::ranges::stable_sort(better, std::greater{}, &Check::Better::found);
  // Wider windows find what narrow ones find, too: of those that find as many, the plainest is meant.
  std::vector<Check::Better> told;
  for (Check::Better& each : better) {
    auto const same = [&](Check::Better const& other) { return same_places(other.description, each.description); };
    if (told.size() < max_better && std::ranges::none_of(told, same)) { told.push_back(std::move(each)); }
  }
  return told;
}

std::string text_of(Check const& check)
{
  if (check.sampled == 0) { return {}; }
  std::string text;
  if (check.is_nearly_right() && check.better.empty()) { return {}; }
  if (check.was_checked) {
    std::string const given_up = check.not_followed == 0 ? ""
                                                         : tr(", and lookups of {} were given up after {} accesses",
                                                              counted(check.not_followed), counted(check.followed));
    text = tr("Of {} keys sampled, {} are where this description finds them{}: is the hash right?",
              counted(check.sampled), counted(check.found), given_up);
  } else if (!check.better.empty()) {
    text = tr("The description does not say where keys belong, so {} of them were looked up in other ways.",
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
    text += tr("None of the hashes and kinds of probing that are known here does better.");
  }
  return text;
}

}  // namespace slotscape::watch

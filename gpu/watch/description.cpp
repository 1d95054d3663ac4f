#include "gpu/watch/description.hpp"

#include "gpu/base/error.hpp"
#include "gpu/base/pair_format.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/tables/validation.hpp"
#include "gpu/watch/table_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <iterator>
#include <numeric>

namespace slotscape::watch {
namespace {

[[noreturn]] void refuse(std::string why)
{
  auto const is_control = [](unsigned char byte) { return byte < 0x20 || byte == 0x7f; };
  std::ranges::replace_if(why, is_control, '?');  // names come from other programs
  throw Error(tr("The description of the table is wrong: {}", why));
}

std::string names_of(std::span<Array const> arrays)
{
  std::string names;
  for (Array const& array : arrays) {
    if (!names.empty()) { names += ", "; }
    names += tr("'{}' ({} bytes)", array.name, array.bytes);
  }
  return names.empty() ? std::string(tr_in("arrays", "none")) : names;
}

/// The number of bytes from the start of the array to the end of the last slot's part. May exceed the array.
Uint128 end_of(Part const& part, std::uint64_t slots, std::optional<Buckets> const& buckets)
{
  Uint128 const bytes = static_cast<unsigned>(part.bits) / 8;
  Uint128 const offset = part.offset;
  if (!buckets) { return offset + Uint128{slots - 1} * part.stride + bytes; }
  Uint128 const last_bucket = Uint128{(slots - 1) / buckets->slots} * buckets->stride;
  return offset + last_bucket + Uint128{buckets->slots - 1} * part.stride + bytes;
}

std::string number(Uint128 wide)
{
  return wide >> 64 != 0 ? std::string(tr("more than 2^64")) : std::to_string(static_cast<std::uint64_t>(wide));
}

void check_part(char const* what, Part const& part, std::uint64_t slots, std::optional<Buckets> const& buckets,
                std::span<Array const> arrays)
{
  Array const& array = array_named(arrays, part.array);
  auto const bytes = static_cast<std::uint64_t>(part.bits / 8);
  if (part.stride < bytes) {
    refuse(tr("{} of {} bits are {} bytes apart, so they overlap; \"stride\" must be at least {}.", tr(what), part.bits,
              part.stride, bytes));
  }
  Uint128 const end = end_of(part, slots, buckets);
  if (end > array.bytes || array.data == nullptr) {
    refuse(
        tr("{} of {} slots end at byte {} of the array '{}', which has {} bytes. Correct \"slots\", "
           "\"offset\" or \"stride\".",
           tr(what), slots, number(end), array.name, array.bytes));
  }
}

/// Whether two parts of slots in the same array have bytes in common.
bool overlap(Part const& one, Part const& other, std::uint64_t slots, std::optional<Buckets> const& buckets)
{
  if (one.offset > other.offset) { return overlap(other, one, slots, buckets); }
  if (end_of(one, slots, buckets) <= other.offset) { return false; }
  std::uint64_t const apart = other.offset - one.offset;
  if (buckets) {
    std::uint64_t const inside = apart % buckets->stride;
    bool const fits = end_of(one, buckets->slots, {}) - one.offset <= inside &&
                      end_of(other, buckets->slots, {}) - other.offset + inside <= buckets->stride;
    if (fits) { return false; }
  }
  // With different strides, the parts meet at all distances that the strides' common divisor allows.
  std::uint64_t const unit = std::gcd(one.stride, other.stride);
  std::uint64_t const between = apart % unit;
  return between < static_cast<unsigned>(one.bits) / 8 || unit - between < static_cast<unsigned>(other.bits) / 8;
}

/// Keys, values and the marks of their states must not share bytes.
void check_apart(char const* what, Part const& one, char const* other_what, Part const& other, std::uint64_t slots,
                 std::optional<Buckets> const& buckets, std::span<Array const> arrays)
{
  Array const& array = array_named(arrays, one.array);
  if (&array != &array_named(arrays, other.array) || !overlap(one, other, slots, buckets)) { return; }
  refuse(
      tr("{} and {} lie in the same bytes of the array '{}'; correct \"array\", \"offset\" or \"stride\" of one of "
         "them, or leave one out.",
         tr(what), tr(other_what), array.name));
}

void check_key_bits(int bits)
{
  if (bits != 32 && bits != 64 && bits != 128) {
    refuse(tr("keys have {} bits; \"bits\" must be 32, 64 or 128.", bits));
  }
}

void check_buckets(Description const& table)
{
  Buckets const& buckets = *table.buckets;
  if (buckets.slots == 0 || buckets.slots > table.slots || table.slots % buckets.slots != 0) {
    refuse(tr("{} slots cannot be divided into buckets of {}; \"slots\" must be a multiple of the bucket size.",
              table.slots, buckets.slots));
  }
  Uint128 const inside = Uint128{buckets.slots - 1} * table.key.stride + static_cast<unsigned>(table.key.bits) / 8;
  if (inside > buckets.stride) {
    refuse(tr("the {} keys of a bucket take {} bytes, but a bucket has {}; \"stride\" of the bucket is too small.",
              buckets.slots, number(inside), buckets.stride));
  }
}

void check_sentinel(char const* name, std::optional<AnyKey> sentinel, int bits)
{
  if (sentinel && bits < 128 && *sentinel >> bits != 0) {
    refuse(tr("\"{}\" is {}, which does not fit in {} bits.", name, number(*sentinel), bits));
  }
}

void check_states(Description const& table, std::span<Array const> arrays)
{
  check_sentinel("empty_key", table.empty_key, table.key.bits);
  check_sentinel("erased_key", table.erased_key, table.key.bits);
  if (table.control) {
    Part const bytes = table.control->part();
    check_part(translatable("control bytes"), bytes, table.slots, std::nullopt, arrays);
    if (!table.buckets) {
      check_apart(translatable("keys"), table.key, translatable("control bytes"), bytes, table.slots, {}, arrays);
    }
  } else if (!table.empty_key) {
    refuse(tr("it does not say which key empty slots hold; add \"empty_key\"."));
  }
  if (table.empty_key && table.empty_key == table.erased_key) {
    refuse(
        tr("\"empty_key\" and \"erased_key\" are the same; leave out \"erased_key\" if the table has no tombstones."));
  }
  if (!table.erased_value) { return; }
  if (!table.value) { refuse(tr("\"erased_value\" needs \"value\", which says where the values are.")); }
  check_sentinel("erased_value", table.erased_value, table.value->bits);
}

void check_value(Description const& table, std::span<Array const> arrays)
{
  int const bits = table.value->bits;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
    refuse(
        tr("values have {} bits; \"bits\" must be 8, 16, 32 or 64. Without \"value\", keys are shown "
           "alone.",
           bits));
  }
  check_part(translatable("values"), *table.value, table.slots, table.buckets, arrays);
  check_apart(translatable("keys"), table.key, translatable("values"), *table.value, table.slots, table.buckets,
              arrays);
}

/// Checks the codes of ordered numbers.
void check_codes(Description const& table)
{
  auto const check = [](char const* what, Part const& part) {
    NumberCode const code = part.code();
    if (part.ordered_bits < 0 || part.ordered_bits > std::min(part.bits, 64)) {
      refuse(tr("\"ordered_bits\" of {} is {}; it must be from 1 to {}.", tr(what), part.ordered_bits,
                std::min(part.bits, 64)));
    }
    if (part.is_float && code.bits != 32 && code.bits != 64) {
      refuse(tr("floating-point numbers have 32 or 64 bits, but {} have {}.", tr(what), code.bits));
    }
  };
  check(translatable("keys"), table.key);
  if (table.value) { check(translatable("values"), *table.value); }
}

/// The bytes of an array that slabs or buckets occupy.
struct Extent {
  Array const* array;
  Uint128 start;
  Uint128 end;
};

Extent extent_of(Slabs const& part, std::uint64_t stride, std::span<Array const> arrays)
{
  Array const& array = array_named(arrays, part.array);
  Extent const extent{&array, part.start, Uint128{part.slabs} * stride + part.start};
  if (extent.end > array.bytes || array.data == nullptr) {
    refuse(
        tr("{} slabs of {} bytes, starting at byte {}, do not fit into the array '{}', which has {} bytes. Correct "
           "\"slabs\" or \"start\" or, with the preset, \"super_blocks\" or \"memory_blocks\".",
           part.slabs, stride, part.start, array.name, array.bytes));
  }
  return extent;
}

/// Each slab must have its own bytes and its own number.
void check_slabs(Description const& table, std::span<Array const> arrays)
{
  constexpr std::uint64_t numbers = std::uint64_t{1} << 32;
  std::uint64_t const stride = table.buckets->stride;
  std::uint64_t const unit = table.links->unit;
  std::vector<Slabs> parts = table.links->parts;
  std::ranges::sort(parts, {}, &Slabs::first);
  std::vector<Extent> extents{
      {&array_named(arrays, table.key.array), 0, Uint128{table.slots / table.buckets->slots} * stride}};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::uint64_t const next = i + 1 < parts.size() ? parts[i + 1].first : numbers;
    if (parts[i].first + parts[i].slabs * unit > next) {
      refuse(tr("the numbers of {} slabs, starting at {}, {}; correct \"slabs\" or \"first\".", parts[i].slabs,
                parts[i].first,
                next == numbers ? std::string(tr("need more than 32 bits"))
                                : tr("overlap those of the next part, which start at {}", next)));
    }
    extents.push_back(extent_of(parts[i], stride, arrays));
  }
  for (auto one = extents.begin(); one != extents.end(); ++one) {
    auto const overlaps = [&](Extent const& other) {
      return one->array == other.array && one->start < other.end && other.start < one->end;
    };
    if (std::any_of(std::next(one), extents.end(), overlaps)) {
      refuse(tr("slabs overlap with buckets or other slabs in the array '{}'; correct \"start\".", one->array->name));
    }
  }
}

void check_links(Description const& table, std::span<Array const> arrays)
{
  Links const& links = *table.links;
  if (!table.buckets) { refuse(tr("\"links\" lead from buckets to slabs; add \"bucket\".")); }
  if (table.probing.window != table.buckets->slots) {
    refuse(tr("chains are read bucket by bucket; \"window\" must be {}.", table.buckets->slots));
  }
  if (links.unit == 0) { refuse(tr("\"unit\" of \"links\" is 0; it must be at least 1.")); }
  bool const leads_nowhere =
      links.parts.empty() || std::ranges::any_of(links.parts, [](Slabs const& part) { return part.slabs == 0; });
  if (leads_nowhere) { refuse(tr("\"links\" lead to no slabs; leave them out, or correct \"slabs\".")); }
  if (links.parts.size() > max_slab_parts) {
    refuse(tr("its slabs are in {} parts; the limit is {}.", links.parts.size(), max_slab_parts));
  }
  bool const too_many = std::ranges::any_of(links.parts, [](Slabs const& part) { return part.slabs > max_slots; }) ||
                        table.all_slots() > max_slots;
  if (too_many) {
    refuse(tr("with its slabs it has more than {} slots, the most that can be shown; correct \"slabs\".", max_slots));
  }
  Uint128 const link_end = Uint128{links.offset} + 4;
  if (link_end > table.buckets->stride) {
    refuse(tr("the link ends at byte {} of a bucket of {} bytes; correct \"offset\" of \"links\".", number(link_end),
              table.buckets->stride));
  }
  Array const& base = array_named(arrays, table.key.array);
  Uint128 const buckets = table.slots / table.buckets->slots;
  if (buckets * table.buckets->stride > base.bytes) {
    refuse(
        tr("the buckets with their links do not fit into the array '{}', which has {} bytes.", base.name, base.bytes));
  }
  check_slabs(table, arrays);
  Part const value = table.value.value_or(table.key);
  for (Part const& part : {table.key, value}) {
    Uint128 const end =
        Uint128{part.offset} + Uint128{table.buckets->slots - 1} * part.stride + static_cast<unsigned>(part.bits) / 8;
    if (end > table.buckets->stride || part.array != table.key.array) {
      refuse(tr("keys and values of chains must lie in their slabs: \"offset\" and \"stride\" reach beyond them."));
    }
  }
}

void check_hashes(Description const& table)
{
  std::size_t const count = table.hashes.size();
  Scheme const scheme = table.probing.scheme;
  std::size_t const least = scheme == Scheme::double_hashing || scheme == Scheme::cuckoo ? 2 : 1;
  std::size_t const most = scheme == Scheme::double_hashing ? 2 : scheme == Scheme::cuckoo ? max_hashes : 1;
  if (count < least || (count > most && scheme != Scheme::unknown)) {
    refuse(tr("{} probing takes {} hash functions, but there are {}. Give them in \"probing\".",
              scheme_names[static_cast<std::size_t>(scheme)],
              least == most ? std::to_string(least) : tr("{} to {}", least, most), count));
  }
  std::uint64_t const places = table.slots / table.align();
  for (Hash const& hash : table.hashes) {
    std::uint64_t const reduced_to = hash.through == 0 ? places : hash.through;
    if (hash.reduction == Reduction::mask && !std::has_single_bit(reduced_to)) {
      refuse(
          tr("\"mask\" needs the number of places to be a power of two, but it is {}; use \"modulo\" as the reduction.",
             reduced_to));
    }
    int const bits = hash_bits(hash.function, hashed_bits(hash, table.key.bits));
    if (hash.shift >= bits) {
      refuse(tr("\"shift\" is {}; the hash has {} bits, so it must be at most {}.", hash.shift, bits, bits - 1));
    }
    if (hash.words != Words::all && table.key.bits != 64) {
      refuse(tr("\"words\" is for 64-bit keys, but these keys have {} bits; leave it out.", table.key.bits));
    }
    if (hash.through != 0 && (hash.through < places || hash.through > max_slots)) {
      refuse(tr("\"through\" is {} places; it must be from {} to {}.", hash.through, places, max_slots));
    }
  }
  if (scheme == Scheme::double_hashing && table.slots / table.probing.window < 2) {
    refuse(tr("double hashing needs at least two windows."));
  }
  if (std::uint64_t const windows = table.slots / table.probing.window; table.probing.lengths > windows) {
    refuse(tr("\"lengths\" is {}; it must be from 1 to {}, the number of windows.", table.probing.lengths, windows));
  }
}

/// Other moduli would make paths miss some or all windows.
void check_modulo(Description const& table)
{
  Probing const& probing = table.probing;
  std::uint64_t const windows = table.slots / probing.window;
  bool const is_ring = std::has_single_bit(probing.modulo) && probing.modulo >= windows && probing.modulo <= max_slots;
  bool const goes_by_windows = probing.scheme == Scheme::quadratic && table.step() == probing.window;
  if (!is_ring || !goes_by_windows) {
    refuse(
        tr("\"modulo\" is for quadratic probing whose \"step\" is the window; it must be a power of two, and at least "
           "{}, the number of windows.",
           windows));
  }
}

void check_probing(Description const& table)
{
  Probing const& probing = table.probing;
  if (probing.window == 0 || probing.window > max_window || probing.window > table.slots) {
    refuse(tr("\"window\" is {} slots; it must be from 1 to {}.", probing.window, std::min(max_window, table.slots)));
  }
  if (table.align() > table.slots || table.slots % table.align() != 0) {
    refuse(tr("{} slots are not a multiple of {}, the spacing of homes; correct \"slots\", \"window\" or \"align\".",
              table.slots, table.align()));
  }
  if (table.step() == 0 || table.step() > table.slots) {
    refuse(tr("\"step\" is {} slots; it must be from 1 to {}.", table.step(), table.slots));
  }
  if (probing.modulo != 0) { check_modulo(table); }
  bool const by_hash = table.home_of == HomeOf::hash || table.home_of == HomeOf::unknown;
  if (probing.scheme == Scheme::perturbation && (probing.window != 1 || !by_hash)) {
    refuse(
        tr("\"perturbation\" probes slot by slot, using the hash of the key: leave out \"window\", and give \"hash\" a "
           "function."));
  }
  bool const bucketed = probing.scheme == Scheme::cuckoo || probing.scheme == Scheme::chains;
  if (bucketed && table.align() != probing.window) {
    refuse(tr("buckets of cuckoo hashing and chains begin at multiples of their size; leave out \"align\"."));
  }
  if (probing.scheme == Scheme::chains && !table.links) {
    refuse(tr("chains need \"links\", which say where a bucket continues."));
  }
}

/// "Hopscotch hashing: linear probing", but "linear probing" is not repeated.
std::string with_family(std::string const& family, std::string const& probing, Scheme scheme)
{
  if (scheme == Scheme::unknown) { return family; }
  auto const same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
  return std::ranges::equal(family, probing, same) ? probing : family + ": " + probing;
}

}  // namespace

Array const& array_named(std::span<Array const> arrays, std::string_view name)
{
  if (name.empty() && arrays.size() == 1) { return arrays.front(); }
  auto const found = std::ranges::find(arrays, name, &Array::name);
  if (found != arrays.end()) { return *found; }
  refuse(name.empty() ? tr("it does not say which array its parts are in; available: {}.", names_of(arrays))
                      : tr("there is no array '{}'; available: {}.", name, names_of(arrays)));
}

std::string rows_left_out(Description const& table, std::span<Array const> arrays)
{
  if (table.buckets) { return {}; }
  Array const& array = array_named(arrays, table.key.array);
  Uint128 end = end_of(table.key, table.slots, {});
  auto const reach = [&](Part const& part) {
    if (&array_named(arrays, part.array) == &array) { end = std::max(end, end_of(part, table.slots, {})); }
  };
  if (table.value) { reach(*table.value); }
  if (table.control) { reach(table.control->part()); }
  if (table.home_of == HomeOf::array) { reach(table.homes); }
  std::uint64_t const rows = (array.bytes - static_cast<std::uint64_t>(end)) / table.key.stride;
  if (rows == 0) { return {}; }
  return tr("The array has room for {} slots, but the description says {}: is \"slots\" right?", table.slots + rows,
            table.slots);
}

void validate(Description const& table, std::span<Array const> arrays)
{
  constexpr std::uint64_t fewest = 2;
  if (table.slots < fewest || table.slots > max_slots) {
    refuse(tr("it has {} slots; \"slots\" must be from {} to {}.", table.slots, fewest, max_slots));
  }
  check_key_bits(table.key.bits);
  if (table.buckets) { check_buckets(table); }
  check_part(translatable("keys"), table.key, table.slots, table.buckets, arrays);
  if (table.value) { check_value(table, arrays); }
  check_codes(table);
  check_states(table, arrays);
  check_probing(table);
  if (table.links) { check_links(table, arrays); }
  if (table.home_of == HomeOf::hash) { check_hashes(table); }
  if (table.home_of != HomeOf::array) { return; }
  if (table.homes.bits != 32 && table.homes.bits != 64) {
    refuse(tr("homes have {} bits; \"bits\" must be 32 or 64.", table.homes.bits));
  }
  check_part(translatable("homes"), table.homes, table.slots, std::nullopt, arrays);
  if (table.buckets) { return; }
  check_apart(translatable("keys"), table.key, translatable("homes"), table.homes, table.slots, {}, arrays);
}

bool Description::has_undefined_hash() const
{
  return home_of == HomeOf::hash &&
         std::ranges::any_of(hashes, [&](Hash const& hash) { return !is_defined(hash.function, key.bits); });
}

std::string hex_of(AnyKey key)
{
  return fmt::format("0x{:016x}{:016x}", static_cast<std::uint64_t>(key >> 64), static_cast<std::uint64_t>(key));
}

std::string text_of(Hash const& hash)
{
  std::string text(hash_function_names[static_cast<std::size_t>(hash.function)]);
  if (hash.function == HashFunction::universal) { text += tr(" with x {}, y {}", hash.x, hash.y); }
  if (hash.add != 0) { text += tr(" of key + {}", hash.add); }
  switch (hash.words) {
    case Words::low: text += tr(" of the lower 32 bits"); break;
    case Words::low_extended: text += tr(" of the lower 32 bits, extended to 64"); break;
    case Words::high: text += tr(" of the upper 32 bits"); break;
    case Words::swapped: text += tr(" of the key with its halves swapped"); break;
    case Words::all: break;
  }
  if (hash.seed != 0) { text += tr(" with seed {}", hash.seed); }
  if (hash.shift != 0) { text += fmt::format(" >> {}", hash.shift); }
  if (hash.mask != 0) { text += fmt::format(" & {:#x}", hash.mask); }
  if (hash.through != 0) { text += tr(" through {} places", hash.through); }
  return fmt::format("{}, {}", text, reduction_names[static_cast<std::size_t>(hash.reduction)]);
}

std::string text_of(Description const& table)
{
  std::string text;
  switch (table.probing.scheme) {
    case Scheme::unknown: text = tr("unknown probing"); break;
    case Scheme::linear: text = tr("linear probing"); break;
    case Scheme::quadratic: text = tr("quadratic probing"); break;
    case Scheme::double_hashing: text = tr("double hashing"); break;
    case Scheme::cuckoo: text = tr("cuckoo hashing with {} functions", table.hashes.size()); break;
    case Scheme::chains: text = tr("chains of slabs"); break;
    case Scheme::alternating: text = tr("probing on both sides of home"); break;
    case Scheme::squares: text = tr("quadratic probing by squares"); break;
    case Scheme::downward: text = tr("linear probing downward"); break;
    case Scheme::perturbation: text = tr("probing with perturbation"); break;
  }
  if (!table.family.empty()) { text = with_family(translated(table.family), text, table.probing.scheme); }
  if (table.probing.reach != 0) { text += tr(", {} windows at most", table.probing.reach); }
  if (table.probing.window > 1) { text += tr(", {} slots at a time", table.probing.window); }
  switch (table.has_undefined_hash() ? HomeOf::unknown : table.home_of) {
    case HomeOf::unknown: return text + tr("; homes unknown");
    case HomeOf::array: return text + tr("; homes given by the program");
    case HomeOf::hash: break;
  }
  auto const formula = std::ranges::find(table.formulas, table.hashes.front().program, &HashFormula::program);
  bool const is_formula = table.hashes.front().function == HashFunction::formula && formula != table.formulas.end();
  return fmt::format("{}; {}{}", text, text_of(table.hashes.front()), is_formula ? ": " + formula->text : "");
}

TableView TableView::of(Description const& table, std::span<Array const> arrays)
{
  TableView view;
  auto const part = [&](Part const& described) {
    return PartView{array_named(arrays, described.array).data + described.offset,
                    described.offset,
                    described.stride,
                    described.bits,
                    false,
                    described.code()};
  };
  view.slots = table.slots;
  view.key = part(table.key);
  if (table.value) { view.value = part(*table.value); }
  if (table.control) { view.control = part(table.control->part()); }
  if (table.home_of == HomeOf::array) { view.homes = part(table.homes); }
  if (table.buckets) {
    view.bucket_slots = table.buckets->slots;
    view.bucket_stride = table.buckets->stride;
    view.key.in_buckets = view.value.in_buckets = true;
  }
  if (table.links) { view.take_links(*table.links, table.key.array, arrays); }
  auto const sentinel = [](auto const& given, auto& number, bool& is_given) {
    is_given = given.has_value();
    number = given.value_or(0);
  };
  sentinel(table.empty_key, view.empty_key, view.has_empty_key);
  sentinel(table.erased_key, view.erased_key, view.has_erased_key);
  sentinel(table.erased_value, view.erased_value, view.has_erased_value);
  if (table.control) {
    view.empty_control = table.control->empty;
    view.erased_control = table.control->erased;
  }
  return view.probed_as(table);
}

void TableView::take_links(Links const& described, std::string_view base, std::span<Array const> arrays)
{
  std::vector<Slabs> parts = described.parts;
  std::ranges::sort(parts, {}, &Slabs::first);
  for (Slabs const& part : parts) {
    pool[pool_parts++] = {array_named(arrays, part.array).data + part.start, part.first, slabs, part.slabs};
    slabs += part.slabs;
  }
  no_link = described.none;
  link_unit = described.unit;
  links = {array_named(arrays, base).data + described.offset, described.offset, 0, 32, true};
}

TableView TableView::probed_as(Description const& table) const
{
  TableView view = *this;
  view.slots = table.slots;
  view.home_of = table.has_undefined_hash() ? HomeOf::unknown : table.home_of;
  view.scheme = table.probing.scheme;
  view.ends_at_empty = table.probing.ends_at_empty;
  view.most_windows = table.probing.reach;
  view.lengths = table.lengths_of_steps();
  view.odd_steps = table.probing.odd_steps;
  view.rings = table.probing.rings;
  view.ring = table.probing.modulo * table.probing.window;
  view.is_plain = table.is_plain();
  view.window = table.probing.window;
  view.align = table.align();
  view.step = table.step();
  view.hash_count = static_cast<int>(std::min(table.hashes.size(), max_hashes));
  std::copy_n(table.hashes.begin(), view.hash_count, view.hashes.begin());
  return view;
}

}  // namespace slotscape::watch

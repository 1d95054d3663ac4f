#include "app/watch/description_json.hpp"

#include "app/base/text.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/tables/hash_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slotscape::watch {
namespace {

/// Other common names of hash functions.
constexpr std::array<std::pair<std::string_view, HashFunction>, 9> other_names{{
    {"std::hash", HashFunction::identity},
    {"murmur3_finaliser", HashFunction::murmur3_finaliser},
    {"murmur3_fmix_32", HashFunction::murmur3_finaliser},
    {"murmur3_fmix_64", HashFunction::murmur3_finaliser},
    {"murmur3_x86_32", HashFunction::murmur3_32},
    {"murmur3_x64_128", HashFunction::murmur3_128},
    {"xxhash32", HashFunction::xxhash_32},
    {"xxhash64", HashFunction::xxhash_64},
    {"xxhash_avalanche", HashFunction::xxhash_avalanche},
}};

bool is_null(JsonNode const& parent, std::string_view field)
{
  auto const found = parent.find(field);
  return found && found->is_null();
}

std::optional<AnyKey> hexadecimal(std::string_view digits)
{
  constexpr std::size_t half = 16;
  auto const number = [](std::string_view part) -> std::optional<AnyKey> {
    std::uint64_t bits = 0;
    auto const [end, failure] = std::from_chars(part.data(), part.data() + part.size(), bits, 16);
    bool const whole = failure == std::errc{} && end == part.data() + part.size();
    return whole ? std::optional<AnyKey>(bits) : std::nullopt;
  };
  if (digits.size() <= half) { return number(digits); }
  if (digits.size() > 2 * half) { return std::nullopt; }
  auto const upper = number(digits.substr(0, digits.size() - half));
  auto const lower = number(digits.substr(digits.size() - half));
  return upper && lower ? std::optional<AnyKey>(*upper << 64 | *lower) : std::nullopt;
}

[[noreturn]] void fail_with_key(JsonNode const& node, std::string_view given, int bits)
{
  node.fail(tr(
      "{} is invalid: it must be a whole number of at most {} bits, and at least -2^{}, such as -1 or \"0xffffffff\"",
      given, std::max(bits, 64), std::min(bits, 64) - 1));
}

/// The key whose bits, read as a signed number, are this number.
AnyKey key_of_negative(JsonNode const& node, std::int64_t number, int bits)
{
  if (bits < 64 && number < -(std::int64_t{1} << (bits - 1))) { fail_with_key(node, std::to_string(number), bits); }
  return static_cast<AnyKey>(number) & (~AnyKey{0} >> (128 - std::min(bits, 128)));
}

/// Reads a number, also given as text such as "0xffffffffffffffff". A negative number gives the key with its bits.
AnyKey read_key(JsonNode const& node, int bits)
{
  if (!node.is_text()) {
    auto const negative = node.negative();
    return negative ? key_of_negative(node, *negative, bits) : node.whole_number();
  }
  std::string const text = node.text();
  if (text.starts_with('-')) {
    if (auto const number = parse_number<std::int64_t>(text)) { return key_of_negative(node, *number, bits); }
  } else if (text.starts_with("0x") || text.starts_with("0X")) {
    if (auto const number = hexadecimal(std::string_view(text).substr(2))) { return *number; }
  } else if (auto const number = parse_number<std::uint64_t>(text)) {
    return *number;
  }
  fail_with_key(node, fmt::format("'{}'", text), bits);
}
std::uint64_t read_bits(JsonNode const& node, int bits)
{
  AnyKey const number = read_key(node, bits);
  if (number >> 64 != 0) { node.fail(tr("'{}' is invalid: it has more than 64 bits", node.text())); }
  return static_cast<std::uint64_t>(number);
}

template <class Number>
void read_sentinel(JsonNode const& parent, std::string_view field, int bits, std::optional<Number>& into)
{
  if (is_null(parent, field)) {
    into.reset();
  } else if (auto const node = parent.find(field)) {
    if constexpr (std::is_same_v<Number, AnyKey>) {
      into = read_key(*node, bits);
    } else {
      into = read_bits(*node, bits);
    }
  }
}

void read_number(JsonNode const& parent, std::string_view field, std::uint64_t& into)
{
  if (auto const node = parent.find(field)) { into = node->whole_number(); }
}

/// Too many `bits` are rejected by `validate`, which lists the valid numbers.
void read_part(JsonNode const& node, Part& part)
{
  node.expect_fields({"array", "offset", "stride", "bits", "signed", "float", "ordered_bits", "is"});
  if (auto const array = node.find("array")) { part.array = array->text(); }
  read_number(node, "offset", part.offset);
  if (auto const bits = node.find("bits")) { part.bits = static_cast<int>(bits->whole_number(0, 1u << 20)); }
  if (auto const is_signed = node.find("signed")) { part.is_signed = is_signed->flag(); }
  if (auto const is_float = node.find("float")) { part.is_float = is_float->flag(); }
  if (auto const bits = node.find("ordered_bits")) { part.ordered_bits = static_cast<int>(bits->whole_number(0, 128)); }
  if (auto const meaning = node.find("is")) {
    part.meaning = static_cast<Meaning>(meaning->one_of(meaning_names, "meaning of numbers"));
  }
  if (part.bits == 0) { node.fail("\"bits\" is missing; give a number such as 32 or 64"); }
  if (part.is_signed && part.bits > 64) { node.fail("\"signed\" is for numbers of 32 or 64 bits"); }
  read_number(node, "stride", part.stride);
  if (part.stride == 0 && !node.find("stride")) { part.stride = static_cast<std::uint64_t>(part.bits) / 8; }
}

Buckets read_buckets(JsonNode const& node)
{
  node.expect_fields({"slots", "stride"});
  return {node.at("slots").whole_number(), node.at("stride").whole_number()};
}

Control read_control(JsonNode const& node)
{
  node.expect_fields({"array", "offset", "stride", "empty", "erased"});
  Control control;
  if (auto const array = node.find("array")) { control.array = array->text(); }
  read_number(node, "offset", control.offset);
  read_number(node, "stride", control.stride);
  constexpr std::uint64_t first_special = 0x80;
  auto const read_byte = [&](std::string_view field, std::uint8_t& byte) {
    if (auto const found = node.find(field)) {
      byte = static_cast<std::uint8_t>(found->whole_number(first_special, 0xff));
    }
  };
  read_byte("empty", control.empty);
  read_byte("erased", control.erased);
  return control;
}

void read_slabs(JsonNode const& node, Slabs& part)
{
  if (auto const array = node.find("array")) { part.array = array->text(); }
  read_number(node, "start", part.start);
  read_number(node, "slabs", part.slabs);
  if (auto const first = node.find("first")) {
    part.first = static_cast<std::uint32_t>(first->whole_number(0, 0xffffffffu));
  }
}

/// A single part may be given without a list.
void read_slab_parts(JsonNode const& node, std::vector<Slabs>& parts)
{
  std::string const array = parts.empty() ? std::string() : parts.front().array;  // array that the preset names
  constexpr auto of_one = std::to_array<std::string_view>({"array", "start", "slabs", "first"});
  bool const is_one = std::ranges::any_of(of_one, [&](std::string_view field) { return node.find(field).has_value(); });
  auto const listed = node.find("parts");
  if (listed && is_one) {
    node.fail("\"parts\" says where slabs are: leave out \"array\", \"start\", \"slabs\" and \"first\"");
  }
  if (is_one) {
    parts.assign(1, {.array = array});
    read_slabs(node, parts.front());
  }
  if (!listed) { return; }
  parts.clear();
  for (JsonNode const& each : listed->elements()) {
    each.expect_fields({"array", "start", "slabs", "first"});
    parts.push_back({.array = array});
    read_slabs(each, parts.back());
  }
}

Links read_links(JsonNode const& node, Links links)
{
  node.expect_fields({"array", "start", "slabs", "first", "parts", "offset", "none", "unit"});
  read_slab_parts(node, links.parts);
  read_number(node, "offset", links.offset);
  if (auto const unit = node.find("unit")) { links.unit = static_cast<std::uint32_t>(unit->whole_number(1, 1u << 31)); }
  if (auto const none = node.find("none")) { links.none = static_cast<std::uint32_t>(read_bits(*none, 32)); }
  return links;
}

HashFunction read_function(JsonNode const& node)
{
  std::string const name = node.text();
  auto const other = std::ranges::find(other_names, name, &std::pair<std::string_view, HashFunction>::first);
  if (other != other_names.end()) { return other->second; }
  constexpr std::size_t with_names = hash_function_names.size() - 1;  // formulas have their own field
  return static_cast<HashFunction>(node.one_of(std::span(hash_function_names).first(with_names), "hash function"));
}

/// Reads a formula and adds its text to those of the table.
void read_formula(JsonNode const& node, Hash& hash, std::vector<HashFormula>& formulas)
{
  HashFormula formula;
  try {
    formula = parse_hash_formula(node.text());
  } catch (Error const& error) {
    node.fail(error.what());
  }
  if (formula.program.prime_of_slots != HashProgram::none) {
    node.fail(tr("next_prime(m) is not available here; write the prime itself"));
  }
  hash.function = HashFunction::formula;
  hash.program = formula.program;
  std::erase_if(formulas, [&](HashFormula const& other) { return other.program == formula.program; });
  formulas.push_back(std::move(formula));
}

Hash read_hash(JsonNode const& node, Hash hash, std::vector<HashFormula>& formulas)
{
  node.expect_fields(
      {"function", "formula", "reduction", "seed", "add", "words", "shift", "mask", "through", "x", "y"});
  if (auto const function = node.find("function")) { hash.function = read_function(*function); }
  if (auto const formula = node.find("formula")) { read_formula(*formula, hash, formulas); }
  if (auto const reduction = node.find("reduction")) {
    hash.reduction = static_cast<Reduction>(reduction->one_of(reduction_names, "reduction"));
  }
  if (auto const seed = node.find("seed")) { hash.seed = read_bits(*seed, 64); }
  if (auto const add = node.find("add")) { hash.add = read_bits(*add, 64); }
  if (auto const words = node.find("words")) {
    hash.words = static_cast<Words>(words->one_of(words_names, "part of a key"));
  }
  if (auto const shift = node.find("shift")) { hash.shift = static_cast<std::uint8_t>(shift->whole_number(0, 63)); }
  if (auto const mask = node.find("mask")) { hash.mask = read_bits(*mask, 64); }
  read_number(node, "through", hash.through);
  if (auto const x = node.find("x")) { hash.x = static_cast<std::uint32_t>(read_bits(*x, 32)); }
  if (auto const y = node.find("y")) { hash.y = static_cast<std::uint32_t>(read_bits(*y, 32)); }
  return hash;
}

/// Reads the home: an object with a hash, one with the array of homes, or the word "unknown".
void read_home(JsonNode const& node, Description& table)
{
  if (node.is_text()) {
    if (node.text() != "unknown") {
      node.fail(tr("'{}' is invalid: it must be \"unknown\" or an object with \"function\" or \"homes\"", node.text()));
    }
    table.home_of = HomeOf::unknown;
    table.hashes.clear();
    return;
  }
  auto const homes = node.find("homes");
  if (!homes) {
    Hash const before = table.hashes.empty() ? Hash{} : table.hashes.front();
    if (table.hashes.empty() && !node.find("formula")) { node.at("function"); }
    table.home_of = HomeOf::hash;
    table.hashes.resize(std::max<std::size_t>(table.hashes.size(), 1));
    table.hashes.front() = read_hash(node, before, table.formulas);
    return;
  }
  node.expect_fields({"homes"});
  table.home_of = HomeOf::array;
  table.hashes.clear();
  table.homes = {};
  table.homes.bits = 32;
  if (homes->is_text()) {
    table.homes.array = homes->text();
    table.homes.stride = 4;
  } else {
    read_part(*homes, table.homes);
  }
}

/// Reads the scheme; if it changes, lookups get its usual end.
void read_scheme(JsonNode const& node, Probing& probing)
{
  auto const scheme = static_cast<Scheme>(node.one_of(scheme_names, "kind of probing"));
  if (std::exchange(probing.scheme, scheme) == scheme) { return; }
  probing.ends_at_empty = scheme != Scheme::cuckoo && scheme != Scheme::chains;
}

void read_probing(JsonNode const& node, Description& table)
{
  Probing& probing = table.probing;
  if (node.is_text()) { return read_scheme(node, probing); }
  node.expect_fields({"scheme", "window", "align", "step", "ends_at_empty", "reach", "modulo", "misses", "lengths",
                      "odd_steps", "rings", "hashes"});
  if (auto const scheme = node.find("scheme")) { read_scheme(*scheme, probing); }
  read_number(node, "window", probing.window);
  read_number(node, "align", probing.align);
  read_number(node, "step", probing.step);
  if (auto const ends = node.find("ends_at_empty")) { probing.ends_at_empty = ends->flag(); }
  read_number(node, "reach", probing.reach);
  read_number(node, "modulo", probing.modulo);
  read_number(node, "lengths", probing.lengths);
  if (auto const odd = node.find("odd_steps")) { probing.odd_steps = odd->flag(); }
  if (auto const rings = node.find("rings")) { probing.rings = rings->flag(); }
  if (auto const misses = node.find("misses")) { probing.counts_misses = misses->flag(); }
  auto const hashes = node.find("hashes");
  if (!hashes) { return; }
  if (table.home_of != HomeOf::hash) {
    hashes->fail(tr("the first hash, which gives each key its home, is missing; add it as \"hash\""));
  }
  table.hashes.resize(1);
  for (JsonNode const& each : hashes->elements()) {
    if (!each.find("formula")) { each.at("function"); }
    table.hashes.push_back(read_hash(each, {}, table.formulas));
  }
}

constexpr auto preset_fields = std::to_array<std::string_view>(
    {"key_bits", "value_bits", "cg_size", "bucket_size", "seed", "super_blocks", "memory_blocks"});

Preset const& preset_in(JsonNode const& name)
{
  std::vector<std::string_view> names;
  for (Preset const& preset : presets()) { names.push_back(preset.name); }
  return presets()[name.one_of(names, "preset")];
}

/// The description that a preset gives for the widths and sizes in the object.
Description preset_of(JsonNode const& node)
{
  Preset const& preset = preset_in(node.at("preset"));
  PresetSettings settings;
  auto const bits = [&](std::string_view field, int most, int& into) {
    if (auto const found = node.find(field)) { into = static_cast<int>(found->whole_number(32, most)); }
    bool const is_width = into == 0 || into == 32 || into == 64 || into == 128;
    if (!is_width) { node.at(field).fail(most == 64 ? tr("it must be 32 or 64") : tr("it must be 32, 64 or 128")); }
  };
  bits("key_bits", 128, settings.key_bits);
  bits("value_bits", 64, settings.value_bits);
  read_number(node, "slots", settings.slots);
  read_number(node, "cg_size", settings.group);
  read_number(node, "bucket_size", settings.bucket);
  read_number(node, "super_blocks", settings.super_blocks);
  read_number(node, "memory_blocks", settings.memory_blocks);
  if (auto const seed = node.find("seed")) {
    settings.seed = read_bits(*seed, 64);
    settings.is_seed_set = true;
  }
  Description table = preset.make(settings);
  table.preset = preset.name;
  return table;
}

Json part_json(Part const& part)
{
  Json json;
  if (!part.array.empty()) { json["array"] = part.array; }
  json["offset"] = part.offset;
  json["stride"] = part.stride;
  json["bits"] = part.bits;
  if (part.is_signed) { json["signed"] = true; }
  if (part.is_float) { json["float"] = true; }
  if (part.ordered_bits != 0) { json["ordered_bits"] = part.ordered_bits; }
  if (part.meaning != Meaning::itself) { json["is"] = meaning_names[static_cast<std::size_t>(part.meaning)]; }
  return json;
}

Json hash_json(Description const& table, Hash const& hash)
{
  Json json;
  if (hash.function == HashFunction::formula) {
    json["formula"] = std::ranges::find(table.formulas, hash.program, &HashFormula::program)->text;
  } else {
    json["function"] = hash_function_names[static_cast<std::size_t>(hash.function)];
  }
  json["reduction"] = reduction_names[static_cast<std::size_t>(hash.reduction)];
  json["seed"] = hash.seed;
  json["add"] = hash.add;
  if (hash.words != Words::all) { json["words"] = words_names[static_cast<std::size_t>(hash.words)]; }
  if (hash.shift != 0) { json["shift"] = hash.shift; }
  if (hash.mask != 0) { json["mask"] = fmt::format("{:#x}", hash.mask); }
  if (hash.through != 0) { json["through"] = hash.through; }
  if (hash.function != HashFunction::universal) { return json; }
  json["x"] = hash.x;
  json["y"] = hash.y;
  return json;
}

Json probing_json(Description const& table)
{
  Json json;
  json["scheme"] = scheme_names[static_cast<std::size_t>(table.probing.scheme)];
  json["window"] = table.probing.window;
  json["align"] = table.probing.align;
  json["step"] = table.probing.step;
  json["ends_at_empty"] = table.probing.ends_at_empty;
  if (table.probing.reach != 0) { json["reach"] = table.probing.reach; }
  if (table.probing.lengths != 0) { json["lengths"] = table.probing.lengths; }
  if (table.probing.odd_steps) { json["odd_steps"] = true; }
  if (table.probing.rings) { json["rings"] = true; }
  if (table.probing.modulo != 0) { json["modulo"] = table.probing.modulo; }
  if (!table.probing.counts_misses) { json["misses"] = false; }
  for (std::size_t i = 1; i < table.hashes.size(); ++i) { json["hashes"].push_back(hash_json(table, table.hashes[i])); }
  return json;
}

Json optional_json(std::optional<AnyKey> number)
{
  if (!number) { return {}; }
  return *number >> 64 == 0 ? Json(static_cast<std::uint64_t>(*number)) : Json(hex_of(*number));
}

/// Signed keys are written as signed numbers (two's complement).
Json sentinel_json(std::optional<AnyKey> const& word, Part const& key)
{
  bool const is_number = key.is_signed && key.ordered_bits == 0 && key.bits <= 64;
  if (!word || !is_number) { return optional_json(word); }
  return static_cast<std::int64_t>(key.code().number(static_cast<std::uint64_t>(*word)));
}

}  // namespace

Description read_description(JsonNode const& node)
{
  std::vector<std::string_view> fields{"preset",  "slots",   "key",       "value",      "bucket",
                                       "control", "links",   "empty_key", "erased_key", "erased_value",
                                       "hash",    "probing", "family",    "beside_from"};
  bool const has_preset = node.find("preset") && !is_null(node, "preset");
  if (has_preset) { fields.insert(fields.end(), preset_fields.begin(), preset_fields.end()); }
  node.expect_fields(fields);
  Description table;
  if (has_preset) { table = preset_of(node); }
  table.slots = node.at("slots").whole_number();
  if (has_preset) {
    if (auto const key = node.find("key")) { read_part(*key, table.key); }
  } else {
    read_part(node.at("key"), table.key);
  }
  if (is_null(node, "value")) {
    table.value.reset();
  } else if (auto const value = node.find("value")) {
    Part part = table.value.value_or(Part{});
    read_part(*value, part);
    table.value = part;
  }
  if (auto const buckets = node.find("bucket"); buckets && !is_null(node, "bucket")) {
    table.buckets = read_buckets(*buckets);
    table.probing.window = std::max<std::uint64_t>(table.buckets->slots, 1);
  }
  if (auto const control = node.find("control"); control && !is_null(node, "control")) {
    table.control = read_control(*control);
  }
  if (auto const links = node.find("links"); links && !is_null(node, "links")) {
    table.links = read_links(*links, table.links.value_or(Links{}));
  }
  read_sentinel(node, "empty_key", table.key.bits, table.empty_key);
  read_sentinel(node, "erased_key", table.key.bits, table.erased_key);
  read_sentinel(node, "erased_value", table.value ? table.value->bits : 64, table.erased_value);
  read_sentinel(node, "beside_from", table.key.bits, table.beside_from);
  if (auto const family = node.find("family")) { table.family = family->text(); }
  if (auto const hash = node.find("hash")) { read_home(*hash, table); }
  if (auto const probing = node.find("probing")) { read_probing(*probing, table); }
  std::erase_if(table.formulas, [&](HashFormula const& formula) {
    return std::ranges::find(table.hashes, formula.program, &Hash::program) == table.hashes.end();
  });
  return table;
}

Description read_description(std::string const& text, std::string const& name)
{
  Json const json = parse_json(text, name);
  return read_description(JsonNode(json, name));
}

Json description_json(Description const& table)
{
  Json json;
  if (!table.preset.empty()) { json["preset"] = table.preset; }
  if (!table.family.empty()) { json["family"] = table.family; }
  json["slots"] = table.slots;
  json["key"] = part_json(table.key);
  json["value"] = table.value ? part_json(*table.value) : Json();
  if (table.buckets) {
    json["bucket"]["slots"] = table.buckets->slots;
    json["bucket"]["stride"] = table.buckets->stride;
  }
  if (table.control) {
    if (!table.control->array.empty()) { json["control"]["array"] = table.control->array; }
    json["control"]["offset"] = table.control->offset;
    if (table.control->stride != 1) { json["control"]["stride"] = table.control->stride; }
    json["control"]["empty"] = table.control->empty;
    json["control"]["erased"] = table.control->erased;
  }
  if (table.links) {
    json["links"]["parts"] = Json::array();
    for (Slabs const& part : table.links->parts) {
      json["links"]["parts"].push_back(
          {{"array", part.array}, {"start", part.start}, {"slabs", part.slabs}, {"first", part.first}});
    }
    json["links"]["offset"] = table.links->offset;
    json["links"]["none"] = table.links->none;
    if (table.links->unit != 1) { json["links"]["unit"] = table.links->unit; }
  }
  json["empty_key"] = sentinel_json(table.empty_key, table.key);
  json["erased_key"] = sentinel_json(table.erased_key, table.key);
  json["erased_value"] = optional_json(table.erased_value);
  if (table.beside_from) { json["beside_from"] = optional_json(table.beside_from); }
  switch (table.home_of) {
    case HomeOf::unknown: json["hash"] = "unknown"; break;
    case HomeOf::hash: json["hash"] = hash_json(table, table.hashes.front()); break;
    case HomeOf::array: json["hash"]["homes"] = part_json(table.homes); break;
  }
  json["probing"] = probing_json(table);
  return json;
}

}  // namespace slotscape::watch

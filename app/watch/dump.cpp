#include "app/watch/dump.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/mapped_file.hpp"
#include "app/base/npy.hpp"
#include "app/base/text.hpp"
#include "app/watch/file_format.hpp"
#include "app/watch/zip_members.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <deque>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

namespace slotscape::watch {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view only_array = "slots";

/// An array of the dump, with the information from its header.
struct DumpedArray {
  std::string name;
  std::string full_name;  ///< the name of the file or archive member, if several arrays share a name
  std::span<std::byte const> bytes = {};
  std::optional<NpyLayout> npy = std::nullopt;  ///< its offsets are within `bytes`
  std::string problem = {};                     ///< why it cannot be part of a table; empty if it can
};

/// Reads the rows of a .npy file.
void read_npy(fs::path const& file, std::span<std::byte const> content, DumpedArray& array)
{
  constexpr std::size_t head = 1u << 20;
  NpyLayout layout = npy_layout(file, characters_of(content.first(std::min(head, content.size()))), content.size());
  auto const swapped = std::ranges::find_if(layout.columns, [](NpyColumn const& column) {
    return column.big_endian && column.bytes > 1;
  });
  if (swapped != layout.columns.end()) {
    throw Error(tr("{}: its numbers are big-endian; save array.astype(array.dtype.newbyteorder('<'))",
                   path_text(file.filename())));
  }
  array.bytes = content.subspan(layout.data);
  array.npy = std::move(layout);
}

std::uint64_t bytes_of(std::deque<std::vector<std::byte>> const& arrays)
{
  return std::accumulate(arrays.begin(), arrays.end(), std::uint64_t{0},
                         [](std::uint64_t bytes, auto const& array) { return bytes + array.size(); });
}

/// The progress of one of several pieces of the work.
Progress part_of(Progress const& progress, std::size_t piece, std::size_t pieces)
{
  auto const share = [&](std::size_t done) { return static_cast<double>(done) / static_cast<double>(pieces); };
  return progress.part(share(piece), share(piece + 1));
}

/// Adds the arrays of an archive. Problems of an array matter only if the description uses it.
void add_members(fs::path const& file, MappedFile const& content, std::string const& folder,
                 std::deque<std::vector<std::byte>>& unpacked_arrays, std::vector<DumpedArray>& arrays,
                 Progress const& progress)
{
  std::vector<ZipMember> const members = zip_members(file, content.bytes());
  for (std::size_t i = 0; i < members.size(); ++i) {
    ZipMember const& member = members[i];
    fs::path const place(member.name);
    DumpedArray array{valid_text(place.stem().string()),
                      folder + valid_text((place.parent_path() / place.stem()).string())};
    try {
      std::span<std::byte const> bytes = member.stored;
      if (member.method != 0) {
        unpacked_arrays.push_back(
            unpacked(file, member, max_unpacked - bytes_of(unpacked_arrays), part_of(progress, i, members.size())));
        bytes = unpacked_arrays.back();
      }
      read_npy(place, bytes, array);
    } catch (Error const& error) {
      array.problem = error.what();
    }
    arrays.push_back(std::move(array));
  }
}

/// Adds the arrays of one file.
void add_arrays(fs::path const& file, bool is_alone, MappedFile const& content,
                std::deque<std::vector<std::byte>>& unpacked_arrays, std::vector<DumpedArray>& arrays,
                Progress const& progress)
{
  std::string const file_name = path_text(file.filename());
  std::string_view const start = characters_of(content.bytes()).substr(0, 6);
  if (start.starts_with("PK")) {
    std::string const folder = is_alone ? "" : file_name + "/";
    return add_members(file, content, folder, unpacked_arrays, arrays, progress);
  }
  DumpedArray array{is_alone ? std::string(only_array) : path_text(file.stem()), file_name, content.bytes()};
  if (start.starts_with("\x93NUMPY")) {
    read_npy(file, content.bytes(), array);
  } else if (std::string const format = other_format(content.bytes()); !format.empty()) {
    throw Error(tr(
        "{} is {}, not the memory of a table. Save the slots as an array, with numpy.save, or their bytes as they lie "
        "in memory.",
        file_name, format));
  }
  arrays.push_back(std::move(array));
}

/// Renames arrays with equal names after their files.
void tell_apart(std::vector<DumpedArray>& arrays)
{
  std::vector<std::string> names;
  std::ranges::transform(arrays, std::back_inserter(names), &DumpedArray::name);
  for (DumpedArray& each : arrays) {
    if (std::ranges::count(names, each.name) > 1) { each.name = each.full_name; }
  }
  for (DumpedArray const& each : arrays) {
    if (std::ranges::count(arrays, each.name, &DumpedArray::name) == 1) { continue; }
    throw Error(tr("Two arrays are called '{}': rename a file, so that the description can refer to each.", each.name));
  }
}

/// Whether a part of a description names an array.
bool names_array(Json const& json, std::string const& name)
{
  if (!json.is_structured()) { return false; }
  for (auto const& [field, value] : json.items()) {
    bool const is_name = !json.is_array() && (field == "array" || field == "homes") && value.is_string();
    if (is_name ? value.get<std::string>() == name : names_array(value, name)) { return true; }
  }
  return false;
}

constexpr auto key_names = std::to_array<std::string_view>({"key", "keys", "k", "first"});
constexpr auto value_names = std::to_array<std::string_view>({"value", "values", "v", "val", "second"});

bool is_one_of(std::span<std::string_view const> names, std::string const& name)
{
  return std::ranges::find(names, lower_case(name)) != names.end();
}

/// Drops arrays that cannot be part of a table. Throws Error with the reason if the description uses such an array.
void leave_out_unusable(std::vector<DumpedArray>& arrays, Json const& layout)
{
  bool const any = std::ranges::any_of(arrays, [](DumpedArray const& each) { return each.problem.empty(); });
  for (DumpedArray const& each : arrays) {
    if (each.problem.empty()) { continue; }
    bool const is_derived = (!layout.contains("key") && is_one_of(key_names, each.name)) ||
                            (!layout.contains("value") && is_one_of(value_names, each.name));
    if (!any || is_derived || names_array(layout, each.name)) { throw Error(each.problem); }
  }
  std::erase_if(arrays, [](DumpedArray const& each) { return !each.problem.empty(); });
}

bool is_number(NpyColumn const& column)
{
  return column.kind == 'i' || column.kind == 'u' || column.kind == 'f' || column.kind == 'b';
}

/// A column of an array that may hold the keys or values.
struct Candidate {
  DumpedArray const* array;
  NpyColumn const* column;
};

/// Whether the column is a field of a row, and not one of an array of plain numbers.
bool is_field(NpyColumn const& column)
{
  return !column.name.empty() && !column.name.starts_with("column ");
}

/// The field of a column: 'key' for "key[1]", which is one of several numbers in the field.
std::string field_of(NpyColumn const& column)
{
  if (!is_field(column)) { return {}; }
  return column.name.substr(0, column.name.ends_with(']') ? column.name.rfind('[') : column.name.size());
}

std::vector<Candidate> all_columns_of(std::vector<DumpedArray> const& arrays)
{
  std::vector<Candidate> all;
  for (DumpedArray const& array : arrays) {
    if (!array.npy) { continue; }
    for (NpyColumn const& column : array.npy->columns) { all.push_back({&array, &column}); }
  }
  return all;
}

/// The name that suggests a column's content: that of its field or, without fields, of its array.
std::string name_of(Candidate const& candidate)
{
  std::string const field = field_of(*candidate.column);
  return field.empty() ? candidate.array->name : field;
}

std::int64_t numbers_in_field(Candidate const& candidate)
{
  std::string const field = field_of(*candidate.column);
  return std::ranges::count_if(candidate.array->npy->columns,
                               [&](NpyColumn const& each) { return field_of(each) == field; });
}

/// "dates (datetime64[ns])": the name and type of a field that is not a single number.
std::string type_text(Candidate const& candidate)
{
  NpyColumn const& column = *candidate.column;
  std::string const unit = column.unit.empty() ? "" : "[" + column.unit + "]";
  switch (column.kind) {
    case 'M': return tr("dates (datetime64{})", unit);
    case 'm': return tr("durations (timedelta64{})", unit);
    case 'S': return tr("strings of {} bytes (S{})", column.bytes, column.bytes);
    case 'U': return tr("strings of {} characters (U{})", column.bytes / 4, column.bytes / 4);
    case 'c': return tr("complex numbers of {} bits", 8 * column.bytes);
    case 'V': return tr("{} untyped bytes (V{})", column.bytes, column.bytes);
    default: break;
  }
  return tr("{} numbers of {} bits each", numbers_in_field(candidate), 8 * column.bytes);
}

/// Throws Error with the type of a field, or of an array without fields, that is not one number per row. `what`: "key"
/// or "value".
void require_number(Candidate const& candidate, std::string_view what)
{
  if (is_number(*candidate.column) && numbers_in_field(candidate) == 1) { return; }
  std::string why =
      tr("{}: '{}' holds {}, but one whole or floating-point number is needed. Save such numbers, or use \"offset\", "
         "\"stride\" and \"bits\" to say which bytes to read.",
         what, name_of(candidate), type_text(candidate));
  if (what == "value") { why += std::string(" ") + tr("Without values, write \"value\": null."); }
  throw Error(why);
}

Json part_of(Candidate const& found)
{
  Json part;
  part["array"] = found.array->name;
  part["offset"] = found.column->offset;
  part["stride"] = found.column->stride;
  part["bits"] = 8 * found.column->bytes;
  return part;
}

/// The column with one of these names, its own or its array's. Throws Error if it is not a single number.
std::optional<Candidate> named_one_of(std::vector<Candidate> const& all, std::span<std::string_view const> names,
                                      std::string_view what)
{
  auto const found = std::ranges::find_if(all, [&](Candidate const& each) { return is_one_of(names, name_of(each)); });
  if (found == all.end()) { return std::nullopt; }
  require_number(*found, what);
  return *found;
}

/// The array that a part names; empty if it names none. Values that are not text are rejected when the description is
/// read.
std::string array_of(Json const& part)
{
  auto const array = part.find("array");
  return array != part.end() && array->is_string() ? array->get<std::string>() : std::string();
}

/// Replaces "field" by the data from the header.
void resolve_field(Json& part, std::vector<Candidate> const& all, std::string_view what)
{
  if (!part.is_object() || !part.contains("field")) { return; }
  std::string const field = part["field"].is_string() ? part["field"].get<std::string>() : std::string();
  std::string const array = array_of(part);
  auto const is_meant = [&](Candidate const& each, std::string const& name) {
    return !name.empty() && name == field && (array.empty() || each.array->name == array);
  };
  auto found = std::ranges::find_if(all, [&](Candidate const& each) { return is_meant(each, each.column->name); });
  if (found == all.end()) {
    found = std::ranges::find_if(all, [&](Candidate const& each) { return is_meant(each, field_of(*each.column)); });
    if (found != all.end()) { require_number(*found, what); }
  }
  if (found == all.end()) {
    std::vector<std::string> names;
    for (Candidate const& each : all) {
      if (!each.column->name.empty()) { names.push_back(each.column->name); }
    }
    throw Error(tr("{}: the file has no field '{}'; {}", what, field,
                   names.empty() ? std::string(tr("its arrays have no fields"))
                                 : tr("use one of {}", listed(names, tr("and")))));
  }
  if (!is_number(*found->column)) { require_number(*found, what); }
  Json resolved = part_of(*found);
  for (auto const& [name, value] : part.items()) {
    if (name != "field") { resolved[name] = value; }
  }
  part = std::move(resolved);
}

/// Throws Error if a field with one of these names is not a number with this many bits: no other field can be meant.
void check_named(Json const& part, std::vector<Candidate> all, std::string_view what,
                 std::span<std::string_view const> names)
{
  std::erase_if(all, [](Candidate const& each) { return !is_field(*each.column); });
  auto const named = named_one_of(all, names, what);
  if (!named || part["bits"] == 8 * named->column->bytes) { return; }
  throw Error(
      tr("{}: \"bits\" is {}, but '{}' has {}; correct it, or use \"offset\" and \"stride\" to say which bytes to read",
         what, part["bits"].dump(), name_of(*named), 8 * named->column->bytes));
}

/// Throws Error if every column is wider than the part: the part would then be a fraction of a number.
void check_width(Json const& part, std::vector<Candidate> const& all, std::string_view what)
{
  if (!part["bits"].is_number_integer()) { return; }
  auto const bits = part["bits"].get<std::int64_t>();
  std::vector<std::string> widths;
  for (Candidate const& each : all) {
    if (!is_number(*each.column)) { continue; }
    auto const width = static_cast<std::int64_t>(8 * each.column->bytes);
    if (width <= bits) { return; }
    std::string text = std::to_string(width);
    if (std::ranges::find(widths, text) == widths.end()) { widths.push_back(std::move(text)); }
  }
  if (widths.empty()) { return; }
  throw Error(
      tr("{}: \"bits\" is {}, but columns of the file have {}; correct it, or use \"offset\" and \"stride\" to say "
         "which part of a number to read",
         what, bits, listed(widths)));
}

/// Completes a part that only gives its number of bits, from the array's columns of that width: preferably one with one
/// of these names, and never one named like the other part. The array may have other columns in between.
void complete_place(Json& part, std::vector<Candidate> const& all, std::string_view what,
                    std::span<std::string_view const> names, std::span<std::string_view const> names_of_other)
{
  if (!part.is_object() || part.contains("offset") || part.contains("stride") || !part.contains("bits")) { return; }
  std::string const array = array_of(part);
  std::vector<Candidate> alike = all;
  std::erase_if(alike, [&](Candidate const& each) { return !array.empty() && each.array->name != array; });
  check_named(part, alike, what, names);
  check_width(part, alike, what);
  bool const has_fields = std::ranges::any_of(alike, [](Candidate const& each) { return is_field(*each.column); });
  std::erase_if(alike, [&](Candidate const& each) {
    bool const is_other = array.empty() && is_one_of(names_of_other, name_of(each));
    return is_other || !is_number(*each.column) || part["bits"] != 8 * each.column->bytes;
  });
  if (alike.empty() && has_fields) {
    throw Error(
        tr("{}: no field is a number of {} bits; use \"field\" to say which one it is, or \"offset\" and \"stride\" to "
           "say which bytes to read",
           what, part["bits"].dump()));
  }
  if (alike.empty()) { return; }
  Json place = part_of(named_one_of(alike, names, what).value_or(alike.front()));
  place.update(part);
  part = std::move(place);
}

/// Completes the place of a value, which must be in another column than the key.
void complete_value(Json& value, Json const& key, std::vector<Candidate> all)
{
  std::erase_if(all, [&](Candidate const& each) {
    Json const place = part_of(each);
    return key.is_object() && key.contains("offset") && key["offset"] == place["offset"] &&
           (array_of(key).empty() || key["array"] == place["array"]);
  });
  complete_place(value, all, "value", value_names, key_names);
}

/// Notes whether the numbers are signed or floating-point according to the file, to show them so.
void note_kind(Json& part, std::vector<Candidate> const& all)
{
  bool const has_place = part.is_object() && part.contains("offset") && part.contains("bits");
  if (!has_place || part.contains("signed") || part.contains("float")) { return; }
  auto const is_of = [&](char kind) {
    return std::ranges::any_of(all, [&](Candidate const& each) {
      Json const place = part_of(each);
      bool const same_array = array_of(part).empty() || part["array"] == place["array"];
      return same_array && part["offset"] == place["offset"] && part["bits"] == place["bits"] &&
             each.column->kind == kind;
    });
  };
  bool const may_be_float = part["bits"] == 32 || part["bits"] == 64;
  if (is_of('i')) { part["signed"] = true; }
  if (may_be_float && is_of('f')) { part["float"] = true; }
}

/// Whether a part at most describes its numbers, but not where they are.
bool says_no_place(Json const& part)
{
  constexpr auto of_place = std::to_array<char const*>({"array", "offset", "stride", "bits", "field"});
  return std::ranges::none_of(of_place, [&](char const* field) { return part.contains(field); });
}

void place_in(Json& part, Candidate const& column)
{
  Json const place = part_of(column);
  for (auto const& [name, number] : place.items()) { part[name] = number; }
}

/// The number of slots in the array of the keys.
std::optional<std::uint64_t> slots_in(std::vector<DumpedArray> const& arrays, Json const& layout)
{
  if (!layout.contains("key") || !layout["key"].is_object()) {
    return arrays.size() == 1 && arrays.front().npy ? std::optional(arrays.front().npy->rows) : std::nullopt;
  }
  Json const& key = layout["key"];
  std::string const name = array_of(key);
  auto const found = std::ranges::find(arrays, name, &DumpedArray::name);
  if (found == arrays.end() && arrays.size() != 1) { return std::nullopt; }
  DumpedArray const& array = found == arrays.end() ? arrays.front() : *found;
  if (array.npy) { return array.npy->rows; }
  auto const number = [&](char const* field) {
    return key.contains(field) && key[field].is_number_unsigned() ? key[field].get<std::uint64_t>() : 0;
  };
  std::uint64_t const stride = number("stride");
  std::uint64_t const offset = number("offset");
  if (stride == 0 || offset >= array.bytes.size()) { return std::nullopt; }
  return (array.bytes.size() - offset) / stride;
}

/// The column of the keys if the description does not give it: by its name, else the first column not named like a
/// value.
Candidate column_of_keys(std::vector<Candidate> const& all)
{
  if (auto const named = named_one_of(all, key_names, "key")) { return *named; }
  auto const may_be_key = [](Candidate const& each) { return !is_one_of(value_names, name_of(each)); };
  auto first = std::ranges::find_if(all, [&](Candidate const& each) {
    bool const is_one = !is_field(*each.column) || numbers_in_field(each) == 1;
    return may_be_key(each) && is_number(*each.column) && is_one;
  });
  if (first == all.end()) { first = std::ranges::find_if(all, may_be_key); }
  if (first == all.end()) {
    throw Error(
        tr("key: the file has only '{}'; use \"field\" or \"array\" to say where the keys are", name_of(all.front())));
  }
  if (is_field(*first->column) || !is_number(*first->column)) { require_number(*first, "key"); }
  return *first;
}

/// Finds keys and values if the description does not say where they are.
void derive_parts(Json& layout, std::vector<Candidate> const& all)
{
  Candidate const key = column_of_keys(all);
  layout["key"] = part_of(key);
  bool const has_preset = layout.contains("preset") && layout["preset"].is_string();
  if (has_preset && !layout.contains("key_bits")) { layout["key_bits"] = 8 * key.column->bytes; }
  if (layout.contains("value")) { return; }
  std::optional<Candidate> value = named_one_of(all, value_names, "value");
  auto const second = std::ranges::find_if(all, [&](Candidate const& each) { return each.column != key.column; });
  if (!value && all.size() == 2 && is_number(*second->column)) { value = *second; }
  layout["value"] = value ? part_of(*value) : Json();
  bool const tells_bits = value && (value->column->bytes == 4 || value->column->bytes == 8);
  if (has_preset && tells_bits && !layout.contains("value_bits")) { layout["value_bits"] = 8 * value->column->bytes; }
}

/// Completes homes given only by the name of their array: the file has the width of its numbers.
void complete_homes(Json& layout, std::vector<DumpedArray> const& arrays)
{
  bool const any = layout.contains("hash") && layout["hash"].is_object() && layout["hash"].contains("homes");
  if (!any) { return; }
  Json& homes = layout["hash"]["homes"];
  if (homes.is_string()) { homes = Json{{"array", homes}}; }
  bool const is_open = homes.is_object() && !homes.contains("offset") && !homes.contains("stride");
  bool const has_slots = layout.contains("slots") && layout["slots"].is_number_unsigned() && layout["slots"] != 0;
  if (!is_open || !has_slots) { return; }
  auto const found = std::ranges::find(arrays, array_of(homes), &DumpedArray::name);
  if (found == arrays.end()) {  // reported when the description is compared with the arrays
    if (!homes.contains("bits")) { homes["bits"] = 32; }
    return;
  }
  auto const slots = layout["slots"].get<std::uint64_t>();
  std::uint64_t bits = found->bytes.size() % slots == 0 ? 8 * (found->bytes.size() / slots) : 0;
  std::string type = tr("{} bytes for {} slots", found->bytes.size(), slots);
  if (found->npy) {
    std::vector<NpyColumn> const& columns = found->npy->columns;
    bool const is_whole = columns.size() == 1 && (columns.front().kind == 'i' || columns.front().kind == 'u');
    bits = is_whole ? 8 * static_cast<std::uint64_t>(columns.front().bytes) : 0;
    type = columns.size() == 1 ? fmt::format("{}{}", columns.front().kind, columns.front().bytes)
                               : tr("{} columns", columns.size());
  }
  bool const is_as_said = !homes.contains("bits") || homes["bits"] == bits;
  if ((bits != 32 && bits != 64) || !is_as_said) {
    throw Error(
        tr("homes: '{}' has {}. Each slot needs its home slot as a whole number of 32 or 64 bits (uint32_t, uint64_t, "
           "size_t). Correct the array, or use \"offset\", \"stride\" and \"bits\" to say which bytes to read.",
           found->name, type));
  }
  Json place = found->npy ? part_of({&*found, &found->npy->columns.front()}) : Json{{"bits", bits}};
  place.update(homes);
  homes = std::move(place);
}

/// Fills gaps in the description from the files.
Json completed(Json layout, std::vector<DumpedArray> const& arrays)
{
  std::vector<Candidate> const all = all_columns_of(arrays);
  auto const is_meant = [&](char const* part) { return layout.contains(part) && layout[part].is_object(); };
  if (!layout.contains("key") && !all.empty()) { derive_parts(layout, all); }
  if (!all.empty() && is_meant("key") && says_no_place(layout["key"])) { place_in(layout["key"], column_of_keys(all)); }
  if (is_meant("value") && says_no_place(layout["value"])) {
    if (auto const value = named_one_of(all, value_names, "value")) { place_in(layout["value"], *value); }
  }
  for (char const* const part : {"key", "value"}) {
    if (layout.contains(part)) { resolve_field(layout[part], all, part); }
  }
  if (layout.contains("key")) { complete_place(layout["key"], all, "key", key_names, value_names); }
  if (layout.contains("value")) { complete_value(layout["value"], layout.value("key", Json()), all); }
  for (char const* const part : {"key", "value"}) {
    if (layout.contains(part)) { note_kind(layout[part], all); }
  }
  if (!layout.contains("slots")) {
    if (auto const slots = slots_in(arrays, layout)) { layout["slots"] = *slots; }
  }
  complete_homes(layout, arrays);
  return layout;
}

class DumpSource final : public Source {
public:
  DumpSource(Dump const& dump, Progress const& progress) : name_(path_text(dump.files.front().filename()))
  {
    if (!dump.layout.is_object()) { throw Error(tr("The description of the table must be an object: { ... }.")); }
    std::vector<DumpedArray> dumped;
    files_.reserve(dump.files.size());
    for (std::size_t i = 0; i < dump.files.size(); ++i) {
      constexpr double share_of_loading = 0.5;
      fs::path const& file = dump.files[i];
      Progress const of_file = part_of(progress, i, dump.files.size());
      files_.emplace_back(file, MappedFile::max_loaded, of_file.part(0.0, share_of_loading));
      add_arrays(file, dump.files.size() == 1, files_.back(), unpacked_, dumped, of_file.part(share_of_loading, 1.0));
    }
    tell_apart(dumped);
    leave_out_unusable(dumped, dump.layout);
    description_ = completed(dump.layout, dumped).dump();
    for (DumpedArray const& array : dumped) { arrays_.push_back({array.name, array.bytes.data(), array.bytes.size()}); }
  }

  Backend backend() const override { return Backend::cpu; }
  std::string name() const override { return name_; }
  std::string description() const override { return description_; }
  std::span<Array const> arrays() override { return arrays_; }
  bool refresh() override { return false; }
  bool is_stale() override
  {
    // Time between checks of the file. A file that is still being written changes again, so rare checks are enough.
    constexpr std::chrono::milliseconds rest(200);
    auto const now = std::chrono::steady_clock::now();
    if (now < next_look_) { return false; }
    next_look_ = now + rest;
    return std::ranges::any_of(files_, &MappedFile::is_stale);
  }
  std::vector<Event> take_events() override { return {}; }
  std::string manner() const override { return is_mapped() ? tr("a file, read in place") : tr("a file, loaded"); }
  bool is_mapped() const override { return std::ranges::any_of(files_, &MappedFile::is_mapped); }
  bool alive() const override { return true; }

private:
  std::string name_;
  std::vector<MappedFile> files_;
  std::deque<std::vector<std::byte>> unpacked_;
  std::vector<Array> arrays_;
  std::string description_;
  std::chrono::steady_clock::time_point next_look_{};
};

}  // namespace

std::unique_ptr<Source> open_dump(Dump const& dump, Progress const& progress)
{
  if (dump.files.empty()) { throw Error(tr("No file was given: name the file of the table to open.")); }
  return std::make_unique<DumpSource>(dump, progress);
}

bool is_dump(fs::path const& file)
{
  constexpr auto endings = std::to_array<std::string_view>({".npy", ".npz", ".bin", ".dat", ".raw"});
  return std::ranges::find(endings, extension_of(file)) != endings.end();
}

}  // namespace slotscape::watch

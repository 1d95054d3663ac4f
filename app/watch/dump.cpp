#include "app/watch/dump.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/npy.hpp"
#include "app/base/text.hpp"
#include "app/watch/mapped_file.hpp"
#include "app/watch/zip_members.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <deque>
#include <numeric>
#include <optional>
#include <utility>

namespace slotscape::watch {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view only_array = "slots";

/// An array of the dump, with what its header tells.
struct DumpedArray {
  std::string name;
  std::span<std::byte const> bytes;
  std::optional<NpyLayout> npy;  ///< its offsets are within `bytes`
};

std::string_view text_of(std::span<std::byte const> bytes)
{
  return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

/// The rows of a .npy file.
DumpedArray npy_array(fs::path const& file, std::string name, std::span<std::byte const> content)
{
  constexpr std::size_t head = 1u << 20;
  NpyLayout layout = npy_layout(file, text_of(content.first(std::min(head, content.size()))), content.size());
  auto const swapped = std::ranges::find_if(layout.columns, [](NpyColumn const& column) {
    return column.big_endian && column.bytes > 1;
  });
  if (swapped != layout.columns.end()) {
    throw Error(tr("{}: its numbers are big-endian; save array.astype(array.dtype.newbyteorder('<'))",
                   path_text(file.filename())));
  }
  return {std::move(name), content.subspan(layout.data), std::move(layout)};
}

std::uint64_t bytes_of(std::deque<std::vector<std::byte>> const& arrays)
{
  return std::accumulate(arrays.begin(), arrays.end(), std::uint64_t{0},
                         [](std::uint64_t bytes, auto const& array) { return bytes + array.size(); });
}

/// Of one of so many pieces of the work.
Progress part_of(Progress const& progress, std::size_t piece, std::size_t pieces)
{
  auto const share = [&](std::size_t done) { return static_cast<double>(done) / static_cast<double>(pieces); };
  return progress.part(share(piece), share(piece + 1));
}

/// The arrays of one file.
void add_arrays(fs::path const& file, std::string const& name, MappedFile const& content,
                std::deque<std::vector<std::byte>>& unpacked_arrays, std::vector<DumpedArray>& arrays,
                Progress const& progress)
{
  std::string_view const start = text_of(content.bytes()).substr(0, 6);
  if (start.starts_with("\x93NUMPY")) {
    arrays.push_back(npy_array(file, name, content.bytes()));
    return;
  }
  if (!start.starts_with("PK")) {
    arrays.push_back({name, content.bytes(), std::nullopt});
    return;
  }
  std::vector<ZipMember> const members = zip_members(file, content.bytes());
  for (std::size_t i = 0; i < members.size(); ++i) {
    ZipMember const& member = members[i];
    std::string const array = valid_text(fs::path(member.name).stem().string());
    std::span<std::byte const> bytes = member.stored;
    if (member.is_compressed) {
      unpacked_arrays.push_back(
          unpacked(file, member.name, max_unpacked - bytes_of(unpacked_arrays), part_of(progress, i, members.size())));
      bytes = unpacked_arrays.back();
    }
    arrays.push_back(npy_array(file, array, bytes));
  }
}

bool is_number(NpyColumn const& column)
{
  return column.kind == 'i' || column.kind == 'u' || column.kind == 'f' || column.kind == 'b';
}

/// A column of an array that may be what a description calls key or value.
struct Candidate {
  DumpedArray const* array;
  NpyColumn const* column;
};

std::vector<Candidate> columns_of(std::vector<DumpedArray> const& arrays)
{
  std::vector<Candidate> all;
  for (DumpedArray const& array : arrays) {
    if (!array.npy) { continue; }
    for (NpyColumn const& column : array.npy->columns) {
      if (is_number(column)) { all.push_back({&array, &column}); }
    }
  }
  return all;
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

/// The column whose name, or the name of whose array, is one of these.
std::optional<Candidate> named_one_of(std::vector<Candidate> const& all, std::span<std::string_view const> names)
{
  for (Candidate const& each : all) {
    std::string const& name = each.column->name.empty() ? each.array->name : each.column->name;
    if (std::ranges::find(names, lower_case(name)) != names.end()) { return each; }
  }
  return std::nullopt;
}

/// The array that a part names; empty if it names none. What is no text is refused where the description is read.
std::string array_of(Json const& part)
{
  auto const array = part.find("array");
  return array != part.end() && array->is_string() ? array->get<std::string>() : std::string();
}

/// Replaces "field" by what the header says of it.
void resolve_field(Json& part, std::vector<Candidate> const& all, std::string_view what)
{
  if (!part.is_object() || !part.contains("field")) { return; }
  std::string const field = part["field"].is_string() ? part["field"].get<std::string>() : std::string();
  std::string const array = array_of(part);
  auto const found = std::ranges::find_if(all, [&](Candidate const& each) {
    return each.column->name == field && (array.empty() || each.array->name == array);
  });
  if (found == all.end()) {
    std::vector<std::string> names;
    for (Candidate const& each : all) {
      if (!each.column->name.empty()) { names.push_back(each.column->name); }
    }
    throw Error(tr("{}: the file has no field '{}'; {}", what, field,
                   names.empty() ? std::string(tr("its arrays have no fields"))
                                 : tr("there are {}", listed(names, tr("and")))));
  }
  Json resolved = part_of(*found);
  for (auto const& [name, value] : part.items()) {
    if (name != "field") { resolved[name] = value; }
  }
  part = std::move(resolved);
}

/// Throws Error where each column has more bits than the part says: numbers side by side would be parts of theirs.
void check_width(Json const& part, std::vector<Candidate> const& all, std::string_view what)
{
  if (!part["bits"].is_number_integer()) { return; }
  auto const bits = part["bits"].get<std::int64_t>();
  std::vector<std::string> widths;
  for (Candidate const& each : all) {
    auto const width = static_cast<std::int64_t>(8 * each.column->bytes);
    if (width <= bits) { return; }
    std::string text = std::to_string(width);
    if (std::ranges::find(widths, text) == widths.end()) { widths.push_back(std::move(text)); }
  }
  if (widths.empty()) { return; }
  throw Error(
      tr("{}: \"bits\" is {}, and columns of the file have {}; correct it, or say by \"offset\" and "
         "\"stride\" which part of a number is meant",
         what, bits, listed(widths)));
}

/// The place of a part that only says how many bits it has: that of the array's column of so many, of which one with
/// one of these names comes first. The array may hold other columns between.
void complete_place(Json& part, std::vector<Candidate> const& all, std::string_view what,
                    std::span<std::string_view const> names)
{
  if (!part.is_object() || part.contains("offset") || part.contains("stride") || !part.contains("bits")) { return; }
  std::string const array = array_of(part);
  std::vector<Candidate> alike = all;
  std::erase_if(alike, [&](Candidate const& each) { return !array.empty() && each.array->name != array; });
  check_width(part, alike, what);
  std::erase_if(alike, [&](Candidate const& each) { return part["bits"] != 8 * each.column->bytes; });
  if (alike.empty()) { return; }
  Json place = part_of(named_one_of(alike, names).value_or(alike.front()));
  place.update(part);
  part = std::move(place);
}

/// The same of a value, which is another column than the key.
void complete_value(Json& value, Json const& key, std::vector<Candidate> all, std::span<std::string_view const> names)
{
  std::erase_if(all, [&](Candidate const& each) {
    Json const place = part_of(each);
    return key.is_object() && key.contains("offset") && key["offset"] == place["offset"] &&
           (array_of(key).empty() || key["array"] == place["array"]);
  });
  complete_place(value, all, "value", names);
}

/// Numbers are shown with a sign, or as floating-point numbers, where the file says that they are such.
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

/// A part that says what its numbers are, and not where they lie, is in this column.
void place_in(Json& part, Candidate const& column)
{
  constexpr auto of_place = std::to_array<char const*>({"array", "offset", "stride", "bits", "field"});
  bool const has_place = std::ranges::any_of(of_place, [&](char const* field) { return part.contains(field); });
  if (!part.is_object() || has_place) { return; }
  Json const place = part_of(column);
  for (auto const& [name, number] : place.items()) { part[name] = number; }
}

/// How many slots the array of the keys has.
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

/// What the files tell, where the description leaves it out.
Json completed(Json layout, std::vector<DumpedArray> const& arrays)
{
  constexpr auto key_names = std::to_array<std::string_view>({"key", "keys", "k", "first"});
  constexpr auto value_names = std::to_array<std::string_view>({"value", "values", "v", "val", "second"});
  std::vector<Candidate> const all = columns_of(arrays);
  bool const derives = !layout.contains("key") && !all.empty();
  if (derives) {
    Candidate const key = named_one_of(all, key_names).value_or(all.front());
    layout["key"] = part_of(key);
    bool const has_preset = layout.contains("preset") && layout["preset"].is_string();
    if (has_preset && !layout.contains("key_bits")) { layout["key_bits"] = 8 * key.column->bytes; }
    std::optional<Candidate> value = named_one_of(all, value_names);
    auto const second = std::ranges::find_if(all, [&](Candidate const& each) { return each.column != key.column; });
    if (!value && second != all.end() && all.size() == 2) { value = *second; }
    if (!layout.contains("value")) { layout["value"] = value ? part_of(*value) : Json(); }
    bool const tells_bits = value && (value->column->bytes == 4 || value->column->bytes == 8);
    if (has_preset && tells_bits && !layout.contains("value_bits")) { layout["value_bits"] = 8 * value->column->bytes; }
  }
  if (!all.empty() && layout.contains("key")) {
    place_in(layout["key"], named_one_of(all, key_names).value_or(all.front()));
  }
  if (auto const value = named_one_of(all, value_names); value && layout.contains("value")) {
    place_in(layout["value"], *value);
  }
  for (char const* const part : {"key", "value"}) {
    if (layout.contains(part)) { resolve_field(layout[part], all, part); }
  }
  if (layout.contains("key")) { complete_place(layout["key"], all, "key", key_names); }
  if (layout.contains("value")) { complete_value(layout["value"], layout.value("key", Json()), all, value_names); }
  for (char const* const part : {"key", "value"}) {
    if (layout.contains(part)) { note_kind(layout[part], all); }
  }
  if (!layout.contains("slots")) {
    if (auto const slots = slots_in(arrays, layout)) { layout["slots"] = *slots; }
  }
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
      std::string const name = dump.files.size() == 1 ? std::string(only_array) : path_text(file.stem());
      add_arrays(file, name, files_.back(), unpacked_, dumped, of_file.part(share_of_loading, 1.0));
    }
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
    // Every few looks are enough to see that a file was written; one that is being written changes again.
    constexpr std::chrono::milliseconds rest(200);
    auto const now = std::chrono::steady_clock::now();
    if (now < next_look_) { return false; }
    next_look_ = now + rest;
    return std::ranges::any_of(files_, &MappedFile::is_stale);
  }
  std::vector<Event> take_events() override { return {}; }
  std::string manner() const override
  {
    return is_mapped() ? tr("a file that is read in place") : tr("a file, loaded");
  }
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
  if (dump.files.empty()) { throw Error(tr("No file was named: which table is to be looked at?")); }
  return std::make_unique<DumpSource>(dump, progress);
}

bool is_dump(fs::path const& file)
{
  constexpr auto endings = std::to_array<std::string_view>({".npy", ".npz", ".bin", ".dat", ".raw"});
  return std::ranges::find(endings, extension_of(file)) != endings.end();
}

}  // namespace slotscape::watch

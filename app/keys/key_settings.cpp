#include "app/keys/key_settings.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/temporary_file.hpp"
#include "app/keys/files/columns.hpp"
#include "app/keys/files/key_file.hpp"
#include "app/keys/key_text.hpp"
#include "app/simulation/names.hpp"
#include "app/simulation/small_keys.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/pair_format.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

int key_bits_of(std::vector<Key> const& keys)
{
  return std::ranges::any_of(keys, [](Key key) { return is_reserved(key, 32); }) ? 64 : 32;
}

bool is_same_file(KeySettings const& left, KeySettings const& right)
{
  return left.file_name == right.file_name && left.file_column == right.file_column &&
         notes_of(left).reading == notes_of(right).reading;
}

void check_has_file(KeySettings const& keys)
{
  if (keys.distribution == KeyDistribution::file && keys.file_name.empty()) {
    throw Error("cannot save a key stream from a file without the file's name");
  }
}

using SharedKeys = std::shared_ptr<std::vector<Key> const>;

/// The keys of a file, read once per document. Throws Error if the file cannot be read.
SharedKeys keys_of(JsonSource& source, fs::path const& file, KeyReading const& reading)
{
  std::any& content =
      source.files[fmt::format("{}\n{}\n{}{}", file.native(), reading.column, reading.refuses_empty, reading.as_text)];
  if (!content.has_value()) { content = read_key_file(file, reading); }
  return std::any_cast<SharedKeys>(content);
}

constexpr std::array<std::string_view, 2> ways_with_empty_cells{"skip", "refuse"};

/// How an object says that its file is read.
KeyReading reading_in(JsonNode const& node, KeyReading reading)
{
  if (auto const column = node.find("column")) { reading.column = column->text(); }
  if (auto const empty = node.find("empty")) {
    reading.refuses_empty = empty->one_of(ways_with_empty_cells, "way with empty cells") == 1;
  }
  if (auto const as_text = node.find("as_text")) { reading.as_text = as_text->flag(); }
  return reading;
}

void read_file(JsonNode const& node, KeyReading const& reading, KeySettings& keys)
{
  JsonSource& source = node.source();
  fs::path const file = node.file();
  try {
    keys.file_keys = keys_of(source, file, reading);
  } catch (Error const& error) {
    if (source.losses == nullptr) { throw; }
    source.losses->push_back(fmt::format("Could not reload the last key file; using other keys.\n{}", error.what()));
    return;
  }
  keys.file_name = path_text(file);
  keys.file_column = reading.column;
  keys.distribution = KeyDistribution::file;
}

/// Small keys are a stream of their own in files.
void read_distribution(JsonNode const& node, KeySettings& keys)
{
  std::vector<std::string_view> names = enum_texts<KeyDistribution>();
  names.push_back(small_keys_name);
  std::size_t const chosen = node.one_of(names, "key distribution");
  if (names[chosen] == small_keys_name) {
    keys = small_keys(std::move(keys));
  } else {
    keys.distribution = *from_text<KeyDistribution>(names[chosen]);
  }
}

std::string_view distribution_text(KeySettings const& keys)
{
  return are_small(keys) ? small_keys_name : to_text(keys.distribution);
}

/// A setting of how a file is read: `read_key_settings` does that first.
Setting<KeySettings> file_setting(SettingText text, std::function<Json(KeySettings const&, fs::path const&)> write)
{
  return {text,
          {},
          {text.name, [](JsonNode const&, KeySettings&) {},
           [write = std::move(write)](KeySettings const& keys, fs::path const& folder) {
             return are_small(keys) ? Json() : write(keys, folder);
           }}};
}

Setting<KeySettings> column_setting()
{
  return file_setting({.name = "column",
                       .label = "Column",
                       .what = "of `file`: the name of the column with the keys, if it has several; or several names, "
                               "`\"day + user\"`"},
                      [](KeySettings const& keys, fs::path const&) {
                        return keys.file_column.empty() ? Json() : Json(keys.file_column);
                      });
}

Setting<KeySettings> empty_setting()
{
  return file_setting({.name = "empty", .what = "of `file`: `skip` or `refuse` empty cells", .standard = "`skip`"},
                      [](KeySettings const& keys, fs::path const&) {
                        return notes_of(keys).reading.refuses_empty ? Json(ways_with_empty_cells[1]) : Json();
                      });
}

Setting<KeySettings> as_text_setting()
{
  return file_setting(
      {.name = "as_text", .what = "of `file`: hash all keys as texts, even numbers", .standard = "`false`"},
      [](KeySettings const& keys, fs::path const&) { return notes_of(keys).reading.as_text ? Json(true) : Json(); });
}

Setting<KeySettings> repeat_setting()
{
  Setting<KeySettings> setting =
      flag_setting({.name = "repeat",
                    .label = "Repeat the file",
                    .what = "of `file`, begin again after its last key, instead of stopping there",
                    .hint = "After its last key, operations begin again at the first one, instead of stopping."},
                   &KeySettings::file_repeats);
  setting.field.write = [](KeySettings const& keys, fs::path const&) {
    return are_small(keys) ? Json() : Json(keys.file_repeats);
  };
  return setting;
}

bool is_of_file(SettingText const& text)
{
  return text.name == "column" || text.name == "empty" || text.name == "as_text" || text.name == "file";
}

}  // namespace

template <>
std::span<Setting<KeySettings> const> settings_of()
{
  using Keys = KeySettings;
  static auto const settings = std::to_array<Setting<Keys>>({
      power_setting({.name = "stride", .label = "Stride", .what = "of `strided`, the distance between keys"},
                    &Keys::stride),
      positive_setting({.name = "zipf_exponent",
                        .label = "Exponent",
                        .what = "of `zipf`, the exponent s of P(rank) ∼ rank^−s",
                        .option = "exponent"},
                       &Keys::zipf_exponent),
      power_setting({.name = "cluster_length",
                     .label = "Range",
                     .what = "of `clustered`, consecutive keys in a hot range",
                     .option = "length"},
                    &Keys::cluster_length),
      column_setting(),
      empty_setting(),
      as_text_setting(),
      file_setting({.name = "file", .what = "a key file, relative to the scenario; implies the distribution `file`"},
                   [](Keys const& keys, fs::path const& folder) {
                     return keys.file_name.empty() ? Json() : Json(relative_name(keys.file_name, folder));
                   }),
      repeat_setting(),
      {{.name = "distribution",
        .label = "New keys",
        .what = "see below",
        .hint = "The stream that inserts draw from. Changing it restarts the stream; the table keeps its keys."},
       {},
       {"distribution", read_distribution,
        [](Keys const& keys, fs::path const&) { return Json(distribution_text(keys)); }}},
  });
  return settings;
}

namespace {

SharedKeys read_keys(fs::path const& file, KeyReading const& reading, Findings const& more)
{
  key_files::MadeKeys made = key_files::read(file, reading);
  if (made.keys.empty()) {
    std::string const why = made.findings.empty() ? "" : fmt::format(" {}", fmt::join(made.findings, " "));
    throw Error(tr("{}: the file is empty or has no keys; write one key per line.{}", path_text(file), why));
  }
  add_findings(made.findings, more);
  KeyFileNotes notes{.reading = reading,
                     .with_sign = made.with_sign,
                     .hashed_from = made.hashed_from,
                     .are_floats = made.are_floats,
                     .units = std::move(made.units),
                     .key_bits = key_bits_of(made.keys),
                     .findings = std::move(made.findings),
                     .texts = std::move(made.texts),
                     .left_out = made.left_out,
                     .columns = std::move(made.columns)};
  return with_notes(std::move(made.keys), std::move(notes));
}

/// Found again whatever the present folder is.
std::string name_of(fs::path const& file)
{
  return path_text(fs::absolute(file).lexically_normal());
}

KeySettings with_keys(KeySettings keys, SharedKeys file_keys, fs::path const& file, std::string const& column)
{
  keys = without_small_keys(std::move(keys));
  keys.file_keys = std::move(file_keys);
  keys.file_name = name_of(file);
  keys.file_column = column;
  keys.distribution = KeyDistribution::file;
  return keys;
}

}  // namespace

std::shared_ptr<std::vector<Key> const> read_key_file(fs::path const& file, KeyReading const& reading)
{
  return read_keys(file, reading, {});
}

KeySettings with_opened_key_file(KeySettings keys, fs::path const& file)
{
  bool const is_known = keys.distribution == KeyDistribution::file || keys.file_keys;  // another pattern came between
  bool const as_before =
      is_known && !keys.file_column.empty() && key_files::has_columns(keys.file_column, key_columns(file));
  if (as_before && keys.file_name == name_of(file)) {
    KeyReading const reading = notes_of(keys).reading;
    return with_key_file(std::move(keys), file, reading);
  }
  std::string const column = as_before ? keys.file_column : likely_key_column(file);
  Findings findings;
  if (!column.empty() && key_columns(file).size() > 1) {
    findings.push_back(
        tr("{}: it has several columns, and the keys are taken from '{}'. Choose another one "
           "beside 'Column'.",
           path_text(file.filename()), column));
  }
  return with_keys(std::move(keys), read_keys(file, {column}, findings), file, column);
}

KeySettings with_key_file(KeySettings keys, fs::path const& file, KeyReading const& reading)
{
  return with_keys(std::move(keys), read_key_file(file, reading), file, reading.column);
}

KeySettings with_temporary_key_file(fs::path const& file, bool with_sign, Findings const& more)
{
  auto temporary = std::make_shared<TemporaryFile>(file);
  KeySettings keys = with_key_file({}, file);
  KeyFileNotes& notes = *editable_notes_of(keys);
  notes.file = std::move(temporary);
  notes.with_sign = with_sign;
  if (with_sign) { notes.findings.clear(); }  // of numbers beyond 32 bits, which they are not
  add_findings(notes.findings, more);
  return keys;
}

int key_bits_for(KeySettings const& keys)
{
  bool const is_file = keys.distribution == KeyDistribution::file && keys.file_keys;
  if (!is_file) { return 32; }
  KeyFileNotes const* const notes = editable_notes_of(keys);
  return notes == nullptr ? key_bits_of(*keys.file_keys) : notes->key_bits;
}

Findings key_findings(KeySettings const& keys)
{
  return keys.distribution == KeyDistribution::file ? notes_of(keys).findings : Findings();
}

std::string name_of_keys(KeySettings const& keys)
{
  std::string const file = path_text(path_of_text(keys.file_name).filename());
  return keys.file_column.empty() ? file : tr("column '{}' of {}", keys.file_column, file);
}

std::string why_not_comparable(KeySettings const& left, KeySettings const& right)
{
  if (!left.file_keys || !right.file_keys) { return {}; }
  auto const name = name_of_keys;
  bool const left_has_numbers = notes_of(left).hashed_from == HashedFrom::nothing;
  bool const right_has_numbers = notes_of(right).hashed_from == HashedFrom::nothing;
  if (left_has_numbers != right_has_numbers) {
    return tr(
        "Texts never equal numbers: {} has numbers, and {} has texts or several columns. Choose columns "
        "of one kind, or read both as texts.",
        name(left_has_numbers ? left : right), name(left_has_numbers ? right : left));
  }
  if (!left_has_numbers && notes_of(left).hashed_from != notes_of(right).hashed_from) {
    bool const left_has_rows = notes_of(left).hashed_from == HashedFrom::rows;
    return tr(
        "Each key of {} is of several columns, and each of {} is one text: no key would be equal. Choose as many "
        "columns of both.",
        name(left_has_rows ? left : right), name(left_has_rows ? right : left));
  }
  bool const both_tell = !notes_of(left).units.empty() && !notes_of(right).units.empty();
  if (notes_of(left).units != notes_of(right).units && (both_tell || notes_of(left).hashed_from == HashedFrom::rows)) {
    auto const unit = [](KeySettings const& keys) {
      std::string const& units = notes_of(keys).units;
      return units.empty() ? std::string(tr("none")) : units;
    };
    return tr(
        "Dates and times are equal in the same type only: that of {} is {}, and that of {} is {}. Save both in one, "
        "in NumPy by array.astype('M8[s]').",
        name(left), unit(left), name(right), unit(right));
  }
  if (notes_of(left).are_floats != notes_of(right).are_floats) {
    bool const is_left = notes_of(left).are_floats;
    return tr(
        "{} has numbers with fractions, so that its keys are the bits of floating-point numbers, and {} has whole "
        "numbers: no key would be equal. Read both as texts: --as-text, or \"as_text\": true in a scenario.",
        name(is_left ? left : right), name(is_left ? right : left));
  }
  if (!left_has_numbers || notes_of(left).with_sign == notes_of(right).with_sign) { return {}; }
  bool const left_has_sign = notes_of(left).with_sign;
  auto const& unsigned_keys = *(left_has_sign ? right : left).file_keys;
  auto const too_large = std::ranges::find_if(unsigned_keys, [](Key key) { return key >> 63 != 0; });
  if (too_large == unsigned_keys.end()) { return {}; }
  return tr(
      "{} has negative numbers, and {} has {}: tables would take such numbers for the same. Numbers "
      "are either from -9223372036854775808 to 9223372036854775807, or from 0 to "
      "18446744073709551615.",
      name(left_has_sign ? left : right), name(left_has_sign ? right : left), *too_large);
}

void check_comparable(KeySettings const& left, KeySettings const& right)
{
  if (std::string const why = why_not_comparable(left, right); !why.empty()) { throw Error(why); }
}

void check_keys_fit(KeySettings const& keys, int key_bits)
{
  if (keys.distribution != KeyDistribution::file || !keys.file_keys) { return; }
  auto const refused = std::ranges::find_if(*keys.file_keys, [&](Key key) { return is_reserved(key, key_bits); });
  if (refused == keys.file_keys->end()) { return; }
  KeyStyle const style = notes_of(keys).with_sign ? KeyStyle::with_sign : KeyStyle::numbers;
  throw Error(
      tr("{}: key {} is {}, and tables with {}-bit keys take keys up to {} (cells that were left out do not "
         "count). Use 64-bit keys: --key-bits 64, \"key_bits\": 64, or 64 beside 'Key bits'",
         keys.file_name, refused - keys.file_keys->begin() + 1, key_text(*refused, style), key_bits,
         largest_key(key_bits)));
}

KeySettings read_key_settings(JsonNode const& node, KeySettings const& base)
{
  bool const names_stream = node.is_text() || node.find("distribution") || node.find("file");
  KeySettings keys = names_stream ? without_small_keys(base) : base;
  if (node.is_text()) {
    read_distribution(node, keys);
  } else {
    if (auto const file = node.find("file")) { read_file(*file, reading_in(node, {}), keys); }
    read_object<KeySettings>(node, fields_of<KeySettings>(), keys);
  }
  if (keys.distribution == KeyDistribution::file && !keys.file_keys) {
    if (node.source().losses == nullptr) {
      node.fail(tr(R"(keys from a file need the file's name: { "file": "keys.txt" })"));
    }
    keys.distribution = base.distribution;
  }
  return keys;
}

Json key_settings_json(KeySettings const& keys, fs::path const& folder)
{
  check_has_file(keys);
  Json json;
  json["distribution"] = nullptr;  // comes first
  write_fields<KeySettings>(json, folder, fields_of<KeySettings>(), keys);
  return json;
}

Json key_settings_json(KeySettings const& keys, KeySettings const& base, fs::path const& folder)
{
  check_has_file(keys);
  bool const other_file = !is_same_file(keys, base) && !keys.file_name.empty() && !are_small(keys);
  Json changed = Json::object();
  Json of_file = Json::object();
  for (Setting<KeySettings> const& setting : settings_of<KeySettings>()) {
    std::string const name(setting.text.name);
    if (name == "distribution") { continue; }
    Json value = setting.field.write(keys, folder);
    if (value.is_null()) { continue; }
    if (is_of_file(setting.text)) {
      of_file[name] = std::move(value);
    } else if (value != setting.field.write(base, folder)) {
      changed[name] = std::move(value);
    }
  }
  if (changed.empty() && !other_file) { return distribution_text(keys); }
  Json json;
  bool const implied = other_file && keys.distribution == KeyDistribution::file;
  if (!implied) { json["distribution"] = distribution_text(keys); }
  json.update(changed);
  if (other_file) { json.update(of_file); }
  return json;
}

}  // namespace slotscape

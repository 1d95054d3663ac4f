#include "app/keys/keys_json.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/scenario_files.hpp"
#include "app/keys/typed_keys.hpp"
#include "app/simulation/names.hpp"
#include "app/simulation/small_keys.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

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

/// The keys of a file, read once per document. Throws Error if the file cannot be read.
SharedKeys keys_of(JsonSource& source, fs::path const& file, KeyReading const& reading)
{
  std::any& content =
      source.files[fmt::format("{}\n{}\n{}{}", file.string(), reading.column, reading.refuses_empty, reading.as_text)];
  if (!content.has_value()) { content = read_key_file(file, reading); }
  return std::any_cast<SharedKeys>(content);
}

constexpr std::array<std::string_view, 2> ways_with_empty_cells{"skip", "refuse"};

/// The settings by which an object's file is read.
KeyReading reading_in(JsonNode const& node, KeyReading reading)
{
  if (auto const column = node.find("column")) { reading.column = column->text(); }
  if (auto const empty = node.find("empty")) {
    reading.refuses_empty = empty->one_of(ways_with_empty_cells, "treatment of empty cells") == 1;
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

/// In files, small keys are a separate distribution.
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

/// A setting of how a file is read; `read_key_settings` reads these settings first.
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
                    .hint = "After its last key, operations start over from the first instead of stopping."},
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
        .hint = "The stream of new keys to insert. Changing it restarts the stream; the table keeps its keys."},
       {},
       {"distribution", read_distribution,
        [](Keys const& keys, fs::path const&) { return Json(distribution_text(keys)); }}},
  });
  return settings;
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

Key read_key(JsonNode const& node, int key_bits)
{
  auto const negative = node.negative();
  if (negative && key_bits < 64) { node.fail("negative keys need a table of 64-bit keys: \"key_bits\": 64"); }
  return negative ? key_of_signed(*negative) : node.whole_number(0, std::numeric_limits<Key>::max());
}

OnKey read_on_key(JsonNode const& step, Operation operation, int key_bits, std::vector<std::string_view> others)
{
  bool const has_value = operation == Operation::insert;
  others.push_back("key");
  if (has_value) { others.push_back("value"); }
  step.expect_fields(others);
  OnKey on_key{operation, read_key(step.at("key"), key_bits), 0};
  if (auto const value = step.find("value")) {
    on_key.value = static_cast<Value>(value->whole_number(0, std::numeric_limits<Value>::max()));
  }
  if (std::string const wrong = why_refused(on_key, key_bits); !wrong.empty()) { step.fail(wrong); }
  return on_key;
}

Json on_key_json(OnKey const& on_key)
{
  Json step{{"op", to_text(on_key.operation)}, {"key", on_key.key}};
  if (on_key.operation == Operation::insert) { step["value"] = on_key.value; }
  return step;
}

namespace {

constexpr std::size_t max_in_scenario = 4096;  ///< more pairs are written to a separate file
constexpr std::string_view pairs_extension = ".pairs";
static_assert(std::endian::native == std::endian::little, "the words of a file of pairs are little-endian");
static_assert(sizeof(Pair) == 2 * sizeof(std::uint64_t));

Pair read_pair(JsonNode const& node, int key_bits)
{
  if (!node.is_list()) { return {read_key(node, key_bits), 0}; }
  std::vector<JsonNode> const numbers = node.elements();
  if (numbers.size() != 2) { node.fail("it must be a key, or a key and its value: [33, 5]"); }
  return {read_key(numbers[0], key_bits), numbers[1].whole_number(0, std::numeric_limits<Value>::max())};
}

std::vector<Pair> read_list(JsonNode const& list, Operation operation, int key_bits)
{
  std::vector<Pair> pairs;
  for (JsonNode const& node : list.elements()) {
    if (operation != Operation::insert && node.is_list()) {
      node.fail(tr("only insertions have values; give the key alone"));
    }
    pairs.push_back(read_pair(node, key_bits));
    std::string const wrong = why_refused({operation, pairs.back().key, pairs.back().value}, key_bits);
    if (!wrong.empty()) { node.fail(wrong); }
  }
  return pairs;
}

SharedPairs read_pairs(JsonNode const& node, fs::path const& file, Operation operation, int key_bits)
{
  SharedPairs pairs = read_pairs_file(file);
  for (std::size_t i = 0; i < pairs->size(); ++i) {
    std::string const wrong = why_refused({operation, (*pairs)[i].key, (*pairs)[i].value}, key_bits);
    if (!wrong.empty()) { node.fail(tr("{}: pair {}: {}", path_text(file), i + 1, wrong)); }
  }
  return pairs;
}

}  // namespace

std::optional<OnKeys> read_on_keys(JsonNode const& step, Operation operation, int key_bits)
{
  if (auto const name = step.find("pairs")) {
    step.expect_fields({"op", "pairs"});
    fs::path const file = name->file();
    return OnKeys{operation, read_pairs(*name, file, operation, key_bits), path_text(file)};
  }
  auto const list = step.find("keys");
  if (!list || !list->is_list()) { return std::nullopt; }
  step.expect_fields({"op", "keys"});
  return OnKeys{operation, std::make_shared<std::vector<Pair> const>(read_list(*list, operation, key_bits))};
}

Json on_keys_json(OnKeys const& on_keys, fs::path const& folder)
{
  Json step{{"op", to_text(on_keys.operation)}};
  if (!on_keys.file.empty()) {
    step["pairs"] = relative_name(on_keys.file, folder);
    return step;
  }
  step["keys"] = Json::array();
  for (Pair const& pair : *on_keys.pairs) {
    bool const has_value = on_keys.operation == Operation::insert && pair.value != 0;
    step["keys"].push_back(!has_value ? Json(pair.key) : Json::array({pair.key, pair.value}));
  }
  return step;
}

SharedPairs read_pairs_file(fs::path const& file)
{
  std::string const bytes = read_input_file(file);
  if (bytes.size() % sizeof(Pair) != 0) {
    throw Error(
        tr("{}: {} bytes is not a multiple of {}; a file of pairs contains little-endian 64-bit words, "
           "a key and its value in turn",
           path_text(file), bytes.size(), sizeof(Pair)));
  }
  std::vector<Pair> pairs(bytes.size() / sizeof(Pair));
  if (!pairs.empty()) { std::memcpy(pairs.data(), bytes.data(), bytes.size()); }
  return std::make_shared<std::vector<Pair> const>(std::move(pairs));
}

Paths write_pairs_beside(std::vector<Action>& steps, fs::path const& scenario)
{
  Paths written;
  for (Action& step : steps) {
    auto* const on_keys = std::get_if<OnKeys>(&step);
    if (on_keys == nullptr || on_keys->pairs.size() <= max_in_scenario) { continue; }
    // An existing file belongs to another scenario, or to the one that is about to be replaced.
    fs::path const file = free_file_beside(scenario, pairs_extension);
    auto const* const bytes = reinterpret_cast<char const*>(on_keys->pairs->data());
    try {
      write_text_file(file, {bytes, on_keys->pairs->size() * sizeof(Pair)});
    } catch (...) {
      std::ranges::for_each(written, remove_quietly);
      throw;
    }
    on_keys->file = path_text(fs::absolute(file).lexically_normal());
    written.push_back(file);
  }
  return written;
}

}  // namespace slotscape

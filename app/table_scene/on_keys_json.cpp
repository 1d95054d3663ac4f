#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/scenario_files.hpp"
#include "app/keys/typed_keys.hpp"
#include "app/table_scene/setup.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t max_in_scenario = 4096;  ///< more pairs than these go to a file of their own
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

SharedPairs read_file(JsonNode const& node, fs::path const& file, Operation operation, int key_bits)
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
    return OnKeys{operation, read_file(*name, file, operation, key_bits), path_text(file)};
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

Paths write_pairs_beside(TableSetup& set_up, fs::path const& scenario)
{
  Paths written;
  for (Action& step : set_up.steps) {
    auto* const on_keys = std::get_if<OnKeys>(&step);
    if (on_keys == nullptr || on_keys->pairs.size() <= max_in_scenario) { continue; }
    // One that exists belongs to another scenario, or to the one that is about to be replaced.
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

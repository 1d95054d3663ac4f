#include "app/scenes/watch/scene.hpp"

#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/simulation/families.hpp"
#include "app/table_scene/key_settings.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace slotscape {
namespace {

constexpr std::uint64_t max_keys_elsewhere = std::uint64_t{1} << 22;

/// The family here that is most like the table.
std::string family_like(watch::Description const& table)
{
  switch (table.probing.scheme) {
    case watch::Scheme::double_hashing: return "double_hashing";
    case watch::Scheme::quadratic: return "quadratic";
    case watch::Scheme::cuckoo: return "cuckoo";
    case watch::Scheme::chains: return "slab";
    default: return "linear_probing";
  }
}

/// Keys of 16 bytes go by their hashes.
int width_here(watch::Description const& table)
{
  return std::min(table.key.bits, 64);
}

/// Where other scenes find the keys, also after the table is gone: a file of 64-bit words.
std::filesystem::path key_file_of(watch::WatchedTable& table)
{
  std::string words;
  for (Pair const& pair : table.pairs(max_keys_elsewhere)) {
    if (is_reserved(pair.key, width_here(table.description()))) { continue; }
    words.append(reinterpret_cast<char const*>(&pair.key), sizeof(pair.key));
  }
  constexpr std::string_view ending = ".u64";
  std::string name = (std::filesystem::temp_directory_path() / "slotscape-keys-XXXXXX").string().append(ending);
  int const made = ::mkstemps(name.data(), ending.size());
  if (made < 0) { throw Error(fmt::format("Could not write the keys to {}: {}.", name, std::strerror(errno))); }
  ::close(made);
  write_text_file(name, words);
  return name;
}

/// Keys and values that no table here takes are left out.
SharedPairs allowed(std::vector<Pair> pairs, int key_bits)
{
  std::erase_if(pairs, [&](Pair const& pair) { return is_reserved(pair.key, key_bits); });
  for (Pair& pair : pairs) { pair.value = std::min(pair.value, largest_value(key_bits)); }
  return std::make_shared<std::vector<Pair> const>(std::move(pairs));
}

}  // namespace

TableSetup WatchScene::keys_elsewhere() const
{
  TableSetup set_up;
  watch::Description const& table = state_.description;
  TableSceneSettings& settings = set_up.settings;
  std::vector<Pair> pairs = table_->pairs(max_keys_elsewhere + 1);
  if (pairs.size() > max_keys_elsewhere) {
    throw Error(fmt::format("The table has more than {} keys, the most that other scenes take over.",
                            grouped(max_keys_elsewhere)));
  }
  if (pairs.empty()) { throw Error("The table has no keys that another scene could take over."); }
  settings.table.key_bits = width_here(table);
  settings.table.family = family_like(table);
  FamilyInfo const& family = family_info(settings.table.family);
  if (!family.wide) { settings.table.family = "linear_probing"; }
  settings.table.slots =
      suitable_slots(family_info(settings.table.family).slot_counts, std::max(table.slots, min_slots));
  settings.drive.target_load =
      static_cast<double>(pairs.size()) / static_cast<double>(std::max<std::uint64_t>(settings.table.slots, 1));
  settings.drive.hold_load = false;
  OnKeys insert{Operation::insert, allowed(std::move(pairs), width_here(table))};
  set_up.steps = {std::move(insert)};
  set_up.whole_batches = true;
  return set_up;
}

/// What comparing and tuning take over when they are shown next.
SceneSetup WatchScene::set_up_for_others() const
{
  if (handed_over_) { return *handed_over_; }
  if (!table_) { return {}; }
  try {
    return keys_elsewhere();
  } catch (Error const&) {
    return {};
  }
}

void WatchScene::handle(SameKeysIn const& request)
{
  if (!table_) { return; }
  TableSetup set_up = keys_elsewhere();
  if (request.scene == "compare") {
    CompareSetup compared;
    compared.shared = std::move(set_up);
    TableSettings const own = compared.shared.settings.table;
    TableSettings other = own;
    other.family = "segmented_cuckoo";
    other.parameters.clear();
    other.slots = suitable_slots(family_info(other.family).slot_counts, own.slots);
    compared.tables = {own, other};
    return show_scene({"compare", std::move(compared)});
  }
  set_up.settings.keys = with_temporary_key_file(key_file_of(*table_));
  set_up.hands_over_keys = true;
  handed_over_ = std::move(set_up);
  show_scene({request.scene, {}});
}

}  // namespace slotscape

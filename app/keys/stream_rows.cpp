#include "app/base/text.hpp"
#include "app/keys/gui.hpp"
#include "app/keys/keys_json.hpp"
#include "app/simulation/small_keys.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/setting_row.hpp"
#include "gpu/base/translation.hpp"

#include <utility>

namespace slotscape {

bool choose_stream(KeySettings& keys)
{
  constexpr char const* small_label = translatable("1 to 99");
  bool const small = are_small(keys);
  if (!ImGui::BeginCombo("##distribution", small ? tr(small_label) : translated(to_label(keys.distribution)).c_str())) {
    return false;
  }
  bool changed = false;
  for (EnumName<KeyDistribution> const& name : enum_names<KeyDistribution>()) {
    if (name.value == KeyDistribution::file && ImGui::Selectable(translated_label(small_label).c_str(), small) &&
        !small) {
      keys = small_keys(std::move(keys));
      changed = true;
    }
    bool const is_present = !small && name.value == keys.distribution;
    if (ImGui::Selectable(translated_label(name.label).c_str(), is_present) && !is_present) {
      keys = without_small_keys(std::move(keys));
      keys.distribution = name.value;
      changed = true;
    }
  }
  ImGui::EndCombo();
  return changed;
}

std::string describe_keys(KeySettings const& keys, int key_bits)
{
  if (are_small(keys)) { return tr("The numbers from 1 to 99 in random order, over and over."); }
  switch (keys.distribution) {
    case KeyDistribution::uniform: return tr("Distinct keys, spread evenly over {} bits.", key_bits);
    case KeyDistribution::sequential: return tr("Consecutive numbers.");
    case KeyDistribution::strided: return tr("Numbers a fixed stride apart: the identity hash piles them up.");
    case KeyDistribution::zipf: return tr("A few keys are very frequent, most are rare.");
    case KeyDistribution::clustered: return tr("Ranges of consecutive numbers at random places.");
    case KeyDistribution::one_home: return tr("Every key has the same home slot: the worst case.");
    case KeyDistribution::file: break;
  }
  return keys.file_keys ? tr("{} keys from {}", grouped(keys.file_keys->size()), keys.file_name)
                        : std::string(tr("No file yet: drop one on the window or open it."));
}

bool key_parameter_rows(Look const& look, KeySettings& keys)
{
  switch (keys.distribution) {
    case KeyDistribution::strided: return setting_row(look, "stride", keys, {.high = 1 << 24});
    case KeyDistribution::clustered: return setting_row(look, "cluster_length", keys, {.high = 1 << 20});
    case KeyDistribution::zipf: return setting_row(look, "zipf_exponent", keys, {.low = 0.1, .high = 2.5});
    case KeyDistribution::file: return !are_small(keys) && setting_row(look, "repeat", keys);
    default: return false;
  }
}

std::optional<std::string> column_row(Look const& look, KeySettings const& keys)
{
  std::vector<std::string> const& columns = notes_of(keys).columns;
  std::optional<std::string> chosen;
  if (keys.distribution != KeyDistribution::file || columns.size() < 2) { return chosen; }
  setting_label(look, setting_named<KeySettings>("column").text);
  if (!ImGui::BeginCombo("##column", keys.file_column.c_str())) { return chosen; }
  for (std::string const& column : columns) {
    if (ImGui::Selectable(column.c_str(), column == keys.file_column)) { chosen = column; }
  }
  ImGui::EndCombo();
  return chosen;
}

}  // namespace slotscape

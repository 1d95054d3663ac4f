#include "app/base/text.hpp"
#include "app/table_scene/gui.hpp"
#include "app/widgets/controls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace slotscape {
namespace {

/// A slider over powers of two.
bool power_of_two(Look const& look, char const* id, std::uint32_t& value, int most_log2)
{
  double power = std::bit_width(std::max(value, 1u)) - 1;
  std::string const shown = grouped(value);
  if (!slider(look, id, power, 0.0, most_log2, shown)) { return false; }
  std::uint32_t const chosen = std::uint32_t{1} << std::lround(power);
  return std::exchange(value, chosen) != chosen;
}

}  // namespace

std::string describe_keys(KeySettings const& keys, int key_bits)
{
  switch (keys.distribution) {
    case KeyDistribution::uniform: return fmt::format("Distinct keys, spread evenly over {} bits.", key_bits);
    case KeyDistribution::sequential: return "Consecutive numbers.";
    case KeyDistribution::strided: return "Numbers a fixed stride apart: the identity hash piles them up.";
    case KeyDistribution::zipf: return "A few keys are very frequent, most are rare.";
    case KeyDistribution::clustered: return "Ranges of consecutive numbers at random places.";
    case KeyDistribution::one_home: return "Every key has the same home slot: the worst case.";
    case KeyDistribution::file: break;
  }
  return keys.file_keys ? fmt::format("{} keys from {}", grouped(keys.file_keys->size()), keys.file_name)
                        : std::string("No file yet: drop one on the window or open it.");
}

bool key_parameter_rows(Look const& look, KeySettings& keys)
{
  switch (keys.distribution) {
    case KeyDistribution::strided: row_label(look, "Stride"); return power_of_two(look, "##stride", keys.stride, 24);
    case KeyDistribution::clustered:
      row_label(look, "Range");
      return power_of_two(look, "##range", keys.cluster_length, 20);
    case KeyDistribution::zipf: {
      row_label(look, "Exponent");
      return slider(look, "##exponent", keys.zipf_exponent, 0.1, 2.5, fmt::format("{:.2f}", keys.zipf_exponent));
    }
    case KeyDistribution::file: {
      bool const changed = ImGui::Checkbox("Repeat the file", &keys.file_repeats);
      hint(look, "After its last key, inserts begin again at the first one, instead of stopping.");
      return changed;
    }
    default: return false;
  }
}

void keys_panel(Look const& look, TableState& state)
{
  heading(look, "KEYS");
  KeySettings& keys = state.settings.keys;
  KeySettings wanted = keys;
  row_label(look, "New keys");
  bool changed = choose("##distribution", wanted.distribution);
  hint(look, "The stream that inserts draw from. Changing it restarts the stream; the table keeps its keys.");
  changed = key_parameter_rows(look, wanted) || changed;
  remark(look, describe_keys(wanted, state.settings.table.key_bits));
  bool const needs_file = wanted.distribution == KeyDistribution::file && !wanted.file_keys;
  if (changed && needs_file) {
    state.ask(ChooseKeyFile{});
  } else if (changed) {
    keys = wanted;
    state.act(SetKeys{keys});
  }
}

}  // namespace slotscape

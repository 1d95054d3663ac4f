#include "app/scenes/tune/settings.hpp"

#include "app/keys/file_keys.hpp"
#include "gpu/base/error.hpp"

#include <algorithm>
#include <array>

namespace slotscape {
namespace {

/// A new workload starts from defaults, instead of modifying the previous one.
Field<TuneSettings> workload_field()
{
  return {"workload",
          [](JsonNode const& node, TuneSettings& settings) {
            settings.workload = tuning::workload_of(node);
            try {
              tuning::validate(settings.workload);
            } catch (Error const& error) {
              node.fail(error.what());
            }
          },
          [](TuneSettings const& settings, std::filesystem::path const& folder) {
            return object_of_fields(folder, settings.workload);
          }};
}

/// The preset's workload, but with the current shards if tables can have them, and with the user's key files.
tuning::Workload workload_of_preset(TuneSettings const& settings, tuning::Preset const& preset)
{
  tuning::Workload const& now = settings.workload;
  tuning::Workload workload = preset.workload;
  if (!workload.join) { workload.division = now.division; }
  if (now.source.distribution != KeyDistribution::file) { return workload; }
  workload.source = now.source;
  workload.keys = now.keys;
  workload.key_bits = std::max(workload.key_bits, key_bits_for(now.source));
  if (!workload.join) { return workload; }
  workload.join->rows_per_key = 1;  // the file determines it
  workload.join->probe_rows = 0;
  if (now.join && now.join->probes_file()) {
    workload.join = now.join;
    workload.join->kind = preset.workload.join->kind;
    workload.key_bits = std::max(workload.key_bits, key_bits_for(now.join->probe));
  }
  return workload;
}

}  // namespace

void use_preset(TuneSettings& settings, tuning::Preset const& preset)
{
  settings.workload = workload_of_preset(settings, preset);
}

bool has_preset(TuneSettings const& settings, tuning::Preset const& preset)
{
  return settings.workload == workload_of_preset(settings, preset);
}

template <>
std::span<EnumName<TuneView> const> enum_names()
{
  static constexpr std::array names{
      EnumName<TuneView>{TuneView::tradeoff, "tradeoff", "Memory"},
      EnumName<TuneView>{TuneView::load, "load", "Load factor"},
      EnumName<TuneView>{TuneView::latency, "latency", "Latency"},
      EnumName<TuneView>{TuneView::all, "all", "All three"},
      EnumName<TuneView>{TuneView::code, "code", "Code"},
  };
  return names;
}

template <>
std::span<Setting<TuneSettings> const> settings_of()
{
  using Settings = TuneSettings;
  static auto const settings = std::to_array<Setting<Settings>>({
      other_setting("what the table is for, with the fields of [workloads](manual/tune.md#workloads)", workload_field(),
                    "2^20 random keys; a quarter insertions, half hits, a quarter misses"),
      number_setting(
          {.name = "seconds",
           .label = "Time",
           .what = "that a sweep may take",
           .hint = "How long a sweep may take. The answer uses the tables measured by then; Space resumes the sweep."},
          &Settings::budget_seconds, tuning::shortest_budget, tuning::longest_budget, Scale::log),
      whole_setting({.name = "seed", .what = "of the keys"}, &Settings::seed),
      choice_setting({.name = "view", .what = "what the canvas shows", .more = {"V", "Next plot"}}, &Settings::view,
                     "view"),
      flag_setting({.name = "printed", .what = "lay rates from papers over the plots"}, &Settings::printed),
      choice_setting({.name = "code", .what = "the library that the code is for"}, &Settings::code, "library"),
  });
  return settings;
}

template <>
std::span<Setting<TuneSetup> const> settings_of()
{
  static std::vector<Setting<TuneSetup>> const settings = [] {
    std::vector<Setting<TuneSetup>> list;
    add_settings_of_part<TuneSettings>(
        list, [](auto& set_up) -> auto& { return set_up.settings; });
    list.push_back(flag_setting({.name = "start",
                                 .what = "start the sweep at once; with `--headless`, the picture waits for its end"},
                                &TuneSetup::start));
    return list;
  }();
  return settings;
}

}  // namespace slotscape

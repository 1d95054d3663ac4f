#pragma once

#include "app/base/setting.hpp"
#include "app/scene/file_question.hpp"
#include "app/tuning/code.hpp"
#include "app/tuning/sweep.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace slotscape {

/// What the canvas shows.
enum class TuneView : std::uint8_t { tradeoff, load, latency, all, code };
template <>
std::span<EnumName<TuneView> const> enum_names();

struct TuneSettings {
  tuning::Workload workload = {};
  double budget_seconds = 120.0;  ///< of a sweep
  std::uint64_t seed = 1;         ///< of the keys
  TuneView view = TuneView::tradeoff;
  bool printed = false;  ///< what papers print is laid over the plots
  tuning::CodeFor code = tuning::CodeFor::slotscape;
  friend bool operator==(TuneSettings const&, TuneSettings const&) = default;
};

/// A sweep, which outlives the scene: it waits while another one is shown, whose work would disturb its times.
struct TuneRun {
  tuning::Workload workload;
  tuning::SweepSettings settings;
  std::unique_ptr<tuning::Sweep> sweep;
  bool waits = false;  ///< for the scene to be shown again
};

/// Starts a sweep. `known`: what an earlier one of the same workload has found.
using StartSweep = std::function<std::unique_ptr<tuning::Sweep>(
    tuning::Workload const& workload, tuning::SweepSettings const& settings, std::vector<tuning::Measured> known)>;

struct TuneSetup {
  TuneSettings settings = {};
  bool start = false;                             ///< a sweep, at once
  std::vector<int> devices = {};                  ///< the numbers of those that were named; not saved
  std::shared_ptr<TuneRun> run = {};              ///< the one that is there; not saved
  std::optional<tuning::Present> elsewhere = {};  ///< the table that another scene shows; not saved
  StartSweep start_sweep = {};                    ///< empty: on the device; not saved
};
/// Takes a preset's workload, and whether it is set. Shards are about the devices, and stay; so do keys of files.
void use_preset(TuneSettings& settings, tuning::Preset const& preset);
bool has_preset(TuneSettings const& settings, tuning::Preset const& preset);

template <>
std::span<Setting<TuneSettings> const> settings_of();
template <>
std::span<Setting<TuneSetup> const> settings_of();

}  // namespace slotscape

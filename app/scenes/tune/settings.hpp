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

/// What the canvas displays.
enum class TuneView : std::uint8_t { tradeoff, load, latency, all, code };
template <>
std::span<EnumName<TuneView> const> enum_names();

struct TuneSettings {
  tuning::Workload workload = {};
  double budget_seconds = 120.0;  ///< duration of a sweep
  std::uint64_t seed = 1;         ///< for the keys
  TuneView view = TuneView::tradeoff;
  bool printed = false;  ///< overlays published figures on the plots
  tuning::CodeFor code = tuning::CodeFor::slotscape;
  friend bool operator==(TuneSettings const&, TuneSettings const&) = default;
};

/// A sweep. It outlives the scene, and pauses while another scene is shown, whose work would disturb the timing.
struct TuneRun {
  tuning::Workload workload;
  tuning::SweepSettings settings;
  std::unique_ptr<tuning::Sweep> sweep;
  bool waits = false;  ///< until the scene is shown again
};

/// Starts a sweep. `known`: results of an earlier sweep of the same workload.
using StartSweep = std::function<std::unique_ptr<tuning::Sweep>(
    tuning::Workload const& workload, tuning::SweepSettings const& settings, std::vector<tuning::Measured> known)>;

struct TuneSetup {
  TuneSettings settings = {};
  bool start = false;                             ///< start a sweep at once
  std::vector<int> devices = {};                  ///< numbers of the devices named by the user; not saved
  std::shared_ptr<TuneRun> run = {};              ///< the existing sweep; not saved
  std::optional<tuning::Present> elsewhere = {};  ///< the table of another scene; not saved
  StartSweep start_sweep = {};                    ///< empty: sweeps on the device; not saved
};
/// Applies a preset's workload, and tells whether it is applied. Keeps shards, which depend on the devices, and key
/// files.
void use_preset(TuneSettings& settings, tuning::Preset const& preset);
bool has_preset(TuneSettings const& settings, tuning::Preset const& preset);

template <>
std::span<Setting<TuneSettings> const> settings_of();
template <>
std::span<Setting<TuneSetup> const> settings_of();

}  // namespace slotscape

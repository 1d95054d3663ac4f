#pragma once

#include "app/scene/facts.hpp"
#include "app/scenes/tune/settings.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/table_scene/setup.hpp"
#include "app/tuning/answer.hpp"
#include "app/tuning/plots.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace slotscape {

/// What can be saved of a sweep.
enum class TuneExport : std::uint8_t { csv, json, html, markdown, code, scenario };

/// Requests from the user to the scene.
struct StartOrPause {};  ///< or go on
struct StartOver {};
struct CancelSweep {};
struct OpenInSlots {
  std::size_t measured;
};
struct OpenBoth {};  ///< the two that are selected, in the scene that compares tables
struct AskForKeys {};
struct UseColumn {  ///< of the file with the keys
  std::string name;
};
struct AskForProbe {};  ///< the file of a join's probe side
struct UseProbeColumn {
  std::string name;
};
struct AskWhereToSave {
  TuneExport what;
};
struct AskWhereToSavePlot {
  tuning::Plot plot;
};
using TuneRequest = std::variant<StartOrPause, StartOver, CancelSweep, OpenInSlots, OpenBoth, AskForKeys, UseColumn,
                                 AskForProbe, UseProbeColumn, AskWhereToSave, AskWhereToSavePlot>;

/// Everything that the panels and the canvas read and edit. They change settings and add to `requests`.
struct TuneState {
  TuneSettings settings;
  DeviceFacts device;
  std::optional<tuning::Present> elsewhere;  ///< the table that another scene shows
  std::vector<int> device_numbers;           ///< of those that were named on the command line

  tuning::SweepStatus status;                      ///< of the sweep, if there is one
  bool sweeping = false;                           ///< or paused: not over
  std::shared_ptr<tuning::Results const> results;  ///< null before there are any
  tuning::Choice choice;                           ///< among the results
  std::vector<tuning::Sentence> answer;            ///< to the results
  std::vector<std::vector<std::uint32_t>> homes;   ///< of the results' hashes, for charts

  std::optional<std::size_t> selected;  ///< into `Results::measured`
  std::optional<std::size_t> compared;  ///< the one that was selected before it
  std::optional<std::size_t> hovered;
  std::vector<tuning::PrintedRate> printed;  ///< of the operations that the results have, if they are shown

  std::string notice;
  HashField hash_field;
  std::vector<TuneRequest> requests;

  template <class What>
  void ask(What what)
  {
    requests.emplace_back(std::move(what));
  }
  tuning::Measured const* measured(std::optional<std::size_t> index) const
  {
    bool const there = results && index && *index < results->measured.size();
    return there ? &results->measured[*index] : nullptr;
  }
  /// What 'Use this' is about: the selected mark, or else the winner.
  std::optional<std::size_t> to_open() const { return selected ? selected : results ? choice.own : std::nullopt; }
  std::optional<std::size_t> chosen() const { return selected ? selected : results ? choice.winner : std::nullopt; }
  /// Whether the results are of the workload that is set.
  bool up_to_date() const { return results && results->workload == settings.workload; }
};

/// What is known of a mark: a name, a figure with its unit, and what that is.
struct MarkFact {
  std::string name;
  std::string figure;
  std::string what;
};
std::vector<MarkFact> facts_of(tuning::Results const& results, tuning::Measured const& measured);
/// What was timed, how often and how, in sentences.
std::string what_was_timed(tuning::Results const& results, tuning::Measured const& measured);

/// What `TuneSettings::code` says, of the chosen table. Without text if there is none.
tuning::Code shown_code(TuneState const& state);

/// "25 % insertions, 50 % hits, 25 % misses"; or a join, with the share that matches.
std::string mix_text(tuning::Workload const& workload, double match);

/// The set-up of the slots scene that shows a table as it was measured: filled, with the same keys.
TableSetup slots_setup(tuning::Results const& results, std::uint64_t seed, tuning::Measured const& measured);
/// What that one holds, in words.
std::string slots_to_show(tuning::Results const& results, tuning::Measured const& measured);
/// The same of two tables with as many keys.
CompareSetup compare_setup(tuning::Results const& results, std::uint64_t seed, tuning::Measured const& first,
                           tuning::Measured const& second);

}  // namespace slotscape

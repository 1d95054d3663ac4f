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

/// The exports of a sweep.
enum class TuneExport : std::uint8_t { csv, json, html, markdown, code, scenario };

/// Requests from the user to the scene.
struct StartOrPause {};  ///< also resumes
struct StartOver {};
struct CancelSweep {};
struct OpenInSlots {
  std::size_t measured;
};
struct OpenBoth {};  ///< compares the two selected tables in the compare scene
struct AskForKeys {};
struct UseColumn {  ///< chooses the column of the key file
  std::string name;
};
struct AskForProbe {};  ///< asks the user for the file of a join's probe side
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

/// Everything that the panels and the canvas read and edit. These change settings and add to `requests`.
struct TuneState {
  TuneSettings settings;
  DeviceFacts device;
  std::optional<tuning::Present> elsewhere;  ///< the table of another scene
  std::vector<int> device_numbers;           ///< named on the command line

  tuning::SweepStatus status;                      ///< status of the current sweep, if any
  bool sweeping = false;                           ///< true while paused, too: the sweep has not ended
  std::shared_ptr<tuning::Results const> results;  ///< results of the sweep; null before the first ones
  tuning::Choice choice;                           ///< the choice among the results
  std::vector<tuning::Sentence> answer;            ///< the answer that the results give, in sentences
  std::vector<std::vector<std::uint32_t>> homes;   ///< of each of the results' hashes, for charts

  std::optional<std::size_t> selected;  ///< into `Results::measured`
  std::optional<std::size_t> compared;  ///< selected before the current selection
  std::optional<std::size_t> hovered;
  std::vector<tuning::PrintedRate> printed;  ///< published rates of the measured operations, if shown

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
  /// The mark that 'Use this' applies to: the selected one, or else the winner.
  std::optional<std::size_t> to_open() const { return selected ? selected : results ? choice.own : std::nullopt; }
  std::optional<std::size_t> chosen() const { return selected ? selected : results ? choice.winner : std::nullopt; }
  /// Whether the results belong to the current workload.
  bool up_to_date() const { return results && results->workload == settings.workload; }
};

/// A fact about a mark: a name, a figure with its unit, and an explanation.
struct MarkFact {
  std::string name;
  std::string figure;
  std::string what;
};
std::vector<MarkFact> facts_of(tuning::Results const& results, tuning::Measured const& measured);
/// Sentences on what was timed, how often and how.
std::string what_was_timed(tuning::Results const& results, tuning::Measured const& measured);

/// The code for the chosen table in the form of `TuneSettings::code`. The text is empty if there is none.
tuning::Code shown_code(TuneState const& state);

/// Describes the mix: "25 % insertions, 50 % hits, 25 % misses"; or a join, with the share of matches.
std::string mix_text(tuning::Workload const& workload, double match);

/// A set-up of the slots scene that shows a table as measured: filled with the same keys.
TableSetup slots_setup(tuning::Results const& results, std::uint64_t seed, tuning::Measured const& measured);
/// Describes the contents of that table.
std::string slots_to_show(tuning::Results const& results, tuning::Measured const& measured);
/// A set-up of the compare scene for two measured tables with the same number of keys.
CompareSetup compare_setup(tuning::Results const& results, std::uint64_t seed, tuning::Measured const& first,
                           tuning::Measured const& second);

}  // namespace slotscape

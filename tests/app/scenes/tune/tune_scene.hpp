#pragma once

#include "app/scenes/tune/scene.hpp"
#include "tests/app/support/program.hpp"

#include <gmock/gmock.h>
#include <imgui.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

namespace slotscape::test {

/// Measures that are planted: the best table is known, and they take no longer than the test wants.
class Planted {
public:
  static constexpr std::string_view best_family = "cuckoo";

  /// Only so many tables are measured; then the sweep waits until there is more, or is cancelled.
  void allow(int tables) { allowed_ += tables; }
  int asked() const { return asked_; }

  StartSweep start_sweep()
  {
    return [this](tuning::Workload const& workload, tuning::SweepSettings const& settings,
                  std::vector<tuning::Measured> known) {
      known_ = known.size();
      auto keys = tuning::prepare_keys(workload, std::uint64_t{1} << 20, settings.seed);
      return std::make_unique<tuning::Sweep>(workload, settings, *keys, measures(*keys), std::move(known));
    };
  }
  std::size_t known() const { return known_; }  ///< when the last sweep was started

private:
  static double rate_of(tuning::Candidate const& candidate)
  {
    double const base = candidate.table.family == best_family ? 2e9 : 1e9;
    return base * (1.05 - candidate.load * candidate.load * candidate.load);
  }
  bool wait(Progress const& progress)
  {
    ++asked_;
    while (allowed_ <= 0) {
      if (progress.cancelled()) { return false; }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    --allowed_;
    return !progress.cancelled();
  }
  tuning::Measures measures(tuning::WorkloadKeys const& keys)
  {
    tuning::Measures measures;
    measures.measure = [this, count = keys.different](tuning::Candidate const& candidate, tuning::Effort const& effort,
                                                      Progress const& progress) -> std::optional<tuning::Measured> {
      bool const is_pacemaker = effort.repeats == 1;
      if (!is_pacemaker && !wait(progress)) { return std::nullopt; }
      tuning::Measured measured;
      measured.candidate = candidate;
      measured.stage = effort.stage;
      measured.repeats = effort.repeats;
      measured.keys = count;
      measured.batch = measured.timed_batch = count;
      measured.throughput = rate_of(candidate);
      measured.spread = 0.02;
      measured.bytes_per_key = candidate.table.key_bits / 4.0 / candidate.load;
      measured.memory_bytes = static_cast<std::uint64_t>(measured.bytes_per_key * static_cast<double>(count));
      measured.accesses = {1.5, 3, 7};
      measured.batch_seconds = static_cast<double>(count) / measured.throughput;
      measured.worst_batch_seconds = 2.0 * measured.batch_seconds;
      for (bench::Timed const kind : {bench::Timed::insert, bench::Timed::find_hit, bench::Timed::find_miss}) {
        OperationResult& result = measured.operations[static_cast<std::size_t>(kind)].emplace();
        result.count = count;
        result.seconds = measured.batch_seconds;
        result.worst_batch = measured.worst_batch_seconds;
        result.batches = 1;
        result.limit = 2.0 * measured.throughput;
      }
      return measured;
    };
    measures.churn = [](tuning::Candidate const& candidate, tuning::Effort const&, int turns, Progress const&) {
      tuning::ChurnResult result{.candidate = candidate, .replaced = static_cast<double>(turns)};
      result.lookups.assign(static_cast<std::size_t>(turns) + 1, 1e9);
      result.replacements.assign(static_cast<std::size_t>(turns), 5e8);
      return std::optional(result);
    };
    measures.failures = [count = keys.different](tuning::Candidate const& candidate, int, int builds, Progress const&) {
      return std::optional(tuning::FailureResult{candidate.table, candidate.load, count, builds, 0});
    };
    return measures;
  }

  std::atomic<int> allowed_{0};
  std::atomic<int> asked_{0};
  std::size_t known_ = 0;
};

inline tuning::Workload small_workload()
{
  tuning::Workload workload;
  workload.name = "Small";
  workload.keys = 3000;
  return workload;
}

/// The scene of tuning in the program on the CPU, drawn offscreen, with planted measures.
class TuneSceneTest : public testing::Test {
protected:
  explicit TuneSceneTest(tuning::Workload const& workload = small_workload())
  {
    TuneSetup set_up;
    set_up.settings.workload = workload;
    set_up.start_sweep = planted_.start_sweep();
    app_ = offscreen_app({1280, 720}, Scenario{&entry("tune"), std::move(set_up)});
    frames(3);
  }
  void frames(int count)
  {
    for (int i = 0; i < count; ++i) { app_->frame(0.1); }
  }
  /// Frames until `met`, for a minute at most.
  template <class Condition>
  bool until(Condition const& met)
  {
    auto const end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!met()) {
      if (std::chrono::steady_clock::now() > end) { return false; }
      frames(1);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }
  /// A whole sweep.
  void sweep()
  {
    planted_.allow(1'000'000);
    press(scene(), "Space");
    frames(1);
    ASSERT_TRUE(until([&] { return !state().sweeping; }));
    frames(2);
  }
  void move_to(ImVec2 place)
  {
    ImGui::GetIO().AddMousePosEvent(place.x, place.y);
    frames(2);
  }
  void click(ImVec2 place, int times = 1)
  {
    move_to(place);
    for (int i = 0; i < times; ++i) {
      ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, true);
      frames(1);
      ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, false);
      frames(1);
    }
    frames(2);
  }
  /// Where the first plot has a table's mark.
  ImVec2 mark_of(std::size_t measured)
  {
    for (tuning::PlotMark const& mark : scene().plots().front().marks) {
      if (mark.measured == measured) { return mark.at; }
    }
    ADD_FAILURE() << "no mark";
    return {0.0f, 0.0f};
  }
  /// Answers the question where to save.
  void save_as(std::filesystem::path const& file)
  {
    scene().advance(0.0);
    auto const question = scene().take_question();
    ASSERT_TRUE(question);
    question->use({file});
    frames(2);
  }
  TuneScene& scene() { return scene_of<TuneScene>(*app_); }
  TuneState& state() { return scene().state(); }
  tuning::Results const& results() { return *state().results; }
  /// Candidates so far; there are no results when a sweep begins.
  std::size_t measured() { return state().results ? state().results->measured.size() : 0; }
  tuning::Measured const& winner() { return results().measured.at(state().choice.winner.value()); }

  Planted planted_;
  std::unique_ptr<App> app_;
};

}  // namespace slotscape::test

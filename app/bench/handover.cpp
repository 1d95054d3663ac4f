#include "app/bench/handover.hpp"

#include "app/bench/report.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/execution/parallel.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

constexpr int rounds = 9;  ///< the median counts
constexpr int round_trips = 1000;
constexpr std::chrono::milliseconds max_for_a_round{20};  ///< exceeded if another process occupies one of the cores

/// The first and the last core that the process may use; the same core if it may use only one thread.
std::pair<int, int> outer_cores()
{
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  bool const one = exec::tbb::global_control::active_value(exec::tbb::global_control::max_allowed_parallelism) < 2;
  if (one || sched_getaffinity(0, sizeof(allowed), &allowed) != 0) { return {0, 0}; }
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &allowed)) { cores.push_back(core); }
  }
  return cores.empty() ? std::pair(0, 0) : std::pair(cores.front(), cores.back());
}

void stay_on(int core)
{
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(core, &only);
  sched_setaffinity(0, sizeof(only), &only);
}

/// A cache line that two threads, each on its own core, pass to each other.
class PassedLine {
public:
  /// The seconds per handover of each round; rounds that took too long are left out.
  std::vector<double> pass(int first_core, int second_core)
  {
    {
      std::jthread const other([&] { play(second_core, 1); });  // gives up if the first thread does not answer
      std::jthread const one([&] { play(first_core, 0); });
    }
    return std::move(samples_);
  }

private:
  void play(int core, std::uint32_t me)
  {
    stay_on(core);
    for (int round = 0; round < rounds; ++round) {
      auto const start = std::chrono::steady_clock::now();
      for (int trip = 0; trip < round_trips; ++trip) {
        if (!take_turn(me, start + max_for_a_round)) { return; }
      }
      if (me == 0) {
        std::chrono::duration<double> const took = std::chrono::steady_clock::now() - start;
        samples_.push_back(took.count() / (2.0 * round_trips));
      }
    }
  }

  /// Returns false if the round took too long, for either thread.
  bool take_turn(std::uint32_t me, std::chrono::steady_clock::time_point end)
  {
    for (std::uint32_t spins = 1;; ++spins) {
      std::uint32_t const turn = turn_.load(std::memory_order_acquire);
      if (turn == me) { break; }
      bool const late = spins % (1u << 12) == 0 && std::chrono::steady_clock::now() > end;
      if (late) { turn_.store(over, std::memory_order_release); }
      if (late || turn == over) { return false; }
    }
    std::uint32_t mine = me;
    return turn_.compare_exchange_strong(mine, 1 - me, std::memory_order_acq_rel);
  }

  static constexpr std::uint32_t over = 2;
  alignas(128) std::atomic<std::uint32_t> turn_{0};
  std::vector<double> samples_;
};

}  // namespace

void Handover::measure()
{
  auto const [first, last] = outer_cores();
  if (first == last) { return; }
  std::vector<double> const samples = PassedLine{}.pass(first, last);
  if (samples.empty()) { return; }
  double const seconds = median_of(samples).median;
  add({seconds, seconds});
}

void Handover::add(Handover const& other)
{
  if (other.most <= 0.0) { return; }
  least = most > 0.0 ? std::min(least, other.least) : other.least;
  most = std::max(most, other.most);
}

std::string text_of(Handover const& handover)
{
  if (handover.most <= 0.0) { return ""; }
  auto const nanoseconds = [](double seconds) { return std::llround(1e9 * seconds); };
  auto const least = nanoseconds(handover.least);
  auto const most = nanoseconds(handover.most);
  return most == least ? tr("Passing a cache line from one core to another took {} ns.", least)
                       : tr("Passing a cache line from one core to another took {} to {} ns.", least, most);
}

}  // namespace slotscape

// Random histories of tables, for a time: slotscape_histories KIND SECONDS FIRST_SEED [FAMILY...]

#include "gpu/execution/cpu.hpp"
#include "tests/histories/played.hpp"
#include "tests/support/failing_memory.hpp"
#include "tests/support/replaced_new.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <span>
#include <thread>

namespace slotscape::histories {

#define SLOTSCAPE_HISTORIES_OF(family) Played const& family##_histories();
#include "played_families.inc"
#undef SLOTSCAPE_HISTORIES_OF

namespace {

std::vector<Played> all_families()
{
  std::vector<Played> all;
#define SLOTSCAPE_HISTORIES_OF(family) all.push_back(family##_histories());
#include "played_families.inc"
#undef SLOTSCAPE_HISTORIES_OF
  return all;
}

struct Kind {
  std::string_view name;
  std::vector<Played::OneSeed> Played::*of;
  std::string_view what;
};
constexpr std::array kinds{
    Kind{"calls", &Played::calls, "random calls, against a map"},
    Kind{"memory", &Played::memory, "the same calls, each without its first piece of memory, its second, and so on"},
    Kind{"threads", &Played::threads, "threads that meet at hot keys, as far as the family lets them"},
    Kind{"repeats", &Played::repeats, "batches whose keys repeat: is one ever stored twice?"},
    Kind{"unpromised", &Played::unpromised, "the same with all operations at once: what goes wrong where it may"},
};

using Clock = std::chrono::steady_clock;

struct Sum {
  std::uint64_t histories = 0;
  std::uint64_t operations = 0;
  std::uint64_t faults = 0;
  std::uint64_t without = 0;

  void add(Done const& done)
  {
    ++histories;
    operations += done.operations;
    faults += done.faults;
    without += done.without;
  }
  void print() const
  {
    std::printf("%llu histories", static_cast<unsigned long long>(histories));
    if (operations != 0) { std::printf(", %llu operations of threads", static_cast<unsigned long long>(operations)); }
    if (faults + without == 0) { return; }
    std::printf(", %llu allocations refused: %llu calls failed, %llu did without",
                static_cast<unsigned long long>(faults) + static_cast<unsigned long long>(without),
                static_cast<unsigned long long>(faults), static_cast<unsigned long long>(without));
  }
};

/// Seed by seed, until something is wrong or the time is over.
int play(Kind const& kind, std::vector<Played> const& families, Clock::time_point end, std::uint64_t first_seed)
{
  std::vector<Sum> sums(families.size());
  std::uint64_t seed = first_seed;
  for (; Clock::now() < end; ++seed) {
    for (std::size_t i = 0; i < families.size(); ++i) {
      for (Played::OneSeed const one : families[i].*kind.of) {
        Done const done = one(seed);
        sums[i].add(done);
        if (done.wrong.empty()) { continue; }
        std::printf("%s\n", done.wrong.c_str());
        return 1;
      }
    }
  }
  for (std::size_t i = 0; i < families.size(); ++i) {
    std::printf("%-17s ", families[i].family.data());
    sums[i].print();
    std::puts("");
  }
  std::printf("%zu families, seeds %llu to %llu: nothing is wrong\n", families.size(),
              static_cast<unsigned long long>(first_seed), static_cast<unsigned long long>(seed - 1));
  return 0;
}

/// Each family by itself, until something goes wrong.
int tell_what_goes_wrong(Kind const& kind, std::vector<Played> const& families, double seconds,
                         std::uint64_t first_seed)
{
  for (Played const& played : families) {
    for (Played::OneSeed const one : played.*kind.of) {
      auto const end = Clock::now() + std::chrono::duration<double>(seconds / static_cast<double>(2 * families.size()));
      Sum sum;
      std::string wrong;
      for (std::uint64_t seed = first_seed; wrong.empty() && Clock::now() < end; ++seed) {
        Done const done = one(seed);
        sum.add(done);
        wrong = done.wrong;
      }
      std::printf("%.*s, ", static_cast<int>(played.family.size()), played.family.data());
      sum.print();
      std::printf(": %s\n", wrong.empty() ? "nothing went wrong" : wrong.c_str());
    }
  }
  return 0;
}

/// oneTBB takes what it needs when it first runs something, and would wait for ever if that were refused.
void start_threads()
{
  exec::Cpu().for_each(std::uint64_t{1} << 20, [](std::uint64_t) {});
}

int run(Kind const& kind, double seconds, std::uint64_t first_seed, std::span<char* const> wanted)
{
  std::vector<Played> families = all_families();
  if (!wanted.empty()) {
    std::erase_if(families,
                  [&](Played const& played) { return std::ranges::find(wanted, played.family) == wanted.end(); });
  }
  std::erase_if(families, [&](Played const& played) { return (played.*kind.of).empty(); });
  if (families.empty()) {
    std::puts("None of these families has such histories.");
    return 2;
  }
  if (std::string const why = families.front().why_not(); !why.empty()) {
    std::puts(why.c_str());
    return 2;
  }
  start_threads();
  if (kind.of == &Played::unpromised) { return tell_what_goes_wrong(kind, families, seconds, first_seed); }
  return play(kind, families,
              Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)),
              first_seed);
}

}  // namespace
}  // namespace slotscape::histories

namespace slotscape::exec {  // which knows what to take if there is no oneTBB

/// Has oneTBB start all of its threads: one that gets no memory to begin with ends the program, and no table can help
/// it.
void start_all_threads()
{
  using Clock = std::chrono::steady_clock;
  auto const all = static_cast<int>(std::thread::hardware_concurrency());
  auto const end = Clock::now() + std::chrono::seconds(10);
  std::atomic<int> there = 0;
  tbb::parallel_for(0, all, [&](int) {
    ++there;
    while (there < all && Clock::now() < end) { std::this_thread::yield(); }
  });
}

}  // namespace slotscape::exec

void slotscape::test::before_new()
{
  if (FailingMemory::refuses()) { throw std::bad_alloc(); }
}

int main(int count, char** words)
{
  using slotscape::histories::kinds;
  std::span<char* const> const rest(words, static_cast<std::size_t>(count));
  auto const kind =
      std::ranges::find(kinds, std::string_view(count < 4 ? "" : words[1]), &slotscape::histories::Kind::name);
  if (kind == kinds.end()) {
    std::puts("slotscape_histories KIND SECONDS FIRST_SEED [FAMILY...], where KIND is one of");
    for (auto const& each : kinds) { std::printf("  %-12s %s\n", each.name.data(), each.what.data()); }
    return 2;
  }
  slotscape::exec::start_all_threads();
  return slotscape::histories::run(*kind, std::atof(words[2]), std::strtoull(words[3], nullptr, 10), rest.subspan(4));
}

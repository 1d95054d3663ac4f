// Random histories of tables against maps, for a time: slotscape_histories SECONDS FIRST_SEED [FAMILY...]

#include "tests/histories/played.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <span>

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

/// Mostly short histories of few keys, now and then larger ones: few keys meet more often, many take other ways.
std::string play(Played::OneSeed play_one, std::uint64_t seed)
{
  constexpr std::uint64_t few = 300;
  constexpr std::uint64_t many = 60'000;
  return seed % 50 == 0 ? play_one(seed, 15, many) : play_one(seed, 60, few);
}

int run(double seconds, std::uint64_t first_seed, std::span<char* const> wanted)
{
  using Clock = std::chrono::steady_clock;
  std::vector<Played> families = all_families();
  if (!wanted.empty()) {
    std::erase_if(families,
                  [&](Played const& played) { return std::ranges::find(wanted, played.family) == wanted.end(); });
  }
  auto const end = Clock::now() + std::chrono::duration<double>(seconds);
  std::uint64_t histories = 0;
  std::uint64_t seed = first_seed;
  for (; Clock::now() < end && !families.empty(); ++seed) {
    for (Played const& played : families) {
      for (Played::OneSeed const play_one : played.widths) {
        ++histories;
        if (std::string const wrong = play(play_one, seed); !wrong.empty()) {
          std::printf("%s\n", wrong.c_str());
          return 1;
        }
      }
    }
  }
  std::printf("%llu histories of %zu families, seeds %llu to %llu: nothing is wrong\n",
              static_cast<unsigned long long>(histories), families.size(), static_cast<unsigned long long>(first_seed),
              static_cast<unsigned long long>(seed - 1));
  return families.empty() ? 2 : 0;
}

}  // namespace
}  // namespace slotscape::histories

int main(int count, char** words)
{
  std::span<char* const> const rest(words, static_cast<std::size_t>(count));
  if (count < 3) {
    std::puts("slotscape_histories SECONDS FIRST_SEED [FAMILY...]");
    return 2;
  }
  return slotscape::histories::run(std::atof(words[1]), std::strtoull(words[2], nullptr, 10), rest.subspan(3));
}

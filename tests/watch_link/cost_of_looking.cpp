// How much looking costs a program: cost_of_looking [--slots N] [--rounds N] [--seconds S] [--memory WORD]. The owner
// of a table finds and replaces keys at full speed, alone and while another process looks 60 times a second, in turns.

#include "tests/watch_link/cost_of_looking.hpp"

#include "gpu/base/error.hpp"
#include "gpu/watch/live.hpp"
#include "gpu/watch/watched_table.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace slotscape::watch::cost {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start)
{
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// --- the process that looks

Description description_of(std::uint64_t slots)
{
  Description table;
  table.slots = slots;
  table.key = {"slots", offsetof(Slot, key), sizeof(Slot), 64};
  table.value = Part{"slots", offsetof(Slot, value), sizeof(Slot), 64};
  table.empty_key = 0;
  table.home_of = HomeOf::hash;
  table.hashes = {{.function = HashFunction::murmur3_finaliser, .reduction = Reduction::mask}};
  table.probing = {.scheme = Scheme::linear};
  return table;
}

std::unique_ptr<Source> connect_to(std::string const& name)
{
  auto const start = Clock::now();
  while (seconds_since(start) < 10.0) {
    for (Announced const& table : announced()) {
      if (table.name == name) { return connect(table); }
    }
  }
  throw Error("'" + name + "' is not announced");
}

/// As the window does it: a picture of the whole table and all statistics, in no more of the time than that.
int look(std::string const& name, double seconds)
{
  constexpr double frame = 1.0 / 60.0;
  constexpr std::uint32_t side = 1024;
  void* const on_device = device_memory(std::uint64_t{side} * side * sizeof(Texel));
  auto const source = connect_to(name);
  double const share = max_share_of_time(source->backend());
  while (source->arrays().empty()) { source->refresh(); }
  Description const described = description_of(source->arrays()[0].bytes / sizeof(Slot));
  std::vector<Texel> on_host(source->backend() == Backend::cpu ? std::size_t{side} * side : 0);
  Texel* const texels = on_host.empty() ? static_cast<Texel*>(on_device) : on_host.data();
  PictureRequest request{.width = side, .height = side};
  while (described.slots >> (2 * request.level) > std::uint64_t{side} * side) { ++request.level; }
  auto const table = make_watched_table(source->backend(), name, described, source->arrays());
  auto start = Clock::now();
  int looks = -1;  // the first one is not counted: it takes longer
  while (looks < 0 || seconds_since(start) < seconds) {
    auto const begun = Clock::now();
    if (source->refresh()) { table->look_at(described, source->arrays()); }
    table->changed();
    table->analyse(request, {texels, request.texels()});
    if (++looks == 0) {
      std::puts("looks");
      std::fflush(stdout);
      start = Clock::now();
      continue;
    }
    double const rest = std::max(frame, seconds_since(begun) / share) - seconds_since(begun);
    std::this_thread::sleep_for(std::chrono::duration<double>(rest));
  }
  std::printf("%.1f looks a second, %s\n", looks / seconds_since(start), source->manner().c_str());
  return 0;
}

/// Another process of this program that looks for so many seconds; it does when this is made.
class Looker {
public:
  Looker(std::string const& name, double seconds)
      : output_(
            popen(("/proc/" + std::to_string(getpid()) + "/exe --look " + name + ' ' + std::to_string(seconds)).c_str(),
                  "r"))
  {
    if (output_ == nullptr || line() != "looks") { throw std::runtime_error("the table cannot be looked at"); }
  }
  Looker(Looker const&) = delete;
  Looker& operator=(Looker const&) = delete;
  ~Looker()
  {
    if (output_ != nullptr) { pclose(output_); }
  }
  /// "60.0 looks a second, shared memory", when it has ended.
  std::string line()
  {
    std::array<char, 512> text{};
    if (std::fgets(text.data(), text.size(), output_) == nullptr) { return {}; }
    return std::string(text.data(), std::strcspn(text.data(), "\n"));
  }

private:
  FILE* output_;
};

// --- the owner

double operations_a_second(Work const& work, double seconds)
{
  auto const start = Clock::now();
  std::uint64_t done = 0;
  while (seconds_since(start) < seconds) { done += work(); }
  return static_cast<double>(done) / seconds_since(start);
}

/// Student's t of 95 %, two-sided.
double students_t(std::size_t freedom)
{
  constexpr std::array table{12.7, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13};
  return freedom == 0 ? INFINITY : freedom <= table.size() ? table[freedom - 1] : 2.0;
}

std::uint64_t hash(std::uint64_t x)
{
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
  return x ^ (x >> 33);
}

Slot& place_of_key(Slot* slots, std::uint64_t mask, std::uint64_t key)
{
  std::uint64_t at = hash(key) & mask;
  while (slots[at].key != 0 && slots[at].key != key) { at = (at + 1) & mask; }
  return slots[at];
}

void measure_on_host(std::string const& memory, Slot* slots, WatchOptions const& options, Settings const& settings)
{
  std::uint64_t const mask = settings.slots - 1;
  for (std::uint64_t key = 1; key <= keys_of(settings); ++key) { place_of_key(slots, mask, key) = {key, key}; }
  std::string const name = "cost-" + std::to_string(getpid());
  Watch const watch(name, slots, settings.slots, layout_of(settings), options);
  std::uint64_t number = 0;
  std::uint64_t found = 0;
  measure(
      memory, name,
      [&] {
        constexpr std::uint64_t some = 1u << 16;
        for (std::uint64_t i = 0; i < some; i += 2) {
          found += place_of_key(slots, mask, hash(++number) % keys_of(settings) + 1).value;
          std::uint64_t const key = hash(++number) % keys_of(settings) + 1;
          place_of_key(slots, mask, key) = {key, found};
        }
        return some;
      },
      settings);
}

void measure_all(Settings const& settings)
{
  {
    std::vector<Slot, watch_allocator<Slot>> slots(settings.slots);
    measure_on_host("memory of watch_alloc", slots.data(), {}, settings);
  }
  std::vector<Slot> slots(settings.slots);
  measure_on_host("ordinary memory", slots.data(), {}, settings);
  WatchOptions unreadable;
  unreadable.may_be_read = false;
  measure_on_host("memory that may not be read", slots.data(), unreadable, settings);
  measure_on_device(settings);
}

}  // namespace

WatchLayout layout_of(Settings const& settings)
{
  auto layout = WatchLayout::pairs<std::uint64_t, std::uint64_t>(settings.slots);
  layout.empty_key = 0;
  layout.hash = {"murmur3", 0, "mask", {}};
  layout.probing = "linear";
  return layout;
}

void measure(std::string const& memory, std::string const& name, Work const& work, Settings const& settings)
{
  if (memory.find(settings.memory) == std::string::npos) { return; }
  operations_a_second(work, settings.seconds);  // for caches and clocks
  std::vector<double> slower;
  double alone_sum = 0.0;
  std::string how;
  for (int round = 0; round < settings.rounds; ++round) {
    double alone = 0.0;
    double watched = 0.0;
    for (int turn = 0; turn < 2; ++turn) {
      if ((round + turn) % 2 == 0) {
        alone = operations_a_second(work, settings.seconds);
        continue;
      }
      Looker looker(name, settings.seconds);
      watched = operations_a_second(work, settings.seconds);
      how = looker.line();
    }
    alone_sum += alone;
    slower.push_back(100.0 * (1.0 - watched / alone));
  }
  double const count = settings.rounds;
  double mean = 0.0;
  double squares = 0.0;
  for (double const each : slower) { mean += each / count; }
  for (double const each : slower) { squares += (each - mean) * (each - mean); }
  double const within = students_t(slower.size() - 1) * std::sqrt(squares / std::max(count - 1.0, 1.0) / count);
  std::printf("%-30s %10.2f M operations a second alone; slow-down %.2f %% (95 %%: %.2f to %.2f); %s\n", memory.c_str(),
              alone_sum / count / 1e6, mean, mean - within, mean + within, how.c_str());
  std::fflush(stdout);
}

#if !SLOTSCAPE_HAS_CUDA
void measure_on_device(Settings const&) {}
void* device_memory(std::uint64_t)
{
  return nullptr;
}
#endif

}  // namespace slotscape::watch::cost

int main(int count, char** arguments)
{
  using namespace slotscape::watch::cost;
  try {
    std::vector<std::string> const words(arguments + 1, arguments + count);
    if (words.size() == 3 && words[0] == "--look") { return look(words[1], std::stod(words[2])); }
    Settings settings;
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
      if (words[i] == "--slots") { settings.slots = std::stoull(words[i + 1]); }
      if (words[i] == "--rounds") { settings.rounds = std::stoi(words[i + 1]); }
      if (words[i] == "--seconds") { settings.seconds = std::stod(words[i + 1]); }
      if (words[i] == "--memory") { settings.memory = words[i + 1]; }
    }
    bool const is_power_of_two = settings.slots >= 2 && (settings.slots & (settings.slots - 1)) == 0;
    if (words.size() % 2 != 0 || !is_power_of_two || settings.rounds < 2 || !(settings.seconds > 0.0)) {
      std::fprintf(stderr,
                   "cost_of_looking [--slots N, a power of two] [--rounds N, at least 2] [--seconds S] "
                   "[--memory WORD, of the kinds to measure]\n");
      return 2;
    }
    measure_all(settings);
    return 0;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "cost_of_looking: %s\n", error.what());
    return 1;
  }
}

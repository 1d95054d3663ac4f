// What a table in pages can do beside the bus that it is behind: fills one, looks up what is there and what is not,
// checks every answer, and compares the time with that of the same bytes in plain copies. docs/larger-than-memory.md
// says how.

#include "gpu/library/cuda_table.cuh"
#include "gpu/paged/keys.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace slotscape {
namespace {

struct Arguments {
  std::uint64_t slots_log2 = 24;
  std::uint64_t key_bits = 64;
  double load = 0.8;
  std::uint64_t batch_log2 = 0;  ///< 0: half of the keys
  std::uint64_t find_log2 = 31;  ///< at most all keys
  std::uint64_t pages = 0;       ///< 0: of 256 MiB
  std::uint64_t seconds = 220;   ///< after which it gives up

  static Arguments of(int count, char** texts)
  {
    Arguments result;
    std::map<std::string, std::function<void(std::string const&)>> const options{
        {"--slots-log2", [&](auto const& text) { result.slots_log2 = std::stoull(text); }},
        {"--key-bits", [&](auto const& text) { result.key_bits = std::stoull(text); }},
        {"--load", [&](auto const& text) { result.load = std::stod(text); }},
        {"--batch-log2", [&](auto const& text) { result.batch_log2 = std::stoull(text); }},
        {"--find-log2", [&](auto const& text) { result.find_log2 = std::stoull(text); }},
        {"--pages", [&](auto const& text) { result.pages = std::stoull(text); }},
        {"--seconds", [&](auto const& text) { result.seconds = std::stoull(text); }}};
    for (int i = 1; i < count; i += 2) {
      auto const option = options.find(texts[i]);
      if (option == options.end() || i + 1 == count) {
        throw Error(std::string("Unknown, or without a number: ") + texts[i] +
                    ". Choose --slots-log2, --key-bits, --load, --batch-log2, --find-log2, --pages or --seconds.");
      }
      try {
        option->second(texts[i + 1]);
      } catch (std::logic_error const&) {
        throw Error(std::string(texts[i]) + " takes a number, not '" + texts[i + 1] + "'.");
      }
    }
    result.validate();
    return result;
  }

private:
  void validate() const
  {
    if (key_bits != 32 && key_bits != 64) { throw Error("--key-bits is 32 or 64."); }
    if (slots_log2 < 12 || slots_log2 > 36) { throw Error("--slots-log2 is from 12 to 36."); }
    if (batch_log2 > 36 || find_log2 > 36) { throw Error("--batch-log2 and --find-log2 are at most 36."); }
    if (!(load > 0.0 && load < 0.95)) { throw Error("--load is above 0 and below 0.95."); }
  }
};

using paged::DistinctKeys;
using paged::IsRight;
using paged::ValuesOf;

double seconds_now()
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// What plain copies reach over the bus, in bytes a second: one way at a time, and each way where both go on at once.
struct Bus {
  double in = 0.0;
  double out = 0.0;
  double both = 0.0;

  static Bus measured()
  {
    constexpr std::uint64_t bytes = std::uint64_t{1} << 28;
    constexpr int copies = 16;
    exec::Cuda exec(nullptr);
    exec::CopyStream<exec::Cuda> there(exec), back(exec);
    exec::Cuda::Buffer<std::byte> from(exec, bytes), to(exec, bytes);
    exec::Cuda::HostBuffer<std::byte> host_from(exec, bytes), host_to(exec, bytes);
    exec.wait();
    auto const rate = [&](bool goes_in, bool goes_out) {
      double best = 0.0;
      for (int attempt = 0; attempt < 3; ++attempt) {
        double const start = seconds_now();
        for (int i = 0; i < copies; ++i) {
          if (goes_in) { there.copy(to.data(), host_from.data(), bytes); }
          if (goes_out) { back.copy(host_to.data(), from.data(), bytes); }
        }
        there.wait();
        back.wait();
        best = std::max(best, static_cast<double>(copies) * bytes / (seconds_now() - start));
      }
      return best;
    };
    return {rate(true, false), rate(false, true), rate(true, true)};
  }
  /// Seconds that so many bytes take at least.
  double seconds(PagingReport::Bytes const& bytes) const
  {
    std::uint64_t const at_once = std::min(bytes.in, bytes.out);
    return static_cast<double>(at_once) / both + static_cast<double>(bytes.in - at_once) / in +
           static_cast<double>(bytes.out - at_once) / out;
  }
};

void print(char const* what, std::uint64_t keys, PagingReport const& report, Bus const& bus)
{
  PagingReport::Seconds const& seconds = report.seconds;
  double const of_bus = bus.seconds(report.bytes);
  std::printf(
      "{\"what\": \"%s\", \"keys\": %llu, \"seconds\": %.4f, \"deal\": %.4f, \"copy_in\": %.4f, \"table\": %.4f, "
      "\"copy_out\": %.4f, \"bring_back\": %.4f, \"g_keys_per_s\": %.3f, \"gb_in\": %.2f, \"gb_out\": %.2f, "
      "\"gb_per_s_in\": %.2f, \"gb_per_s_out\": %.2f, \"bus_seconds\": %.4f, \"share_of_bus\": %.3f, \"rounds\": %llu, "
      "\"pages_in\": %llu, \"pages_out\": %llu}\n",
      what, static_cast<unsigned long long>(keys), seconds.whole, seconds.deal, seconds.copy_in, seconds.table,
      seconds.copy_out, seconds.bring_back, static_cast<double>(keys) / seconds.whole * 1e-9,
      static_cast<double>(report.bytes.in) * 1e-9, static_cast<double>(report.bytes.out) * 1e-9,
      static_cast<double>(report.bytes.in) / seconds.whole * 1e-9,
      static_cast<double>(report.bytes.out) / seconds.whole * 1e-9, of_bus, of_bus / seconds.whole,
      static_cast<unsigned long long>(report.rounds), static_cast<unsigned long long>(report.pages_in),
      static_cast<unsigned long long>(report.pages_out));
  std::fflush(stdout);
}

void expect_equal(char const* what, std::uint64_t number, std::uint64_t expected)
{
  if (number == expected) { return; }
  throw Error(std::string("WRONG: ") + what + " is " + std::to_string(number) + ", not " + std::to_string(expected) +
              '.');
}

template <class Key>
class Rates {
  using Table = CudaPagedTable<families::segmented_cuckoo, Key>;
  using Keys = DistinctKeys<Key>;

public:
  explicit Rates(Arguments const& arguments)
      : slots_(std::uint64_t{1} << arguments.slots_log2),
        count_(static_cast<std::uint64_t>(arguments.load * static_cast<double>(slots_))),
        batch_(arguments.batch_log2 == 0 ? (count_ + 1) / 2 : std::uint64_t{1} << arguments.batch_log2),
        asked_(std::min(count_, std::uint64_t{1} << arguments.find_log2)),
        pages_(static_cast<std::uint32_t>(pages_of(arguments))),
        exec_(nullptr),
        found_(exec_, asked_)
  {
    if (count_ >= Keys::count()) {
      throw Error("There are not so many keys of " + std::to_string(arguments.key_bits) +
                  " bits: choose a smaller --load, or --key-bits 64.");
    }
    exec_.wait();
  }

  void run()
  {
    Bus const bus = Bus::measured();
    std::printf(
        "{\"what\": \"bus\", \"gb_per_s_in\": %.2f, \"gb_per_s_out\": %.2f, \"gb_per_s_both_each_way\": %.2f}\n",
        bus.in * 1e-9, bus.out * 1e-9, bus.both * 1e-9);
    double const start = seconds_now();
    Table table({.slots = slots_}, {.pages = pages_});
    std::printf("{\"what\": \"table\", \"slots\": %llu, \"gb\": %.2f, \"pages\": %u, \"seconds\": %.3f}\n",
                static_cast<unsigned long long>(table.slots()), static_cast<double>(table.memory_bytes()) * 1e-9,
                table.page_count(), seconds_now() - start);
    std::fflush(stdout);
    insert_all(table, bus);
    std::uint64_t const step = std::max<std::uint64_t>(1, count_ / asked_);
    find(table, bus, "find present", {0, step}, asked_, true);
    std::uint64_t const absent = std::min(asked_, Keys::count() - count_);
    find(table, bus, "find absent", {count_, 1}, absent, false);
  }

private:
  static std::uint64_t pages_of(Arguments const& arguments)
  {
    if (arguments.pages != 0) { return arguments.pages; }
    std::uint64_t const bytes = (arguments.key_bits / 4) << arguments.slots_log2;
    return std::clamp<std::uint64_t>(bytes >> 28, 8, max_pages);
  }

  void insert_all(Table& table, Bus const& bus)
  {
    for (std::uint64_t first = 0; first < count_; first += batch_) {
      std::uint64_t const size = std::min(batch_, count_ - first);
      Keys const keys{first};
      Inserted const done = table.insert(keys, ValuesOf<Key>{keys}, size, {.distinct = true});
      print(first == 0 ? "fill the empty table" : "insert", size, table.report(), bus);
      done.or_throw();
      expect_equal("the number of new keys", done.inserted, size);
    }
    expect_equal("size()", table.size(), count_);
  }
  void find(Table& table, Bus const& bus, char const* what, Keys const& keys, std::uint64_t count, bool are_there)
  {
    std::uint64_t const hits = table.find(keys, found_.data(), count);
    print(what, count, table.report(), bus);
    expect_equal("the number of keys found", hits, are_there ? count : 0);
    Tally const tally = exec_.tally(count, IsRight<Key>{keys, found_.data(), are_there});
    expect_equal("the number of right values", tally[Outcome::found], count);
  }

  std::uint64_t slots_;
  std::uint64_t count_;  ///< keys
  std::uint64_t batch_;
  std::uint64_t asked_;
  std::uint32_t pages_;
  exec::Cuda exec_;
  exec::Cuda::Buffer<Key> found_;
};

/// Called by a signal.
void give_up(int)
{
  constexpr char text[] = "It took longer than --seconds allows.\n";
  static_cast<void>(!write(STDERR_FILENO, text, sizeof(text) - 1));
  _exit(124);
}

int run(int count, char** texts)
{
  try {
    Arguments const arguments = Arguments::of(count, texts);
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
      std::fputs("There is no CUDA device here: nothing was measured.\n", stderr);
      return 77;
    }
    signal(SIGALRM, give_up);
    alarm(static_cast<unsigned>(arguments.seconds));
    if (arguments.key_bits == 32) {
      Rates<std::uint32_t>(arguments).run();
    } else {
      Rates<std::uint64_t>(arguments).run();
    }
    return 0;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}

}  // namespace
}  // namespace slotscape

int main(int count, char** texts)
{
  return slotscape::run(count, texts);
}

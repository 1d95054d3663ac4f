// How fast a table is that is divided among the GPUs of this machine, beside one GPU in the same run:
//   slotscape_distributed_rates [--slots-log2 27] [--load 0.8] [--rounds 5] [--ranks N] [--over nccl|peer] [--pieces 4]
//                               [--overlap-from 22] [--timeout 120] [--measure rates|crossover]
// Each rank has so many slots, and that load of keys. Every answer is checked. Medians of the rounds, after one that
// does not count. For people a line a case; for programs the same as JSON. The crossover is the number of keys up to
// which lookups are faster where the keys are than if these are sent.

#include "gpu/base/random.hpp"
#include "gpu/library/cuda_distributed_table.cuh"
#include "gpu/workloads/zipf.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {
namespace {

using Family = families::segmented_cuckoo;
using Key = std::uint32_t;
using Exec = exec::Cuda;

struct RateOptions {
  std::uint32_t slots_log2 = 27;
  double load = 0.8;
  std::uint32_t rounds = 5;
  std::uint32_t ranks = 0;  ///< 0: as many as there are GPUs
  std::string over = "nccl";
  std::uint32_t pieces = 4;
  std::uint32_t overlap_from = 22;  ///< log2 of the fewest keys of a piece
  double timeout = 120.0;
  std::string measure = "rates";

  std::uint64_t slots() const { return std::uint64_t{1} << slots_log2; }
  std::uint64_t keys_of_rank() const { return static_cast<std::uint64_t>(load * static_cast<double>(slots())); }
};

template <class Number>
void read_number(std::string_view text, std::string_view name, Number& number)
{
  auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure == std::errc() && end == text.data() + text.size()) { return; }
  throw Error(std::string(name) + " takes a number, not '" + std::string(text) + "'.");
}
RateOptions options_of(int count, char** arguments)
{
  RateOptions options;
  for (int i = 1; i < count; i += 2) {
    std::string_view const name = arguments[i];
    if (i + 1 == count) { throw Error(std::string(name) + " needs a value."); }
    std::string_view const value = arguments[i + 1];
    std::map<std::string_view, std::function<void()>> const known{
        {"--slots-log2", [&] { read_number(value, name, options.slots_log2); }},
        {"--load", [&] { read_number(value, name, options.load); }},
        {"--rounds", [&] { read_number(value, name, options.rounds); }},
        {"--ranks", [&] { read_number(value, name, options.ranks); }},
        {"--over", [&] { options.over = value; }},
        {"--pieces", [&] { read_number(value, name, options.pieces); }},
        {"--overlap-from", [&] { read_number(value, name, options.overlap_from); }},
        {"--timeout", [&] { read_number(value, name, options.timeout); }},
        {"--measure", [&] { options.measure = value; }}};
    auto const option = known.find(name);
    if (option == known.end()) {
      throw Error("There is no option " + std::string(name) + ": see the top of the source.");
    }
    option->second();
  }
  if (options.slots_log2 < 10 || options.slots_log2 > 29 || options.rounds == 0 || !(options.load > 0.0) ||
      options.load > 0.95 || options.overlap_from > 30 || (options.over != "nccl" && options.over != "peer") ||
      (options.measure != "rates" && options.measure != "crossover")) {
    throw Error(
        "--slots-log2 is from 10 to 29, --load above 0 and at most 0.95, --rounds at least 1, --overlap-from at "
        "most 30, --over is nccl or peer, and --measure is rates or crossover.");
  }
  return options;
}

/// A call's keys, all ranks together, are numbers below `different`, each once or by Zipf's law; as keys, they are
/// spread over 32 bits.
struct KeysOfCall {
  bool is_zipf;
  std::uint64_t different;
  std::uint64_t offset;  ///< of their numbers: those of absent keys are others

  SLOTSCAPE_HOST_DEVICE Key key(std::uint64_t i) const
  {
    constexpr Permutation permutation{7, 32};
    std::uint64_t const number = is_zipf ? ZipfRanks{different, 0.99}(11, i) : i;
    Key key = permutation(static_cast<std::uint32_t>(offset + number));
    while (Narrow::is_reserved(key)) { key = permutation(key); }  // no number is as large as these
    return key;
  }
  SLOTSCAPE_HOST_DEVICE static Key value(Key key) { return (key >> 1) ^ 0x2545f491u; }
};
struct DrawKeys {
  KeysOfCall of;
  std::uint64_t first;
  Key* keys;
  Key* values;
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    keys[i] = of.key(first + i);
    values[i] = KeysOfCall::value(keys[i]);
  }
};
/// Whether a key has its own value (`found`), none (`missing`), or a wrong one (`rejected`).
struct CheckValues {
  Key const* keys;
  Key const* values;
  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    if (values[i] == KeysOfCall::value(keys[i])) { return Outcome::found; }
    return values[i] == Narrow::empty_value ? Outcome::missing : Outcome::rejected;
  }
};

/// How long a call took, and its parts, in seconds; and what went over the busiest link.
struct Measured {
  double whole = 0.0;
  ShardSeconds parts;
  std::uint64_t link_bytes = 0;

  /// Of several ranks: a call takes as long as the slowest, in every part.
  void take_slower(Measured const& other)
  {
    whole = std::max(whole, other.whole);
    parts.partition = std::max(parts.partition, other.parts.partition);
    parts.exchange = std::max(parts.exchange, other.parts.exchange);
    parts.table = std::max(parts.table, other.parts.table);
    link_bytes = std::max(link_bytes, other.link_bytes);
  }
};
/// Seconds that a call would take if nothing waited: a GPU deals and works on its table, while the links send.
double allowed_by(ShardSeconds const& parts)
{
  return std::max(parts.partition + parts.table, parts.exchange);
}
Measured median_of(std::vector<Measured> measured)
{
  std::ranges::sort(measured, {}, &Measured::whole);
  return measured[measured.size() / 2];
}

enum class Call { insert, find, find_absent, erase };
constexpr std::array<char const*, 4> call_names{"insert", "find", "find absent", "erase"};
using OfCalls = std::array<std::vector<Measured>, 4>;

void require(bool is_right, char const* what)
{
  if (!is_right) { throw Error(std::string("Wrong answers: ") + what); }
}

/// Arrays of one rank, for keys that are there and as many that are not.
struct Arrays {
  Exec::Buffer<Key> keys, values, absent, found;

  Arrays(Exec& exec, KeysOfCall const& of, std::uint64_t first, std::uint64_t count)
      : keys(exec, count), values(exec, count), absent(exec, count), found(exec, count)
  {
    KeysOfCall others = of;
    others.offset += of.different;
    exec.for_each(count, DrawKeys{others, first, absent.data(), values.data()});
    exec.for_each(count, DrawKeys{of, first, keys.data(), values.data()});
    exec.wait();
  }
};

/// All four calls, each by measure(call, f), where f makes it; their answers are checked afterwards. all: keys of all
/// ranks.
template <class Table, class Measure>
void run_calls(Table& table, Exec& exec, Arrays& mine, std::uint64_t count, std::uint64_t all, bool distinct,
               Measure const& measure)
{
  Inserted inserted;
  std::uint64_t found = 0;
  measure(Call::insert,
          [&] { inserted = table.insert(mine.keys.data(), mine.values.data(), count, {.distinct = distinct}); });
  require(inserted.all() && inserted.inserted + inserted.updated == all, "insertions");
  require(!distinct || inserted.updated == 0, "insertions of distinct keys");
  require(table.size() == inserted.inserted, "the number of keys");
  measure(Call::find, [&] { found = table.find(mine.keys.data(), mine.found.data(), count); });
  require(found == all, "the number of keys that are found");
  require(exec.tally(count, CheckValues{mine.keys.data(), mine.found.data()})[Outcome::found] == count, "values");
  measure(Call::find_absent, [&] { found = table.find(mine.absent.data(), mine.found.data(), count); });
  require(found == 0, "the number of absent keys that are found");
  require(exec.tally(count, CheckValues{mine.absent.data(), mine.found.data()})[Outcome::missing] == count,
          "values of absent keys");
  std::uint64_t erased = 0;
  measure(Call::erase, [&] { erased = table.erase(mine.keys.data(), count); });
  require(erased == inserted.inserted && table.size() == 0, "erasures");
}

double seconds_of(std::function<void()> const& f)
{
  auto const start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// One GPU alone, with the keys of one rank.
OfCalls measure_one(RateOptions const& options, Exec& exec, cudaStream_t stream, bool is_zipf)
{
  std::uint64_t const count = options.keys_of_rank();
  Arrays mine(exec, {is_zipf, count, 0}, 0, count);
  CudaTable<Family, Key> table({.slots = options.slots()}, stream);
  OfCalls measured;
  for (std::uint32_t round = 0; round <= options.rounds; ++round) {
    table.clear();
    exec.wait();
    run_calls(table, exec, mine, count, count, !is_zipf, [&](Call call, std::function<void()> const& f) {
      Measured each;
      each.whole = seconds_of(f);
      if (round != 0) { measured[static_cast<std::size_t>(call)].push_back(each); }
    });
  }
  return measured;
}

/// What the ranks measure together.
class Shared {
public:
  explicit Shared(std::uint32_t rounds) : rounds_(rounds) {}
  void note(std::uint32_t round, Call call, Measured const& mine)
  {
    if (round == 0) { return; }
    std::scoped_lock const lock(mutex_);
    auto& of_call = measured_[static_cast<std::size_t>(call)];
    of_call.resize(rounds_);
    of_call[round - 1].take_slower(mine);
  }
  OfCalls const& measured() const { return measured_; }

private:
  std::uint32_t rounds_;
  std::mutex mutex_;
  OfCalls measured_;
};

/// What a rank does for one case. starts_on_first: all keys begin on rank 0.
template <class Communicator>
void measure_rank(RateOptions const& options, Communicator& communicator, Exec& exec, cudaStream_t stream, bool is_zipf,
                  bool starts_on_first, Shared& shared)
{
  using Table = CudaDistributedTable<Family, Key, Communicator>;
  std::uint64_t const all = options.keys_of_rank() * communicator.size();
  std::uint64_t const count = !starts_on_first ? options.keys_of_rank() : communicator.rank() == 0 ? all : 0;
  std::uint64_t const first = starts_on_first ? 0 : options.keys_of_rank() * communicator.rank();
  Arrays mine(exec, {is_zipf, all, 0}, first, count);
  Table table({.slots = options.slots()}, communicator, stream,
              {.pieces = options.pieces, .min_piece = std::uint64_t{1} << options.overlap_from});
  for (std::uint32_t round = 0; round <= options.rounds; ++round) {
    table.clear();
    run_calls(table, exec, mine, count, all, !is_zipf, [&](Call call, std::function<void()> const& f) {
      RankReport const before = table.report();
      table.size();  // all ranks begin together
      Measured each;
      each.whole = seconds_of(f);
      each.parts = table.report().seconds;
      each.parts -= before.seconds;
      for (std::uint32_t other = 0; other < communicator.size(); ++other) {
        if (other == communicator.rank()) { continue; }
        each.link_bytes = std::max(each.link_bytes, table.report().sent[other] - before.sent[other]);
      }
      shared.note(round, call, each);
    });
  }
}

/// Seconds of lookups of so many keys a rank, as its host waits for them: medians.
template <class Communicator>
std::map<std::uint64_t, double> seconds_of_lookups(RateOptions const& options, Communicator& communicator,
                                                   cudaStream_t stream, Arrays& mine, std::uint64_t max_direct)
{
  std::uint64_t const all = options.keys_of_rank();
  CudaDistributedTable<Family, Key, Communicator> table({.slots = options.slots()}, communicator, stream,
                                                        {.max_direct = max_direct});
  table.insert(mine.keys.data(), mine.values.data(), all, {.distinct = true}).or_throw();
  std::map<std::uint64_t, double> result;
  for (std::uint64_t count = 64; count <= all; count *= 4) {
    std::vector<double> seconds;
    for (std::uint32_t round = 0; round <= 4 * options.rounds; ++round) {
      table.size();  // all ranks begin together
      std::uint64_t found = 0;
      double const each = seconds_of([&] { found = table.find(mine.keys.data(), mine.found.data(), count); });
      require(found == count * communicator.size(), "the number of keys that are found");
      if (round != 0) { seconds.push_back(each); }
    }
    std::ranges::sort(seconds);
    result[count] = seconds[seconds.size() / 2];
  }
  return result;
}
template <class Communicator>
void measure_crossover(RateOptions const& options, Communicator& communicator, Exec& exec, cudaStream_t stream)
{
  std::uint64_t const count = options.keys_of_rank();
  Arrays mine(exec, {false, count * communicator.size(), 0}, count * communicator.rank(), count);
  auto const sent = seconds_of_lookups(options, communicator, stream, mine, 0);
  auto const direct = seconds_of_lookups(options, communicator, stream, mine, count);
  if (communicator.rank() != 0) { return; }
  for (auto const& [keys, seconds] : sent) {
    std::printf("find %10llu keys a rank: sent %10.1f us, where they are %10.1f us, ratio %.2f\n",
                static_cast<unsigned long long>(keys), seconds * 1e6, direct.at(keys) * 1e6, seconds / direct.at(keys));
  }
}

/// Bytes a second from each rank to each other, all at once.
template <class Communicator>
double link_rate(Communicator& communicator, Exec& exec, std::uint64_t bytes)
{
  std::uint32_t const ranks = communicator.size();
  Exec::Buffer<std::byte> from(exec, bytes * ranks);
  Exec::Buffer<std::byte> to(exec, bytes * ranks);
  std::vector<Share> shares(ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    shares[rank] = {bytes * rank, rank == communicator.rank() ? 0 : bytes};
  }
  Delivery const delivery{from.data(), to.data(), 1, shares, shares};
  std::vector<double> seconds;
  for (int round = 0; round < 7; ++round) {
    double const before = communicator.seconds();
    communicator.start(exec, std::span(&delivery, 1));
    communicator.finish();
    if (round != 0) { seconds.push_back(communicator.seconds() - before); }
  }
  std::ranges::sort(seconds);
  return static_cast<double>(bytes) / seconds[seconds.size() / 2];
}

void print(RateOptions const& options, std::uint32_t ranks, bool is_zipf, bool starts_on_first, OfCalls const& together,
           OfCalls const& alone, double link)
{
  auto const keys = static_cast<double>(options.keys_of_rank());
  char const* const spread = starts_on_first ? "on rank 0" : "spread";
  char const* const kind = is_zipf ? "Zipf 0.99" : "uniform";
  for (std::size_t call = 0; call < call_names.size(); ++call) {
    Measured const all = median_of(together[call]);
    double const rate = keys * ranks / all.whole * 1e-9;
    double const one = keys / median_of(alone[call]).whole * 1e-9;
    double const over_link = all.parts.exchange == 0.0 ? 0.0 : static_cast<double>(all.link_bytes) / all.parts.exchange;
    double const share = allowed_by(all.parts) / all.whole;
    std::printf(
        "%-9s %-9s %-11s %7.2f G/s %8.3f ms = partition %.3f, exchange %.3f, table %.3f (%.2f of what these allow) "
        "| one GPU %6.2f G/s, ratio %.2f | link %.0f MB, %.0f GB/s of %.0f\n",
        spread, kind, call_names[call], rate, all.whole * 1e3, all.parts.partition * 1e3, all.parts.exchange * 1e3,
        all.parts.table * 1e3, share, one, rate / one, static_cast<double>(all.link_bytes) * 1e-6, over_link * 1e-9,
        link * 1e-9);
    std::printf(
        "{\"start\": \"%s\", \"keys\": \"%s\", \"call\": \"%s\", \"over\": \"%s\", \"ranks\": %u, \"slots_log2\": "
        "%u, \"load\": %g, \"pieces\": %u, \"rounds\": %u, \"gops\": %.4f, \"ms\": %.4f, \"partition_ms\": %.4f, "
        "\"exchange_ms\": %.4f, \"table_ms\": %.4f, \"share_of_allowed\": %.4f, \"one_gpu_gops\": %.4f, "
        "\"ratio\": %.4f, \"link_bytes\": %llu, \"link_gbps\": %.2f, \"link_limit_gbps\": %.2f}\n",
        spread, kind, call_names[call], options.over.c_str(), ranks, options.slots_log2, options.load, options.pieces,
        options.rounds, rate, all.whole * 1e3, all.parts.partition * 1e3, all.parts.exchange * 1e3,
        all.parts.table * 1e3, share, one, rate / one, static_cast<unsigned long long>(all.link_bytes),
        over_link * 1e-9, link * 1e-9);
    std::fflush(stdout);
  }
}

/// All cases, by one rank. What it measures alone, it does while the others wait.
template <class Communicator>
void measure_rates(RateOptions const& options, Communicator& communicator, Exec& exec, cudaStream_t stream,
                   std::deque<Shared>& shared)
{
  double const link = communicator.size() == 1 ? 0.0 : link_rate(communicator, exec, std::uint64_t{256} << 20);
  std::size_t which = 0;
  for (bool const is_zipf : {false, true}) {
    OfCalls const alone = communicator.rank() == 0 ? measure_one(options, exec, stream, is_zipf) : OfCalls{};
    for (bool const starts_on_first : {false, true}) {
      measure_rank(options, communicator, exec, stream, is_zipf, starts_on_first, shared[which]);
      if (communicator.rank() == 0) {
        print(options, communicator.size(), is_zipf, starts_on_first, shared[which].measured(), alone, link);
      }
      ++which;
    }
  }
}

template <class Communicator>
void run_rank(RateOptions const& options, Communicator& communicator, std::deque<Shared>& shared)
{
  cudaStream_t stream = nullptr;
  SLOTSCAPE_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  std::uint64_t keep_all = ~std::uint64_t{0};
  SLOTSCAPE_CUDA_CHECK(
      cudaMemPoolSetAttribute(exec::device_memory::pool(), cudaMemPoolAttrReleaseThreshold, &keep_all));
  {
    Exec exec(stream);
    if (options.measure == "rates") {
      measure_rates(options, communicator, exec, stream, shared);
    } else {
      measure_crossover(options, communicator, exec, stream);
    }
  }
  SLOTSCAPE_CUDA_CHECK(cudaStreamDestroy(stream));
}

void run(RateOptions const& options)
{
  int gpus = 0;
  SLOTSCAPE_CUDA_CHECK(cudaGetDeviceCount(&gpus));
  std::uint32_t const ranks = options.ranks == 0 ? static_cast<std::uint32_t>(gpus) : options.ranks;
  if (gpus == 0) { throw Error("There is no GPU."); }
  if (options.over == "nccl" && ranks > static_cast<std::uint32_t>(gpus)) {
    throw Error("NCCL needs a GPU for each rank, and there are " + std::to_string(gpus) + ": choose --over peer.");
  }
  std::vector<int> devices(ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) { devices[rank] = static_cast<int>(rank) % gpus; }
  cudaDeviceProp properties{};
  SLOTSCAPE_CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("%u ranks on %d GPUs (%s), 2^%u slots and %llu keys each, over %s", ranks, gpus, properties.name,
              options.slots_log2, static_cast<unsigned long long>(options.keys_of_rank()), options.over.c_str());
  if (options.over == "nccl") { std::printf(" %d", nccl::Library::get().version()); }
  std::printf("\n");
  std::chrono::duration<double> const timeout(options.timeout);
  std::deque<Shared> shared;  // they do not move
  for (int i = 0; i < 4; ++i) { shared.emplace_back(options.rounds); }
  auto const rank = [&](auto& communicator) { run_rank(options, communicator, shared); };
  if (options.over == "nccl") { return for_each_gpu(devices, rank, timeout); }
  for_each_peer(devices, rank, timeout);
}

}  // namespace
}  // namespace slotscape

int main(int count, char** arguments)
{
  try {
    slotscape::run(slotscape::options_of(count, arguments));
    return EXIT_SUCCESS;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "slotscape_distributed_rates: %s\n", error.what());
    return 2;
  }
}

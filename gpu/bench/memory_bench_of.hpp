#pragma once

#include "gpu/base/random.hpp"
#include "gpu/bench/memory_bench.hpp"
#include "gpu/execution/executor.hpp"

#include <algorithm>
#include <vector>

namespace slotscape::bench {

/// 16 bytes, which a thread reads at once.
struct Chunk {
  std::uint64_t low;
  std::uint64_t high;
};

template <class T>
SLOTSCAPE_HOST_DEVICE std::uint64_t read_once(T const* place)
{
  if constexpr (sizeof(T) == 8) {
#if defined(__CUDA_ARCH__)
    return __ldcg(reinterpret_cast<unsigned long long const*>(place));
#else
    return *place;
#endif
  } else {
#if defined(__CUDA_ARCH__)
    ulonglong2 const both = __ldcg(reinterpret_cast<ulonglong2 const*>(place));
    return both.x ^ both.y;
#else
    return place->low ^ place->high;
#endif
  }
}

/// Reads `in_flight` random places of `Lanes` neighbouring T each.
template <class T, int Lanes>
struct ReadPlaces {
  static constexpr std::uint64_t in_flight = 4;

  T const* words;
  std::uint64_t places;
  std::uint64_t seed;
  std::uint64_t* out;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile) const
  {
    std::uint64_t sum = 0;
    for (std::uint64_t k = 0; k < in_flight; ++k) {
      std::uint64_t const place = random_below(seed, item * in_flight + k, places);
      for (int lane = tile.rank(); lane < Lanes; lane += Tile::size) { sum ^= read_once(words + place * Lanes + lane); }
    }
    if (sum == 42) { *out = sum; }  // so that no read is optimised away
  }
};

/// Replaces empty words at random places by compare-and-swap.
template <class Machine>
struct ExchangePlaces {
  Machine machine;
  std::uint64_t places;
  std::uint64_t seed;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    using Format = typename Machine::Format;
    using Half = typename Format::Key;
    machine.compare_exchange(random_below(seed, i, places), Format::empty_word,
                             pack(static_cast<Half>(i), static_cast<Half>(i)));
  }
};

struct StorePlaces {
  std::uint64_t* words;
  std::uint64_t places;
  std::uint64_t seed;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint64_t& word = words[random_below(seed, i, places)];
#if defined(__CUDA_ARCH__)
    word = i;
#else
    __atomic_store_n(&word, i, __ATOMIC_RELAXED);
#endif
  }
};

struct ReadStream {
  Chunk const* chunks;
  std::uint64_t* out;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if ((read_once(chunks + 2 * i) ^ read_once(chunks + 2 * i + 1)) == 42) { *out = i; }
  }
};

struct CopyStream {
  Chunk const* from;
  Chunk* to;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { to[i] = from[i]; }
};

/// Measures one device's memory.
template <exec::Executor Exec>
class MemoryBench {
public:
  MemoryBench(MemorySettings const& settings, Progress const& progress)
      : words_(exec_, settings.bytes / 128 * 16), out_(exec_, 1), settings_(settings), progress_(progress)
  {
    exec_.fill(words_.data(), words_.size(), ~std::uint64_t{0});
  }

  std::optional<MemoryRates> run()
  {
    MemoryRates rates{};
    for (MemoryAccess const access : settings_.wanted) {
      std::vector<double> seen;
      for (int repeat = 0; repeat <= settings_.repeats; ++repeat) {
        if (progress_.cancelled()) { return std::nullopt; }
        double const rate = measure(access, static_cast<std::uint64_t>(repeat));
        if (repeat != 0) { seen.push_back(rate); }
      }
      std::ranges::nth_element(seen, seen.begin() + static_cast<std::ptrdiff_t>(seen.size() / 2));
      rates[static_cast<std::size_t>(access)] = seen[seen.size() / 2];
    }
    return rates;
  }

private:
  static constexpr std::uint64_t min_accesses = Exec::backend == Backend::cuda ? 1u << 26 : 1u << 20;

  std::uint64_t bytes() const { return words_.size() * sizeof(std::uint64_t); }

  double measure(MemoryAccess access, std::uint64_t seed)
  {
    switch (access) {
      case MemoryAccess::read_8: return read<std::uint64_t, 1>(seed);
      case MemoryAccess::read_16: return read<Chunk, 1>(seed);
      case MemoryAccess::read_32: return read<Chunk, 2>(seed);
      case MemoryAccess::read_64: return read<Chunk, 4>(seed);
      case MemoryAccess::read_128: return read<Chunk, 8>(seed);
      case MemoryAccess::compare_exchange_8: return exchange<Narrow>(seed);
      case MemoryAccess::compare_exchange_16: return exchange<Wide>(seed);
      case MemoryAccess::store_8: {
        std::uint64_t const count = std::max(min_accesses, words_.size() / 2);
        return timed(count, [&] { exec_.for_each(count, StorePlaces{words_.data(), words_.size(), seed}); });
      }
      case MemoryAccess::stream_read:
        return timed(bytes(), [&] { exec_.for_each(bytes() / 32, ReadStream{chunks(), out_.data()}); });
      case MemoryAccess::stream_copy:
        return timed(bytes(), [&] { exec_.for_each(bytes() / 32, CopyStream{chunks(), chunks() + bytes() / 32}); });
    }
    return 0.0;
  }

  Chunk* chunks() const { return reinterpret_cast<Chunk*>(words_.data()); }

  template <class T, int Lanes>
  double read(std::uint64_t seed)
  {
    using Read = ReadPlaces<T, Lanes>;
    std::uint64_t const places = bytes() / sizeof(T) / Lanes;
    std::uint64_t const items = std::max(min_accesses, places) / Read::in_flight;
    Read const pass{reinterpret_cast<T const*>(words_.data()), places, seed, out_.data()};
    return timed(items * Read::in_flight, [&] { exec_.template for_each_tile<Lanes>(items, pass); });
  }

  /// Runs half as many exchanges as there are words, so that most words are still empty.
  template <PairFormat Format>
  double exchange(std::uint64_t seed)
  {
    using Word = typename Format::Word;
    using Machine = typename Exec::template Machine<Format>;
    exec_.fill(words_.data(), words_.size(), ~std::uint64_t{0});
    std::uint64_t const places = bytes() / sizeof(Word);
    Machine const machine{reinterpret_cast<Word*>(words_.data()), nullptr};
    return timed(places / 2, [&] { exec_.for_each(places / 2, ExchangePlaces<Machine>{machine, places, seed}); });
  }

  template <class F>
  double timed(std::uint64_t count, F const& f)
  {
    exec_.start_timer();
    f();
    return static_cast<double>(count) / exec_.stop_timer();
  }

  Exec exec_;
  typename Exec::template Buffer<std::uint64_t> words_;
  typename Exec::template Buffer<std::uint64_t> out_;
  MemorySettings settings_;
  Progress progress_;
};

}  // namespace slotscape::bench

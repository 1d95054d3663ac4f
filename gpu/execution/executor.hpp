#pragma once

#include "gpu/execution/backend.hpp"
#include "gpu/execution/histogram.hpp"
#include "gpu/execution/machines.hpp"
#include "gpu/execution/memory.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace slotscape::exec {

namespace examples {

/// Arguments for checking the concept `Executor`. Only their types matter: nothing is instantiated.
struct Function {
  template <class... Arguments>
  SLOTSCAPE_HOST_DEVICE Outcome operator()(Arguments const&...) const;
};
struct BlockFunction {
  struct Shared {};
  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t, Block, Shared&) const;
};
struct Program {
  struct State {};
  SLOTSCAPE_HOST_DEVICE std::uint64_t items(State) const;
  SLOTSCAPE_HOST_DEVICE std::uint32_t sweep(State, std::uint64_t) const;
  SLOTSCAPE_HOST_DEVICE bool next(State&, std::uint32_t) const;
};

}  // namespace examples

/// A device with its own memory and one stream of work. `Cpu` documents the members.
template <class E>
concept Executor = Machine<typename E::template Machine<Narrow>> &&
    requires(E exec, std::uint64_t count, std::uint32_t* numbers, std::uint32_t number, HistogramView histogram,
             std::span<std::uint32_t> to, std::span<std::uint32_t const> from, typename E::Laps laps)
{
  {
    E::backend
    } -> std::convertible_to<Backend>;
  {
    E::batch_limit
    } -> std::convertible_to<std::uint64_t>;
  {
    E::rehash_slots
    } -> std::convertible_to<std::uint64_t>;
  {
    exec.name()
    } -> std::convertible_to<std::string>;
  {
    typename E::template Buffer<std::uint32_t>(exec, count).data()
    } -> std::same_as<std::uint32_t*>;
  {
    typename E::template Buffer<std::uint32_t>(exec, count).size()
    } -> std::same_as<std::uint64_t>;

  {
    typename E::template HostBuffer<std::uint32_t>(exec, count).data()
    } -> std::same_as<std::uint32_t*>;

  exec.fill(numbers, count, number);
  exec.upload(numbers, from);
  exec.download(to, from.data());
  exec.copy(numbers, from.data(), count);
  exec.wait();

  exec.for_each(count, examples::Function{});
  exec.template for_each_tile<32>(count, examples::Function{});
  exec.template for_each_block<512>(count, examples::BlockFunction{});
  {
    exec.block_memory()
    } -> std::same_as<std::size_t>;
  {
    exec.cache_bytes()
    } -> std::same_as<std::uint64_t>;
  exec.rounds(count, examples::Program{});
  {
    exec.tally(count, examples::Function{})
    } -> std::same_as<Tally>;
  {
    exec.template tally_tile<32>(count, examples::Function{})
    } -> std::same_as<Tally>;
  {
    exec.tally_together(count, examples::Function{})
    } -> std::same_as<Tally>;
  exec.accumulate(count, histogram, examples::Function{});

  {
    exec.select(count, number, numbers, examples::Function{})
    } -> std::same_as<std::uint64_t>;
  {
    exec.compact(from.data(), count, number, numbers)
    } -> std::same_as<std::uint64_t>;
  exec.sort(numbers, count);
  exec.sort_pairs(numbers, numbers, count);
  {
    exec.exclusive_scan(numbers, count)
    } -> std::same_as<std::uint64_t>;
  exec.prefix_sums(numbers, count);

  exec.start_timer();
  exec.mark_stop();
  {
    exec.stop_timer()
    } -> std::same_as<double>;
  laps.start();
  laps.lap();
  {
    laps.seconds()
    } -> std::same_as<std::vector<double>>;
};

/// Makes room for `count` elements in a buffer that only grows: at first exactly as many as needed, later 1.5 times as
/// many, but no more than `limit`. The contents are lost.
template <Executor Exec, class Buffer>
void grow(Exec& exec, Buffer& buffer, std::uint64_t count, std::uint64_t limit = ~std::uint64_t{0},
          MemoryUse use = MemoryUse::scratch)
{
  if (buffer.size() >= count) { return; }
  std::uint64_t const wanted = buffer.size() == 0 ? count : std::max(count, buffer.size() + buffer.size() / 2);
  buffer = {};
  buffer = Buffer(exec, std::min(limit, wanted), use);
}

}  // namespace slotscape::exec

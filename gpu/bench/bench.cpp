#include "gpu/base/error.hpp"
#include "gpu/bench/backends.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>

namespace slotscape::bench {
namespace {

double rate(MemoryRates const& rates, MemoryAccess access)
{
  return rates[static_cast<std::size_t>(access)];
}

}  // namespace

std::unique_ptr<TableBench> make_table_bench(Backend backend, TableCase const& subject)
{
  if (!(subject.load_factor > 0.0 && subject.load_factor <= 1.0)) {
    throw Error(fmt::format("A table cannot be filled to a load factor of {}: choose more than 0, and at most 1.",
                            subject.load_factor));
  }
  validate(subject.table, backend);
#if SLOTSCAPE_HAS_CUDA
  if (backend == Backend::cuda) { return make_cuda_table_bench(subject); }
#endif
  return make_cpu_table_bench(subject);
}

std::optional<MemoryRates> measure_memory(Backend backend, MemorySettings const& settings, GoOn const& go_on)
{
#if SLOTSCAPE_HAS_CUDA
  if (backend == Backend::cuda) { return measure_cuda_memory(settings, go_on); }
#endif
  static_cast<void>(backend);
  return measure_cpu_memory(settings, go_on);
}

double limit_of(Timed timed, int key_bits, MemoryRates const& rates)
{
  double const read = rate(rates, MemoryAccess::read_32);
  double const change =
      rate(rates, key_bits == 64 ? MemoryAccess::compare_exchange_16 : MemoryAccess::compare_exchange_8);
  switch (timed) {
    case Timed::find_hit:
    case Timed::find_miss: return read;
    case Timed::mixed: return 2.0 / (1.0 / read + 1.0 / change);
    case Timed::insert:
    case Timed::erase: return change;
  }
  return 0.0;
}

}  // namespace slotscape::bench

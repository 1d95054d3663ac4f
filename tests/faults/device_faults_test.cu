// The CUDA runtime refuses its n-th call, for all n: functions of these names stand before its own (ld --wrap, see
// tests/CMakeLists.txt).

#include "gpu/base/device_lost.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/execution/backend.hpp"
#include "tests/faults/device_faults.hpp"

#include <gtest/gtest.h>

#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::faults {
namespace {

enum class DeviceCall : std::uint8_t { memory, work };

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

/// What the runtime answers, and to which calls.
struct Refusal {
  std::uint64_t after = never;  ///< so many calls of its kind are still well
  bool lasting = false;         ///< all calls from then on, of any kind, as of a device that has failed
  bool memory_only = true;
  cudaError_t answer = cudaErrorMemoryAllocation;
};
Refusal refusal;
std::atomic<std::uint64_t> calls = 0;
std::atomic<bool> refused = false;

bool is_refused(DeviceCall call)
{
  if (refusal.after == never || (refusal.memory_only && call != DeviceCall::memory)) { return false; }
  std::uint64_t const before = calls.fetch_add(1);
  bool const now = refusal.lasting ? before >= refusal.after : before == refusal.after;
  if (now) { refused = true; }
  return now;
}

void refuse(Refusal const& wanted)
{
  calls = 0;
  refused = false;
  refusal = wanted;
}
/// Returns whether a call was refused.
bool stop_refusing()
{
  refusal = {};
  return refused;
}

}  // namespace

__global__ void write_nowhere(int* nowhere)
{
  *nowhere = 1;
}

void ruin_device()
{
  write_nowhere<<<1, 1>>>(reinterpret_cast<int*>(std::uintptr_t{1} << 20));
  cudaDeviceSynchronize();
}

}  // namespace slotscape::faults

#define SLOTSCAPE_STAND_BEFORE(kind, name, parameters, arguments)                               \
  extern "C" cudaError_t __real_##name parameters;                                              \
  extern "C" cudaError_t __wrap_##name parameters                                               \
  {                                                                                             \
    bool const is_refused = slotscape::faults::is_refused(slotscape::faults::DeviceCall::kind); \
    return is_refused ? slotscape::faults::refusal.answer : __real_##name arguments;            \
  }

SLOTSCAPE_STAND_BEFORE(memory, cudaMalloc, (void** memory, std::size_t bytes), (memory, bytes))
SLOTSCAPE_STAND_BEFORE(memory, cudaMallocHost, (void** memory, std::size_t bytes), (memory, bytes))
SLOTSCAPE_STAND_BEFORE(memory, cudaMallocAsync, (void** memory, std::size_t bytes, cudaStream_t stream),
                       (memory, bytes, stream))
SLOTSCAPE_STAND_BEFORE(work, cudaMemcpyAsync,
                       (void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream),
                       (to, from, bytes, kind, stream))
SLOTSCAPE_STAND_BEFORE(work, cudaMemsetAsync, (void* to, int value, std::size_t bytes, cudaStream_t stream),
                       (to, value, bytes, stream))
SLOTSCAPE_STAND_BEFORE(work, cudaStreamSynchronize, (cudaStream_t stream), (stream))
SLOTSCAPE_STAND_BEFORE(work, cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream))
SLOTSCAPE_STAND_BEFORE(work, cudaEventSynchronize, (cudaEvent_t event), (event))
SLOTSCAPE_STAND_BEFORE(work, cudaGetLastError, (), ())  // which is asked after each launch
#undef SLOTSCAPE_STAND_BEFORE

namespace slotscape::faults {
namespace {

constexpr std::uint64_t slots = 1u << 12;

bool has_device()
{
  return why_no_cuda().empty();
}

std::vector<Pair> sorted_pairs(Engine& engine)
{
  std::vector<Pair> pairs = engine.pairs();
  std::ranges::sort(pairs, {}, &Pair::key);
  return pairs;
}

/// Half full, always with the same keys.
std::unique_ptr<Engine> filled_table(std::string const& family)
{
  auto engine = make_engine(Backend::cuda, {.family = family, .slots = slots});
  engine->set_keys({}, 1);
  engine->run(BatchRequest::inserts(slots / 2));
  return engine;
}

struct DeviceWork {
  std::string_view name;
  std::function<void(Engine&)> run;
  bool may_add = false;     ///< keys, some of which may be there where it fails
  bool may_remove = false;  ///< the same
};
std::vector<DeviceWork> const& all_device_work()
{
  static std::vector<DeviceWork> const all{
      {"rehash", [](Engine& engine) { engine.rehash(2 * slots); }},
      {"find", [](Engine& engine) { engine.run(BatchRequest::finds(1000, KeyChoice::mixed)); }},
      {"save", [](Engine& engine) { engine.restore(*engine.save()); }},
      {"pairs", [](Engine& engine) { engine.pairs(); }},
      {"insert", [](Engine& engine) { engine.run(BatchRequest::inserts(200)); }, true, false},
      {"erase", [](Engine& engine) { engine.run(BatchRequest::erases(200)); }, false, true},
  };
  return all;
}

class DeviceMemoryFull : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override
  {
    if (!has_device()) { GTEST_SKIP() << why_no_cuda(); }
  }
  void TearDown() override { stop_refusing(); }
};

/// What the work says as it fails, or nothing.
std::string error_of(DeviceWork const& work, Engine& engine)
{
  try {
    work.run(engine);
  } catch (DeviceLost const&) {
    return "lost";
  } catch (Error const& error) {
    return error.what();
  }
  return {};
}

/// The GPU's memory is full from the n-th allocation of some work on, for all n; or for that one alone, where it is
/// asked for again. A rehash that finds none leaves the table.
TEST_P(DeviceMemoryFull, TheTableStaysAsItWas)
{
  constexpr std::uint64_t most = 1000;  // allocations
  std::uint64_t failures = 0;
  for (DeviceWork const& work : all_device_work()) {
    bool was_refused = true;
    for (std::uint64_t step = 0; was_refused; ++step) {
      bool const lasting = step % 2 == 0;
      ASSERT_LT(step, most) << work.name << " never ends";
      auto const engine = filled_table(GetParam());
      std::vector<Pair> const before = sorted_pairs(*engine);
      refuse({.after = step / 2, .lasting = lasting});
      std::string const error = error_of(work, *engine);
      was_refused = stop_refusing();
      engine->rehash_cancel();
      std::vector<Pair> const now = sorted_pairs(*engine);
      EXPECT_TRUE(error.empty() || error.find("choose a smaller table") != std::string::npos) << error;
      EXPECT_TRUE(work.may_remove || std::ranges::includes(now, before, {}, &Pair::key, &Pair::key))
          << work.name << ", step " << step;
      EXPECT_TRUE(work.may_add || std::ranges::includes(before, now, {}, &Pair::key, &Pair::key))
          << work.name << ", step " << step;
      engine->run(BatchRequest::inserts(10));  // it goes on
      failures += error.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(failures, 0u);
}

INSTANTIATE_TEST_SUITE_P(Families, DeviceMemoryFull, testing::ValuesIn(family_names()),
                         [](auto const& info) { return info.param; });

/// A device that fails at the n-th call: each says so as DeviceLost, and what is destroyed then does no harm.
TEST(DeviceFails, InTheMiddleOfAnything)
{
  if (!has_device()) { GTEST_SKIP() << why_no_cuda(); }
  constexpr std::uint64_t most = 10'000;  // calls
  std::uint64_t failures = 0;
  for (DeviceWork const& work : all_device_work()) {
    for (std::uint64_t after = 0;; ++after) {
      ASSERT_LT(after, most) << work.name << " never ends";
      auto engine = filled_table("linear_probing");
      refuse({.after = after, .lasting = true, .memory_only = false, .answer = cudaErrorIllegalAddress});
      std::string const error = error_of(work, *engine);
      EXPECT_TRUE(error.empty() || error == "lost") << work.name << ", after " << after << ": " << error;
      failures += error.empty() ? 0 : 1;
      engine.reset();
      if (!stop_refusing()) { break; }
    }
  }
  EXPECT_GT(failures, all_device_work().size());
}

}  // namespace
}  // namespace slotscape::faults

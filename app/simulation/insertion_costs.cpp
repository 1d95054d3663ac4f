#include "app/simulation/insertion_costs.hpp"

#include "gpu/engine/make_engine.hpp"

#include <algorithm>
#include <span>

namespace slotscape {
namespace {

constexpr int in_one_frame = 8;  ///< insertions per frame; each may split every chain

/// The i-th key. Keys are distinct because the factor is odd.
Key random_key(std::uint64_t i)
{
  return (i + 1) * 0x9e3779b1u % (std::uint64_t{1} << 31);
}

/// The settings with as many slots as the insertions may need, but at most the original number.
TableSettings small(TableSettings settings)
{
  settings.shards = 1;
  settings.memory = TableMemory::device;
  settings.slots = std::min<std::uint64_t>(settings.slots, 4 * InsertionCosts::most);
  return settings;
}

}  // namespace

void InsertionCosts::begin(TableSettings const& settings)
{
  *this = {};
  settings_ = settings;
  if (family_info(settings.family).growth != Growth::none) { engine_ = make_engine(Backend::cpu, small(settings)); }
}

void InsertionCosts::advance(TableSettings const& settings)
{
  if (settings != settings_) { begin(settings); }
  for (int i = 0; engine_ && i != in_one_frame && accesses_.size() != most && !is_full_; ++i) {
    Key const key = random_key(accesses_.size());
    Value const value = 1;
    Trace const trace = engine_->trace(Operation::insert, key, value);
    is_full_ = engine_->insert(std::span(&key, 1), std::span(&value, 1))[Outcome::inserted] == 0;
    if (!is_full_) { accesses_.push_back(static_cast<std::uint32_t>(trace.steps.size())); }
  }
}

}  // namespace slotscape

#pragma once

#include "gpu/tables/family.hpp"

#include <concepts>
#include <cstdint>

namespace slotscape {

/// Who reads what an operation has to read (Gao et al. 2019): its own thread, or neighbouring threads together.
enum class ExecutionLevel : std::uint8_t {
  thread = 1,
  adaptive = 2,  ///< whichever has been faster for batches of that kind
  warp = 3
};

/// A family of which there are tables whose batches take effect in their order (`takes_groups`), and that leaves it to
/// the settings who executes the operations of others. Operations on keys of different buckets do not depend on each
/// other.
template <class F>
concept TakesGroups = UsesTiles<F> &&
    requires(TableSettings const& settings, HostView<F> const& table, typename HostView<F>::Key key)
{
  {
    F::takes_groups(settings)
    } -> std::same_as<bool>;
  {
    F::level(settings)
    } -> std::same_as<ExecutionLevel>;
  {
    table.layout.bucket(key)
    } -> std::convertible_to<std::uint32_t>;
};

}  // namespace slotscape

#pragma once

#include "gpu/tables/family.hpp"

#include <concepts>
#include <cstdint>

namespace slotscape {

/// Which threads read the data of an operation (Gao et al. 2019): its own thread, or neighbouring threads together.
enum class ExecutionLevel : std::uint8_t {
  thread = 1,
  adaptive = 2,  ///< whichever has been faster for batches of the same kind
  warp = 3
};

/// A family with a setting (`takes_groups`) for tables whose batches take effect in order, and a setting for the
/// execution level of its other tables. Operations on keys of different buckets do not depend on each other.
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

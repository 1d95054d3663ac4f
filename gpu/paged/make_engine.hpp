#pragma once

#include "gpu/execution/dispatch.hpp"
#include "gpu/paged/engine.hpp"

namespace slotscape::paged {

/// The arguments for making a table.
struct Making {
  PagedSettings settings;
  std::uint32_t cells;
  PagedEngine::Seen seen;
  std::function<void(double)> making;
};

/// Makes the engine of a backend; each backend specialises it.
template <class Exec>
std::unique_ptr<PagedEngine> make_engine_on(Making const& making);
template <>
std::unique_ptr<PagedEngine> make_engine_on<exec::Cpu>(Making const& making);
template <>
std::unique_ptr<PagedEngine> make_engine_on<exec::Cuda>(Making const& making);

}  // namespace slotscape::paged

#include "gpu/execution/cuda.cuh"
#include "gpu/execution/cuda_select.cuh"
#include "gpu/watch/watched_table_of.hpp"

namespace slotscape::watch {

template <>
std::unique_ptr<WatchedTable> make_watched_table_on<exec::Cuda>(std::string name, Description const& description,
                                                                std::span<Array const> arrays)
{
  return std::make_unique<WatchedTableOf<exec::Cuda>>(std::move(name), description, arrays);
}

}  // namespace slotscape::watch

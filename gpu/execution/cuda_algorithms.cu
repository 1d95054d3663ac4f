#include "gpu/execution/cuda_algorithms.cuh"

namespace slotscape::exec {

template std::uint64_t Cuda::compact(std::uint32_t const*, std::uint64_t, std::uint32_t, std::uint32_t*);
template void Cuda::sort(std::uint32_t*, std::uint64_t);
template void Cuda::sort(std::uint64_t*, std::uint64_t);
template void Cuda::sort_pairs(std::uint32_t*, std::uint32_t*, std::uint64_t);
template void Cuda::sort_pairs(std::uint64_t*, std::uint64_t*, std::uint64_t);
template void Cuda::sort_pairs(std::uint64_t*, std::uint32_t*, std::uint64_t);
template std::uint64_t Cuda::exclusive_scan(std::uint32_t*, std::uint64_t);
template void Cuda::prefix_sums(std::uint32_t*, std::uint64_t);

}  // namespace slotscape::exec

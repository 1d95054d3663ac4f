#pragma once

#include "gpu/engine/engine.hpp"

#if SLOTSCAPE_HAS_CUDA
#include "gpu/execution/cuda_error.hpp"
#endif

#include <vector>

namespace slotscape {

/// Texels in the memory of a backend's device, for tests that look at pictures without OpenGL.
class TexelMemory {
public:
  TexelMemory(Backend backend, std::uint64_t texels) : backend_(backend), host_(texels)
  {
#if SLOTSCAPE_HAS_CUDA
    if (backend_ == Backend::cuda) { SLOTSCAPE_CUDA_CHECK(cudaMalloc(&device_, texels * sizeof(Texel))); }
#endif
  }
  ~TexelMemory()
  {
#if SLOTSCAPE_HAS_CUDA
    cudaFree(device_);
#endif
  }
  TexelMemory(TexelMemory const&) = delete;
  TexelMemory& operator=(TexelMemory const&) = delete;

  TexelTarget target()
  {
    return {backend_ == Backend::cuda ? device_ : host_.data(), host_.size()};
  }

  /// What has been written, on the host.
  std::vector<Texel> const& read()
  {
#if SLOTSCAPE_HAS_CUDA
    if (backend_ == Backend::cuda) {
      SLOTSCAPE_CUDA_CHECK(cudaMemcpy(host_.data(), device_, host_.size() * sizeof(Texel), cudaMemcpyDeviceToHost));
    }
#endif
    return host_;
  }

private:
  Backend backend_;
  std::vector<Texel> host_;
  Texel* device_ = nullptr;
};

}  // namespace slotscape

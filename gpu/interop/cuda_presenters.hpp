#pragma once

#include "gpu/interop/presenter.hpp"

#include <memory>
#include <string>
#include <vector>

struct cudaGraphicsResource;

namespace slotscape {

/// Why the current OpenGL context cannot share buffers with CUDA; empty if it can (found by trying).
std::string why_no_interop();

/// The buffers that CUDA has written and not yet returned to OpenGL. After each return, OpenGL's next work waits about
/// 0.8 ms for the GPU to switch, however many buffers there are, so they are returned together, once per frame.
class InteropFrame {
public:
  void add(cudaGraphicsResource* resource) { mapped_.push_back(resource); }
  bool has(cudaGraphicsResource const* resource) const;
  void give_back();

private:
  std::vector<cudaGraphicsResource*> mapped_;
};

/// Kernels write straight into the OpenGL buffer.
std::unique_ptr<Presenter> make_interop_presenter(std::string reason, std::shared_ptr<InteropFrame> frame);
/// Kernels write to device memory, which is copied through pinned memory to the OpenGL buffer.
std::unique_ptr<Presenter> make_staging_presenter(std::string reason);

}  // namespace slotscape

#pragma once

#include "gpu/interop/presenter.hpp"

#include <memory>
#include <string>

namespace slotscape {

/// Why the current OpenGL context cannot share buffers with CUDA; empty if it can (found by trying).
std::string why_no_interop();

/// Kernels write straight into the OpenGL buffer.
std::unique_ptr<Presenter> make_interop_presenter(std::string reason);
/// Kernels write device memory, which is copied through pinned memory into the OpenGL buffer.
std::unique_ptr<Presenter> make_staging_presenter(std::string reason);

}  // namespace slotscape

#include "gpu/interop/cuda_presenters.hpp"

#include "gpu/base/error.hpp"

#if SLOTSCAPE_HAS_CUDA

#include "gpu/execution/cuda_error.hpp"
#include "gpu/interop/shared_buffer.hpp"

#include <cuda_gl_interop.h>

#include <algorithm>
#include <utility>

namespace slotscape {

namespace {

class InteropPresenter final : public Presenter {
public:
  InteropPresenter(std::string reason, std::shared_ptr<InteropFrame> frame)
      : reason_(std::move(reason)), frame_(std::move(frame))
  {
  }
  ~InteropPresenter() override
  {
    try {
      unregister();
    } catch (Error const&) {  // on a lost device, there is nothing to give back
    }
  }
  PresentPath path() const override { return PresentPath::interop; }
  std::string const& reason() const override { return reason_; }

  MappedMemory map(std::uint64_t bytes) override
  {
    Stopwatch const watch(map_seconds_);
    if (frame_->has(resource_)) { frame_->give_back(); }
    if (resource_ == nullptr || !buffer_.fits(bytes)) {
      unregister();
      buffer_.fit(bytes);
      SLOTSCAPE_CUDA_CHECK(
          cudaGraphicsGLRegisterBuffer(&resource_, buffer_.name(), cudaGraphicsRegisterFlagsWriteDiscard));
    }
    // Maps on the default stream, which orders the call before the engine's work: the host need not wait even if OpenGL
    // is still reading.
    SLOTSCAPE_CUDA_CHECK(cudaGraphicsMapResources(1, &resource_));
    frame_->add(resource_);
    void* on_device = nullptr;
    std::size_t mapped_bytes = 0;
    SLOTSCAPE_CUDA_CHECK(cudaGraphicsResourceGetMappedPointer(&on_device, &mapped_bytes, resource_));
    return {on_device, mapped_bytes};
  }
  void unmap(std::uint64_t) override {}
  unsigned buffer() const override
  {
    frame_->give_back();
    return buffer_.name();
  }
  double cpu_seconds() const override { return map_seconds_; }

private:
  void unregister()
  {
    if (frame_->has(resource_)) { frame_->give_back(); }
    if (resource_ != nullptr) { cudaGraphicsUnregisterResource(resource_); }
    resource_ = nullptr;
  }

  std::string reason_;
  std::shared_ptr<InteropFrame> frame_;
  SharedBuffer buffer_;
  cudaGraphicsResource_t resource_ = nullptr;
  double map_seconds_ = 0.0;
};

class StagingPresenter final : public Presenter {
public:
  explicit StagingPresenter(std::string reason) : reason_(std::move(reason)) {}
  ~StagingPresenter() override { release(); }
  PresentPath path() const override { return PresentPath::staging; }
  std::string const& reason() const override { return reason_; }

  MappedMemory map(std::uint64_t bytes) override
  {
    Stopwatch const watch(map_seconds_);
    if (buffer_.fit(bytes) || pinned_ == nullptr) {
      release();
      SLOTSCAPE_CUDA_CHECK(cudaMalloc(&device_, buffer_.capacity()));
      SLOTSCAPE_CUDA_CHECK(cudaMallocHost(&pinned_, buffer_.capacity()));
    }
    return {device_, buffer_.capacity()};
  }
  void unmap(std::uint64_t bytes) override
  {
    Stopwatch const watch(unmap_seconds_);
    SLOTSCAPE_CUDA_CHECK(cudaMemcpyAsync(pinned_, device_, bytes, cudaMemcpyDeviceToHost));
    SLOTSCAPE_CUDA_CHECK(cudaStreamSynchronize(nullptr));
    buffer_.write(pinned_, bytes);
  }
  unsigned buffer() const override { return buffer_.name(); }
  double cpu_seconds() const override { return map_seconds_ + unmap_seconds_; }

private:
  void release()
  {
    cudaFree(device_);
    cudaFreeHost(pinned_);
    device_ = pinned_ = nullptr;
  }

  std::string reason_;
  SharedBuffer buffer_;
  void* device_ = nullptr;
  void* pinned_ = nullptr;
  double map_seconds_ = 0.0;
  double unmap_seconds_ = 0.0;
};

}  // namespace

std::string why_no_interop()
{
  SharedBuffer buffer;
  buffer.fit(1);
  cudaGraphicsResource_t resource = nullptr;
  cudaError_t const status =
      cudaGraphicsGLRegisterBuffer(&resource, buffer.name(), cudaGraphicsRegisterFlagsWriteDiscard);
  if (status == cudaSuccess) {
    cudaGraphicsUnregisterResource(resource);
    return {};
  }
  cudaGetLastError();
  return std::string("OpenGL and CUDA run on different devices (") +
         reinterpret_cast<char const*>(glGetString(GL_RENDERER)) + "; CUDA reports: " + cudaGetErrorString(status) +
         ")";
}

bool InteropFrame::has(cudaGraphicsResource const* resource) const
{
  return std::ranges::find(mapped_, resource) != mapped_.end();
}

void InteropFrame::give_back()
{
  if (mapped_.empty()) { return; }
  std::vector<cudaGraphicsResource*> resources = std::exchange(mapped_, {});
  SLOTSCAPE_CUDA_CHECK(cudaGraphicsUnmapResources(static_cast<int>(resources.size()), resources.data()));
}

std::unique_ptr<Presenter> make_interop_presenter(std::string reason, std::shared_ptr<InteropFrame> frame)
{
  return std::make_unique<InteropPresenter>(std::move(reason), std::move(frame));
}

std::unique_ptr<Presenter> make_staging_presenter(std::string reason)
{
  return std::make_unique<StagingPresenter>(std::move(reason));
}

}  // namespace slotscape

#else

#include <stdexcept>

namespace slotscape {

std::string why_no_interop()
{
  return "this program was built without CUDA";
}
bool InteropFrame::has(cudaGraphicsResource const*) const
{
  return false;
}
void InteropFrame::give_back() {}
// NOLINTNEXTLINE(performance-unnecessary-value-param): the CUDA version keeps them
std::unique_ptr<Presenter> make_interop_presenter(std::string, std::shared_ptr<InteropFrame>)
{
  throw std::logic_error("built without CUDA");
}
// NOLINTNEXTLINE(performance-unnecessary-value-param): the CUDA version keeps it
std::unique_ptr<Presenter> make_staging_presenter(std::string)
{
  throw std::logic_error("built without CUDA");
}

}  // namespace slotscape

#endif

#pragma once

#include "gpu/execution/copy_stream.hpp"
#include "gpu/execution/cuda.cuh"

#include <cstdint>

namespace slotscape::exec {

/// A separate CUDA stream, which waits for no other. Copies overlap with other work only from and to pinned memory.
template <>
class CopyStream<Cuda> {
public:
  class Mark {
  public:
    Mark() { SLOTSCAPE_CUDA_CHECK(cudaEventCreate(&event_)); }
    ~Mark() { cudaEventDestroy(event_); }
    Mark(Mark const&) = delete;
    Mark& operator=(Mark const&) = delete;

  private:
    friend CopyStream;
    cudaEvent_t event_ = nullptr;
  };

  explicit CopyStream(Cuda&) { SLOTSCAPE_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~CopyStream()
  {
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
  }
  CopyStream(CopyStream const&) = delete;
  CopyStream& operator=(CopyStream const&) = delete;

  void copy(void* to, void const* from, std::uint64_t bytes)
  {
    if (bytes != 0) { SLOTSCAPE_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_)); }
  }
  void record(Mark& mark) { SLOTSCAPE_CUDA_CHECK(cudaEventRecord(mark.event_, stream_)); }
  void wait_for(Mark const& mark) { SLOTSCAPE_CUDA_CHECK(cudaStreamWaitEvent(stream_, mark.event_)); }
  void wait() { SLOTSCAPE_CUDA_CHECK(cudaStreamSynchronize(stream_)); }

  static void record(Cuda& exec, Mark& mark) { SLOTSCAPE_CUDA_CHECK(cudaEventRecord(mark.event_, exec.stream())); }
  static void wait_for(Cuda& exec, Mark const& mark)
  {
    SLOTSCAPE_CUDA_CHECK(cudaStreamWaitEvent(exec.stream(), mark.event_));
  }

  static double seconds(Mark const& from, Mark const& to)
  {
    float milliseconds = 0.0f;
    SLOTSCAPE_CUDA_CHECK(cudaEventSynchronize(to.event_));
    SLOTSCAPE_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, from.event_, to.event_));
    return milliseconds * 1e-3;
  }
  static bool is_on_device(void const* array)
  {
    cudaPointerAttributes attributes{};
    SLOTSCAPE_CUDA_CHECK(cudaPointerGetAttributes(&attributes, array));
    return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
  }
  static std::uint64_t free_memory() { return device_memory::available(); }

private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace slotscape::exec

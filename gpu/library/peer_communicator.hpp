#pragma once

#include "gpu/execution/cuda_error.hpp"
#include "gpu/execution/cuda_memory.hpp"
#include "gpu/library/communicator.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace slotscape {

/// A rank that is a thread of this process with a GPU, which several ranks may share. It needs no NCCL: each rank
/// copies the data that the others have for it, with the copy engines of its GPU and concurrently with all other work.
class PeerCommunicator {
public:
  /// Uses the current device. All ranks of the group construct their communicators together.
  explicit PeerCommunicator(ThreadCommunicator rank) : rank_(std::move(rank))
  {
    int device = 0;
    SLOTSCAPE_CUDA_CHECK(cudaGetDevice(&device));
    std::vector<std::uint64_t> const mine(rank_.size(), static_cast<std::uint64_t>(device));
    std::vector<std::uint64_t> devices(rank_.size());
    rank_.exchange_numbers(mine, devices);
    for (std::uint64_t const other : devices) {
      reaches_others_ = give_access(device, static_cast<int>(other)) && reaches_others_;
    }
    SLOTSCAPE_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    SLOTSCAPE_CUDA_CHECK(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));
  }
  PeerCommunicator(PeerCommunicator const&) = delete;
  PeerCommunicator& operator=(PeerCommunicator const&) = delete;
  ~PeerCommunicator()
  {
    cudaStreamSynchronize(stream_);
    for (cudaEvent_t event : events_) { cudaEventDestroy(event); }
    cudaEventDestroy(ready_);
    cudaStreamDestroy(stream_);
  }

  std::uint32_t rank() const { return rank_.rank(); }
  std::uint32_t size() const { return rank_.size(); }

  /// Whether the GPUs of this rank and all others read each other's memory directly.
  template <exec::Executor Exec>
  bool reaches_others(Exec const&) const
  {
    return reaches_others_;
  }
  template <class Look>
  void meet(void const* mine, Look const& look)
  {
    rank_.meet(mine, look);
  }

  void exchange_numbers(std::span<std::uint64_t const> outgoing, std::span<std::uint64_t> incoming)
  {
    rank_.exchange_numbers(outgoing, incoming);
  }

  template <exec::Executor Exec>
  std::uint64_t start(Exec& exec, std::span<Delivery const> deliveries)
  {
    std::uint64_t const ticket = used_ / 2;
    SLOTSCAPE_CUDA_CHECK(cudaEventRecord(ready_, exec.stream()));
    SLOTSCAPE_CUDA_CHECK(cudaStreamWaitEvent(stream_, ready_, 0));
    SLOTSCAPE_CUDA_CHECK(cudaEventRecord(next_event(), stream_));
    Brought const mine{deliveries, ready_};
    rank_.meet(&mine, [&](std::uint32_t other, void const* brought) {
      auto const& its = *static_cast<Brought const*>(brought);
      SLOTSCAPE_CUDA_CHECK(cudaStreamWaitEvent(stream_, its.ready, 0));
      for (std::size_t i = 0; i < deliveries.size(); ++i) { fetch(deliveries[i], its.deliveries[i], other); }
    });
    SLOTSCAPE_CUDA_CHECK(cudaEventRecord(next_event(), stream_));
    return ticket;
  }
  void wait(std::uint64_t ticket)
  {
    if (ticket < used_ / 2) { SLOTSCAPE_CUDA_CHECK(cudaEventSynchronize(events_[2 * ticket + 1])); }
  }
  void finish()
  {
    SLOTSCAPE_CUDA_CHECK(cudaStreamSynchronize(stream_));
    for (std::size_t i = 0; i < used_; i += 2) {
      float milliseconds = 0.0f;
      SLOTSCAPE_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, events_[i], events_[i + 1]));
      seconds_ += milliseconds * 1e-3;
    }
    used_ = 0;
    rank_.meet(nullptr, [](std::uint32_t, void const*) {});  // the other ranks have also finished copying
  }
  void abort(std::string const& reason) noexcept { rank_.abort(reason); }
  double seconds() const { return seconds_; }

private:
  struct Brought {
    std::span<Delivery const> deliveries;
    cudaEvent_t ready;
  };

  /// Lets another GPU read this one's memory directly, if possible; otherwise the driver copies through the host.
  /// Returns whether this is possible.
  static bool give_access(int device, int other)
  {
    if (other == device) { return true; }
    int can_access = 0;
    SLOTSCAPE_CUDA_CHECK(cudaDeviceCanAccessPeer(&can_access, other, device));
    if (can_access == 0) { return false; }
    if (cudaError_t const status = cudaDeviceEnablePeerAccess(other, 0); status == cudaErrorPeerAccessAlreadyEnabled) {
      cudaGetLastError();
    } else {
      SLOTSCAPE_CUDA_CHECK(status);
    }
    if (!exec::device_memory::pools()) { return true; }
    cudaMemAccessDesc access{};
    access.location = {cudaMemLocationTypeDevice, other};
    access.flags = cudaMemAccessFlagsProtReadWrite;
    SLOTSCAPE_CUDA_CHECK(cudaMemPoolSetAccess(exec::device_memory::pool(), &access, 1));
    return true;
  }

  void fetch(Delivery const& mine, Delivery const& its, std::uint32_t other)
  {
    Share const sent = its.outgoing[rank()];
    std::uint64_t const bytes = mine.item_bytes;
    if (sent.count == 0) { return; }
    SLOTSCAPE_CUDA_CHECK(cudaMemcpyAsync(mine.to + mine.incoming[other].first * bytes, its.from + sent.first * bytes,
                                         sent.count * bytes, cudaMemcpyDefault, stream_));
  }
  cudaEvent_t next_event()
  {
    if (used_ == events_.size()) {
      events_.push_back(nullptr);
      SLOTSCAPE_CUDA_CHECK(cudaEventCreate(&events_.back()));
    }
    return events_[used_++];
  }

  ThreadCommunicator rank_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t ready_ = nullptr;
  std::vector<cudaEvent_t> events_;  ///< before and after each delivery since the last `finish`
  std::size_t used_ = 0;
  double seconds_ = 0.0;
  bool reaches_others_ = true;
};

/// Calls rank(communicator) in one thread per device, which is the thread's current device; a device may occur several
/// times. Rethrows the first exception when all threads have ended.
template <class Rank>
void for_each_peer(std::vector<int> const& devices, Rank const& rank,
                   std::chrono::duration<double> timeout = ThreadCommunicator::default_timeout)
{
  for_each_thread(
      static_cast<std::uint32_t>(devices.size()),
      [&](ThreadCommunicator& mine) {
        SLOTSCAPE_CUDA_CHECK(cudaSetDevice(devices[mine.rank()]));
        PeerCommunicator communicator(std::move(mine));
        rank(communicator);
      },
      timeout);
}

}  // namespace slotscape

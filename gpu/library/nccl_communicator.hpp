#pragma once

#include "gpu/execution/cuda_error.hpp"
#include "gpu/library/communicator.hpp"
#include "gpu/library/nccl.hpp"
#include "gpu/library/nccl_id_file.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <future>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace slotscape {

/// A rank that is a GPU: ranks may be in one process, in several processes, or on several hosts, and communicate over
/// NCCL. It works on the device that was current when it was made, on its own stream, concurrently with the work of
/// tables.
///
/// If another rank does not take part in a call before the timeout, NCCL's communicator is aborted and the call throws
/// Error; so do all later calls.
class NcclCommunicator {
  using Time = std::chrono::duration<double>;
  using Clock = std::chrono::steady_clock;

public:
  using Id = nccl::UniqueId;
  static constexpr std::chrono::seconds default_timeout{60};

  /// Makes the identifier by which the ranks of a new communicator find each other: one rank calls this and passes the
  /// result to all others.
  static Id make_id()
  {
    Id id{};
    nccl::Library const& library = nccl::Library::get();
    library.check(library.get_unique_id(&id), "ncclGetUniqueId");
    return id;
  }

  /// All ranks construct one together. timeout: how long a rank waits for others, here and in every call.
  NcclCommunicator(Id const& id, std::uint32_t rank, std::uint32_t size, Time timeout = default_timeout)
      : NcclCommunicator(timeout, rank, size)
  {
    nccl::Config config;
    owns_ = true;
    nccl_.check(nccl_.init_rank(&comm_, static_cast<int>(size), id, static_cast<int>(rank), &config),
                "ncclCommInitRankConfig");
    settle("join");
  }
  /// Connects through a file that all ranks can read: rank 0 writes it, and removes it when all ranks have connected.
  /// The others wait for it.
  NcclCommunicator(std::filesystem::path const& file, std::uint32_t rank, std::uint32_t size,
                   Time timeout = default_timeout)
      : NcclCommunicator(rank == 0 ? nccl::write_id(file, make_id(), size) : nccl::read_id(file, size, timeout), rank,
                         size, timeout)
  {
    std::error_code ignored;
    if (rank == 0) { std::filesystem::remove(file, ignored); }
  }
  /// Uses the caller's ncclComm_t, which the caller destroys afterwards, unless `was_aborted`. If NCCL's calls block
  /// (`blocking` of ncclConfig_t), the timeout does not apply while the first call connects the ranks.
  explicit NcclCommunicator(void* comm, Time timeout = default_timeout)
      : NcclCommunicator(timeout, number_of(comm, nccl::Library::get().user_rank),
                         number_of(comm, nccl::Library::get().count))
  {
    comm_ = comm;
  }
  NcclCommunicator(NcclCommunicator const&) = delete;
  NcclCommunicator& operator=(NcclCommunicator const&) = delete;
  ~NcclCommunicator()
  {
    if (owns_ && comm_ != nullptr && failure_.empty()) { leave(); }
    if (owns_ && comm_ != nullptr && !failure_.empty()) { abort(failure_); }
    if (is_stuck_) { return; }  // the rest would wait for the device
    for (cudaEvent_t event : events_) { cudaEventDestroy(event); }
    if (ready_ != nullptr) { cudaEventDestroy(ready_); }
    if (stream_ != nullptr) { cudaStreamDestroy(stream_); }
    cudaFree(numbers_);
    cudaFreeHost(host_numbers_);
  }

  std::uint32_t rank() const { return rank_; }
  std::uint32_t size() const { return size_; }
  /// Whether NCCL's communicator is gone.
  bool was_aborted() const { return comm_ == nullptr; }

  void exchange_numbers(std::span<std::uint64_t const> outgoing, std::span<std::uint64_t> incoming)
  {
    expect_connected();
    std::size_t const width = outgoing.size() / size_;
    reserve_numbers(outgoing.size());
    std::copy(outgoing.begin(), outgoing.end(), host_numbers_);
    std::size_t const bytes = outgoing.size_bytes();
    std::uint64_t* const arrived = numbers_ + outgoing.size();
    SLOTSCAPE_CUDA_CHECK(cudaMemcpyAsync(numbers_, host_numbers_, bytes, cudaMemcpyHostToDevice, stream_));
    std::vector<Share> shares(size_);
    for (std::uint32_t other = 0; other < size_; ++other) {
      shares[other] = {other * width, other == rank_ ? 0 : width};
    }
    Delivery const delivery{reinterpret_cast<std::byte const*>(numbers_), reinterpret_cast<std::byte*>(arrived),
                            sizeof(std::uint64_t), shares, shares};
    send_and_receive(std::span(&delivery, 1));
    SLOTSCAPE_CUDA_CHECK(cudaMemcpyAsync(host_numbers_, arrived, bytes, cudaMemcpyDeviceToHost, stream_));
    SLOTSCAPE_CUDA_CHECK(cudaEventRecord(ready_, stream_));
    wait_for(ready_);
    std::copy_n(host_numbers_, incoming.size(), incoming.begin());
    std::ranges::copy(outgoing.subspan(rank_ * width, width), incoming.subspan(rank_ * width).begin());
  }

  template <exec::Executor Exec>
  std::uint64_t start(Exec& exec, std::span<Delivery const> deliveries)
  {
    expect_connected();
    std::uint64_t const ticket = used_ / 2;
    SLOTSCAPE_CUDA_CHECK(cudaEventRecord(ready_, exec.stream()));
    SLOTSCAPE_CUDA_CHECK(cudaStreamWaitEvent(stream_, ready_, 0));
    SLOTSCAPE_CUDA_CHECK(cudaEventRecord(next_event(), stream_));
    send_and_receive(deliveries);
    SLOTSCAPE_CUDA_CHECK(cudaEventRecord(next_event(), stream_));
    return ticket;
  }
  void wait(std::uint64_t ticket)
  {
    expect_connected();
    if (ticket < used_ / 2) { wait_for(events_[2 * ticket + 1]); }
  }
  void finish()
  {
    expect_connected();
    for (std::size_t i = 0; i < used_; i += 2) {
      wait_for(events_[i + 1]);
      float milliseconds = 0.0f;
      SLOTSCAPE_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, events_[i], events_[i + 1]));
      seconds_ += milliseconds * 1e-3;
    }
    used_ = 0;
  }
  double seconds() const { return seconds_; }

  /// NCCL cannot notify the others: they notice when their timeout expires.
  void abort(std::string const& reason) noexcept
  {
    try {
      if (failure_.empty()) { failure_ = "This rank has ended its part in the work of all ranks: " + reason; }
      abort_comm();
    } catch (...) {
      is_stuck_ = true;
    }
  }

private:
  NcclCommunicator(Time timeout, std::uint32_t rank, std::uint32_t size)
      : nccl_(nccl::Library::get()), timeout_(timeout), rank_(rank), size_(size)
  {
    library::require_timeout(timeout);
    if (rank >= size) {
      throw Error("There is no rank " + std::to_string(rank) + " among " + std::to_string(size) +
                  ": ranks are numbered from 0.");
    }
    int least = 0;
    int greatest = 0;
    SLOTSCAPE_CUDA_CHECK(cudaGetDevice(&device_));
    SLOTSCAPE_CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    SLOTSCAPE_CUDA_CHECK(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest));
    SLOTSCAPE_CUDA_CHECK(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));
  }

  static std::uint32_t number_of(void* comm, int (*ask)(void*, int*))
  {
    int number = 0;
    nccl::Library::get().check(ask(comm, &number), "ncclCommCount or ncclCommUserRank");
    return static_cast<std::uint32_t>(number);
  }

  void reserve_numbers(std::size_t count)
  {
    if (count <= numbers_room_) { return; }
    cudaFree(std::exchange(numbers_, nullptr));
    cudaFreeHost(std::exchange(host_numbers_, nullptr));
    numbers_room_ = 0;
    void* memory = nullptr;
    SLOTSCAPE_CUDA_CHECK(cudaMalloc(&memory, 2 * count * sizeof(std::uint64_t)));
    numbers_ = static_cast<std::uint64_t*>(memory);
    SLOTSCAPE_CUDA_CHECK(cudaMallocHost(&memory, count * sizeof(std::uint64_t)));
    host_numbers_ = static_cast<std::uint64_t*>(memory);
    numbers_room_ = count;
  }
  cudaEvent_t next_event()
  {
    if (used_ == events_.size()) {
      events_.push_back(nullptr);
      SLOTSCAPE_CUDA_CHECK(cudaEventCreate(&events_.back()));
    }
    return events_[used_++];
  }

  /// Sends and receives on the communicator's own stream, as one NCCL group.
  void send_and_receive(std::span<Delivery const> deliveries)
  {
    auto const is_any = [](std::vector<Share> const& shares) {
      return std::ranges::any_of(shares, [](Share const& share) { return share.count != 0; });
    };
    if (std::ranges::none_of(deliveries,
                             [&](Delivery const& each) { return is_any(each.outgoing) || is_any(each.incoming); })) {
      return;
    }
    check(nccl_.group_start(), "ncclGroupStart");
    int result = nccl::success;
    for (Delivery const& each : deliveries) {
      for (std::uint32_t step = 1; step < size_ && !is_failure(result); ++step) {
        result = send_step(each, (rank_ + step) % size_, (rank_ + size_ - step) % size_);
      }
    }
    int const ended = nccl_.group_end();
    check(result, "ncclSend or ncclRecv");
    check(ended, "ncclGroupEnd");
    settle("take part in a call");
  }
  int send_step(Delivery const& delivery, std::uint32_t to, std::uint32_t from)
  {
    std::uint64_t const bytes = delivery.item_bytes;
    Share const out = delivery.outgoing[to];
    Share const in = delivery.incoming[from];
    int result = nccl::success;
    if (out.count != 0) {
      result = nccl_.send(delivery.from + out.first * bytes, out.count * bytes, nccl::bytes, static_cast<int>(to),
                          comm_, stream_);
    }
    if (in.count != 0 && !is_failure(result)) {
      result = nccl_.receive(delivery.to + in.first * bytes, in.count * bytes, nccl::bytes, static_cast<int>(from),
                             comm_, stream_);
    }
    return result;
  }

  static bool is_failure(int result) { return result != nccl::success && result != nccl::in_progress; }
  void check(int result, char const* call)
  {
    if (is_failure(result)) { fail(std::string("NCCL: ") + nccl_.describe(result) + " in " + call + '.'); }
  }
  /// Waits for NCCL's background work, such as connecting to ranks.
  void settle(char const* what)
  {
    poll(what, [&] {
      int state = nccl::success;
      return nccl_.get_async_error(comm_, &state) == nccl::success && state == nccl::success;
    });
  }
  void wait_for(cudaEvent_t event)
  {
    poll("take part in a call", [&] {
      cudaError_t const status = cudaEventQuery(event);
      if (status == cudaErrorNotReady) {
        cudaGetLastError();  // otherwise it would be reported as an error later
        return false;
      }
      SLOTSCAPE_CUDA_CHECK(status);
      return true;
    });
  }
  /// Polls until is_done(), an NCCL error, or the timeout.
  template <class IsDone>
  void poll(char const* what, IsDone const& is_done)
  {
    auto const start = Clock::now();
    while (!is_done()) {
      int state = nccl::success;
      check(nccl_.get_async_error(comm_, &state), "ncclCommGetAsyncError");
      check(state, "a call of another rank, or of this one");
      if (Time(Clock::now() - start) > timeout_) {
        fail("Other ranks did not " + std::string(what) + " within " + library::in_words(timeout_) +
             ". See what became of them, have all make the same calls, or choose a longer timeout. What this rank "
             "has can still be read.");
      }
      std::this_thread::yield();
    }
  }

  void expect_connected() const
  {
    if (!failure_.empty()) { throw Error(failure_); }
  }
  [[noreturn]] void fail(std::string const& reason)
  {
    failure_ = reason;
    abort_comm();
    throw Error(failure_);
  }
  /// Limited by the timeout: NCCL may wait for ranks that are gone.
  void abort_comm()
  {
    if (comm_ == nullptr) { return; }
    std::promise<void> promise;
    std::future<void> const is_done = promise.get_future();
    std::thread([abort = nccl_.abort, comm = std::exchange(comm_, nullptr), device = device_,
                 done = std::move(promise)]() mutable {
      cudaSetDevice(device);
      abort(comm);
      done.set_value();
    }).detach();
    is_stuck_ = is_done.wait_for(timeout_) != std::future_status::ready;
  }
  /// Everything sent has arrived; NCCL disconnects this rank from the others.
  void leave() noexcept
  {
    try {
      check(nccl_.finalize(comm_), "ncclCommFinalize");
      settle("leave");
      nccl_.destroy(std::exchange(comm_, nullptr));
    } catch (Error const&) {
      // `fail` has aborted the communicator.
    }
  }

  nccl::Library const& nccl_;
  Time timeout_;
  std::uint32_t rank_;
  std::uint32_t size_;
  int device_ = 0;
  void* comm_ = nullptr;  ///< null after it was aborted
  bool owns_ = false;
  bool is_stuck_ = false;  ///< aborting timed out: the device may never finish
  std::string failure_;    ///< why no further calls are possible

  cudaStream_t stream_ = nullptr;
  cudaEvent_t ready_ = nullptr;
  std::vector<cudaEvent_t> events_;  ///< before and after each delivery since the last `finish`
  std::size_t used_ = 0;
  std::uint64_t* numbers_ = nullptr;  ///< outgoing and received numbers
  std::uint64_t* host_numbers_ = nullptr;
  std::size_t numbers_room_ = 0;
  double seconds_ = 0.0;
};

/// Calls rank(communicator) in one thread per GPU, which is the thread's current device. Rethrows the first exception
/// when all threads have ended.
template <class Rank>
void for_each_gpu(std::vector<int> const& devices, Rank const& rank,
                  std::chrono::duration<double> timeout = NcclCommunicator::default_timeout)
{
  NcclCommunicator::Id const id = NcclCommunicator::make_id();
  auto const size = static_cast<std::uint32_t>(devices.size());
  library::run_ranks(size, [&](std::uint32_t i) {
    SLOTSCAPE_CUDA_CHECK(cudaSetDevice(devices[i]));
    NcclCommunicator communicator(id, i, size, timeout);
    rank(communicator);
  });
}

}  // namespace slotscape

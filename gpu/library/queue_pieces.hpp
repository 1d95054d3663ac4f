#pragma once

#include "gpu/library/page_transfers.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace slotscape::library {

/// Bytes of memory for keys that wait for their page.
struct QueueLimits {
  std::uint64_t device;
  std::uint64_t host;
};

/// A part of a batch that was dealt to the pages.
template <exec::Executor Exec>
struct QueuePiece {
  typename Exec::template Buffer<std::byte> on_device;
  typename Exec::template HostBuffer<std::byte> in_host;
  std::uint64_t first = 0;            ///< number of its first operation in the round
  std::uint64_t count = 0;            ///< number of operations, including rejected ones
  std::vector<std::uint32_t> starts;  ///< start of each page's share, and the end of the last

  bool is_in_host() const { return on_device.size() == 0; }
  std::byte* memory() const { return is_in_host() ? in_host.data() : on_device.data(); }
};

/// Pieces of equal size, as many as memory allows: first in device memory, then in host memory. They are kept for the
/// next batch.
template <exec::Executor Exec>
class QueuePieces {
  using Piece = QueuePiece<Exec>;

public:
  QueuePieces(Exec& exec, QueueLimits limits) : exec_(&exec), limits_(limits) {}

  /// Begins a batch with pieces of at least `bytes` bytes. All pieces are free then.
  void start(std::uint64_t bytes)
  {
    used_ = 0;
    if (bytes <= bytes_) { return; }
    pieces_.clear();
    bytes_ = bytes;
  }
  void clear() { used_ = 0; }
  /// The next free piece, or null if memory is full. Throws Error if not even one piece fits.
  Piece* take()
  {
    if (used_ == pieces_.size() && !add()) { return nullptr; }
    return &pieces_[used_++];
  }
  std::span<Piece const> used() const { return std::span(pieces_).first(used_); }
  std::uint64_t bytes() const { return bytes_; }

private:
  bool add()
  {
    std::uint64_t held = 0;
    for (Piece const& piece : pieces_) { held += piece.is_in_host() ? 0 : bytes_; }
    std::uint64_t const held_in_host = pieces_.size() * bytes_ - held;
    bool const is_first = pieces_.empty();
    bool const has_host = held_in_host + bytes_ <= limits_.host;
    try {
      if (held_in_host == 0 && (is_first || held + bytes_ <= limits_.device)) {
        typename Exec::template Buffer<std::byte> memory(*exec_, bytes_);
        pieces_.emplace_back().on_device = std::move(memory);
        return true;
      }
    } catch (DeviceLost const&) {
      throw;
    } catch (Error const&) {  // less memory was free than expected
      if (is_first && !has_host) { throw; }
    }
    if (!has_host) { return false; }
    auto memory = host_bytes(*exec_, bytes_, "keys that wait for their page");
    pieces_.emplace_back().in_host = std::move(memory);
    return true;
  }

  Exec* exec_;
  QueueLimits limits_;
  std::vector<Piece> pieces_;
  std::uint64_t bytes_ = 0;  ///< of each piece
  std::size_t used_ = 0;     ///< the first `used_` pieces are in use
};

}  // namespace slotscape::library

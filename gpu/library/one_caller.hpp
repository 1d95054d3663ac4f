#pragma once

#include "gpu/base/error.hpp"

#include <atomic>
#include <thread>
#include <utility>

namespace slotscape::library {

/// Detects, if it `checks`, when two threads call one object at once, or when a moved-from object is called. It moves
/// with the object, but calls in progress stay behind.
template <bool checks>
class OneCallerIf {
public:
  /// During its lifetime, its thread is the current caller.
  class Call {
  public:
    explicit Call(std::atomic<std::thread::id>* caller) : caller_(caller) {}
    Call(Call const&) = delete;
    Call& operator=(Call const&) = delete;
    ~Call()
    {
      if (caller_ != nullptr) { caller_->store({}, std::memory_order_relaxed); }
    }

  private:
    std::atomic<std::thread::id>* caller_;  ///< null in nested calls, which do not end the thread's turn
  };

  OneCallerIf() = default;
  OneCallerIf(OneCallerIf&& other) noexcept : is_gone_(std::exchange(other.is_gone_, true)) {}
  OneCallerIf& operator=(OneCallerIf&& other) noexcept
  {
    is_gone_ = std::exchange(other.is_gone_, true);
    return *this;
  }

  /// Throws Error if another thread is calling, or if the object was moved from. Calls may be nested.
  [[nodiscard]] Call enters()
  {
    std::thread::id present{};
    if (!checks) { return Call(nullptr); }
    expect_here();
    if (caller_.compare_exchange_strong(present, std::this_thread::get_id(), std::memory_order_relaxed)) {
      return Call(&caller_);
    }
    if (present == std::this_thread::get_id()) { return Call(nullptr); }
    throw Error("Two threads called one table at once: have them take turns.");
  }

  /// Throws Error if the object was moved from.
  void expect_here() const
  {
    if (checks && is_gone_) {
      throw Error("This table has been moved from: it can only be destroyed, or have another table moved into it.");
    }
  }

private:
  std::atomic<std::thread::id> caller_{};
  bool is_gone_ = false;  ///< moved to another object
};

#ifdef NDEBUG
using OneCaller = OneCallerIf<false>;
#else
using OneCaller = OneCallerIf<true>;
#endif

}  // namespace slotscape::library

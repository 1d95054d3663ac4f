#pragma once

#include "gpu/base/error.hpp"
#include "gpu/execution/machines.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace slotscape::library {

/// Detects, if it `checks`, the use of a view that is no longer valid. A table holds a ViewTickets, which moves with
/// it; all of its views hold a `Ticket`.
template <bool checks>
class ViewTickets {
public:
  struct Ticket {
    SLOTSCAPE_HOST_DEVICE void check() const {}
  };

  void retire() {}
  Ticket issue() const { return {}; }
};

template <>
class ViewTickets<true> {
  using Number = std::atomic<std::uint64_t>;

public:
  class Ticket {
  public:
    Ticket() = default;
    explicit Ticket(std::shared_ptr<Number const> valid) : valid_(std::move(valid)), number_(*valid_) {}
    /// Throws Error if the table has retired the view.
    void check() const
    {
      if (valid_ == nullptr || valid_->load(std::memory_order_relaxed) == number_) { return; }
      throw Error(
          "This view is no longer valid: the table was rehashed, has grown, was replaced or is gone, or its family "
          "moves keys and it was changed. Take a new view.");
    }

  private:
    std::shared_ptr<Number const> valid_;
    std::uint64_t number_ = 0;
  };

  ViewTickets() = default;
  ViewTickets(ViewTickets&&) noexcept = default;
  ViewTickets& operator=(ViewTickets&& other) noexcept
  {
    retire();
    valid_ = std::move(other.valid_);
    return *this;
  }
  ~ViewTickets() { retire(); }

  /// Invalidates all existing views.
  void retire()
  {
    if (valid_ != nullptr) { valid_->fetch_add(1, std::memory_order_relaxed); }
  }
  Ticket issue() const { return Ticket(valid_); }

private:
  std::shared_ptr<Number> valid_ = std::make_shared<Number>(0);
};

/// On a GPU, views must be plain memory, so they are not checked there.
#ifdef NDEBUG
template <class Machine>
inline constexpr bool checks_views = false;
#else
template <class Machine>
inline constexpr bool checks_views = std::is_same_v<Machine, HostMachine<typename Machine::Format>>;
#endif
template <class Machine>
using TicketsOf = ViewTickets<checks_views<Machine>>;

}  // namespace slotscape::library

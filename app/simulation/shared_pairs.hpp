#pragma once

#include "gpu/base/random.hpp"
#include "gpu/base/types.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace slotscape {

/// Immutable pairs, shared by steps and set-ups. Their order may be determined on first access.
class SharedPairs {
public:
  using Pairs = std::vector<Pair>;

  /// Arranges pairs in an order that depends only on the set of pairs.
  class Order {
  public:
    Order() = default;
    virtual ~Order() = default;
    Order(Order const&) = delete;
    Order& operator=(Order const&) = delete;
    virtual void arrange(Pairs& pairs) const = 0;
    virtual bool same(Order const& other) const = 0;
  };

  SharedPairs() = default;
  template <std::convertible_to<std::shared_ptr<Pairs const>> Ready>
  SharedPairs(Ready pairs) : ready_(std::move(pairs))
  {
  }
  /// Pairs that are arranged on first access, if ever.
  SharedPairs(Pairs pairs, std::unique_ptr<Order const> order)
      : unarranged_(std::make_shared<Unarranged>(std::move(pairs), std::move(order)))
  {
  }

  std::size_t size() const { return unarranged_ ? unarranged_->count : ready_->size(); }
  Pairs const& operator*() const { return unarranged_ ? unarranged_->arranged() : *ready_; }
  Pairs const* operator->() const { return &**this; }
  /// Avoids arranging millions of pairs for a comparison, unless the same pairs have different kinds of order.
  friend bool operator==(SharedPairs const& left, SharedPairs const& right)
  {
    if (left.ready_ == right.ready_ && left.unarranged_ == right.unarranged_) { return true; }
    if (left.size() != right.size()) { return false; }
    if (left.unarranged_ && right.unarranged_) {
      if (left.unarranged_->sum != right.unarranged_->sum) { return false; }
      if (left.unarranged_->order->same(*right.unarranged_->order)) { return true; }
    }
    return *left == *right;
  }

private:
  struct Unarranged {
    Unarranged(Pairs pairs_, std::unique_ptr<Order const> order_)
        : count(pairs_.size()), sum(sum_of(pairs_)), order(std::move(order_)), pairs(std::move(pairs_))
    {
    }
    Pairs const& arranged()
    {
      std::call_once(once, [this] { order->arrange(pairs); });
      return pairs;
    }

    std::size_t const count;
    std::uint64_t const sum;
    std::unique_ptr<Order const> const order;
    Pairs pairs;
    std::once_flag once;
  };

  /// An order-independent sum of hashes. Equal sums are taken to mean equal pairs, which is wrong with probability
  /// 2^-64.
  static std::uint64_t sum_of(Pairs const& pairs)
  {
    std::uint64_t sum = 0;
    for (Pair const& pair : pairs) { sum += random64(pair.value, pair.key); }
    return sum;
  }

  std::shared_ptr<Pairs const> ready_;
  std::shared_ptr<Unarranged> unarranged_;
};

}  // namespace slotscape

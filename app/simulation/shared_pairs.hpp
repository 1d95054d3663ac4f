#pragma once

#include "gpu/base/types.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace slotscape {

/// Pairs that steps and set-ups share. They never change; their order may be found out when they are first read.
class SharedPairs {
public:
  using Pairs = std::vector<Pair>;

  SharedPairs() = default;
  template <std::convertible_to<std::shared_ptr<Pairs const>> Ready>
  SharedPairs(Ready pairs) : ready_(std::move(pairs))
  {
  }
  /// arrange(pairs) puts them in order when they are first read, if ever.
  SharedPairs(Pairs pairs, std::function<void(Pairs&)> arrange)
      : unarranged_(std::make_shared<Unarranged>(std::move(pairs), std::move(arrange)))
  {
  }

  std::size_t size() const { return unarranged_ ? unarranged_->count : ready_->size(); }
  Pairs const& operator*() const { return unarranged_ ? unarranged_->arranged() : *ready_; }
  Pairs const* operator->() const { return &**this; }
  friend bool operator==(SharedPairs const& left, SharedPairs const& right)
  {
    bool const same = left.ready_ == right.ready_ && left.unarranged_ == right.unarranged_;
    return same || (left.size() == right.size() && *left == *right);
  }

private:
  struct Unarranged {
    Unarranged(Pairs pairs_, std::function<void(Pairs&)> arrange_)
        : count(pairs_.size()), pairs(std::move(pairs_)), arrange(std::move(arrange_))
    {
    }
    Pairs const& arranged()
    {
      std::call_once(once, [this] {
        arrange(pairs);
        arrange = {};
      });
      return pairs;
    }

    std::size_t const count;
    Pairs pairs;
    std::function<void(Pairs&)> arrange;
    std::once_flag once;
  };

  std::shared_ptr<Pairs const> ready_;
  std::shared_ptr<Unarranged> unarranged_;
};

}  // namespace slotscape

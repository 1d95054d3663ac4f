#pragma once

#include "app/scenes/paged/picture.hpp"
#include "app/scenes/paged/settings.hpp"
#include "gpu/base/progress.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace slotscape {

/// The target state of a paged table, and what to look up in it.
struct PagedQuery {
  paged::PagedSettings table;
  double load_factor = 0.0;  ///< relative to the slots in its pages, which may exceed the requested number
  LookedUp look_up = LookedUp::nothing;
  std::uint64_t lookups = 0;
  std::uint64_t asks = 0;  ///< changes to repeat the lookups
  friend bool operator==(PagedQuery const&, PagedQuery const&) = default;
};

/// One kind of operation on many keys.
struct PagedCall {
  std::string_view what;  ///< "insert"
  std::uint64_t keys = 0;
  PagingReport report = {};
};

/// The result of a query.
struct PagedAnswer {
  std::uint64_t slots = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t keys = 0;
  std::uint64_t full = 0;             ///< keys that did not fit
  std::vector<PagedCall> calls = {};  ///< the operations that were needed
  std::optional<paged::Answers> looked_up = {};
};

/// A paged table, brought from one state to another in the background.
class PagedTableWork {
public:
  PagedTableWork(Backend backend, std::shared_ptr<PagesPicture> picture)
      : backend_(backend), picture_(std::move(picture))
  {
  }
  /// Throws Error or Cancelled.
  PagedAnswer compute(PagedQuery const& query, Progress const& progress);

private:
  void make_table(paged::PagedSettings const& settings, Progress const& progress);
  void bring_to(std::uint64_t keys, PagedAnswer& answer, Progress const& progress);
  void look_up(PagedQuery const& query, std::uint64_t keys, PagedAnswer& answer, Progress const& progress);
  /// Calls work(first, count) for all keys, in parts on a CPU: what a GPU does in one call takes a CPU so long that it
  /// must check for cancellation in between.
  template <class Work>
  PagedCall in_parts(std::string_view what, std::uint64_t count, Progress const& progress, Work const& work);
  void saw(paged::PageCells const& page);

  Backend backend_;
  std::shared_ptr<PagesPicture> picture_;
  std::unique_ptr<paged::PagedEngine> table_;
  paged::PagedSettings settings_;
  std::uint64_t all_below_ = 0;   ///< keys with smaller numbers are present
  std::uint64_t none_from_ = 0;   ///< keys from here on are absent; a cancelled call leaves some of those in between
  Progress progress_;             ///< of the current operation
  std::uint64_t pages_seen_ = 0;  ///< number of pages that the operation has reached
};

}  // namespace slotscape

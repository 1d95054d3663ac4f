#pragma once

#include "app/scenes/paged/picture.hpp"
#include "app/scenes/paged/settings.hpp"
#include "gpu/base/progress.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace slotscape {

/// What a table in pages is to be brought to, and what is to be looked up then.
struct PagedQuery {
  paged::PagedSettings table;
  double load_factor = 0.0;  ///< of the slots that its pages then have, which may be more than was asked for
  LookedUp look_up = LookedUp::nothing;
  std::uint64_t lookups = 0;
  std::uint64_t asks = 0;  ///< lookups are made again for another number
  friend bool operator==(PagedQuery const&, PagedQuery const&) = default;
};

/// One kind of operation on many keys.
struct PagedCall {
  std::string_view what;  ///< "insert"
  std::uint64_t keys = 0;
  PagingReport report = {};
};

/// How a query was answered.
struct PagedAnswer {
  std::uint64_t slots = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t keys = 0;
  std::uint64_t full = 0;             ///< keys that found no place
  std::vector<PagedCall> calls = {};  ///< that were needed
  std::optional<paged::Answers> looked_up = {};
};

/// A table in pages, which is brought from one state to another beside the frames.
class PagedTableWork {
public:
  PagedTableWork(Backend backend, std::shared_ptr<PagesPicture> picture)
      : backend_(backend), picture_(std::move(picture))
  {
  }
  /// Throws Error, and Cancelled.
  PagedAnswer compute(PagedQuery const& query, Progress const& progress);

private:
  void make_table(paged::PagedSettings const& settings, Progress const& progress);
  void bring_to(std::uint64_t keys, PagedAnswer& answer, Progress const& progress);
  void look_up(PagedQuery const& query, std::uint64_t keys, PagedAnswer& answer, Progress const& progress);
  /// work(first, count), for all of the keys, a part of them at a time: what a GPU does in one call takes a CPU so
  /// long that it must be asked in between whether to go on.
  template <class Work>
  PagedCall in_parts(std::string_view what, std::uint64_t count, Progress const& progress, Work const& work);
  void saw(paged::PageCells const& page);

  Backend backend_;
  std::shared_ptr<PagesPicture> picture_;
  std::unique_ptr<paged::PagedEngine> table_;
  paged::PagedSettings settings_;
  std::uint64_t all_below_ = 0;   ///< keys with smaller numbers are in the table
  std::uint64_t none_from_ = 0;   ///< keys with these numbers are not; of those between, a cancelled call has left some
  Progress progress_;             ///< of what goes on
  std::uint64_t pages_seen_ = 0;  ///< by it
};

}  // namespace slotscape

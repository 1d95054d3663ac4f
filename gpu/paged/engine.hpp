#pragma once

#include "gpu/base/types.hpp"
#include "gpu/execution/backend.hpp"
#include "gpu/library/paging.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace slotscape::paged {

/// A table in pages, and its keys.
struct PagedSettings {
  int key_bits = 64;
  std::uint64_t slots = std::uint64_t{1} << 22;
  std::uint32_t pages = 16;
  std::uint64_t seed = 1;
  friend bool operator==(PagedSettings const&, PagedSettings const&) = default;
};

/// The cells of a page, each of which is so many of its slots in a row, as the page was when a call left it.
struct PageCells {
  std::uint32_t page = 0;
  std::vector<std::uint32_t> live = {};  ///< keys in each
};

/// Some of the keys that the settings make: those with the numbers from `first` on, every step-th.
struct KeyNumbers {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::uint64_t step = 1;
};

/// What lookups brought.
struct Answers {
  std::uint64_t asked = 0;
  std::uint64_t found = 0;
  std::uint64_t right = 0;  ///< the value was the key's; of keys that should be missing, there was none
};

/// A table of `segmented_cuckoo` in pages (`BasicPagedTable`) that tells what becomes of them. Its keys are numbered,
/// and computed where they are read. For one thread.
class PagedEngine {
public:
  /// Told of each page that a call has worked on. What it throws ends the call.
  using Seen = std::function<void(PageCells const&)>;

  virtual ~PagedEngine() = default;

  virtual std::uint64_t slots() const = 0;       ///< at least as many as asked for
  virtual std::uint64_t page_slots() const = 0;  ///< of each page
  virtual std::uint64_t memory_bytes() const = 0;
  virtual std::uint64_t size() const = 0;
  virtual std::uint64_t cell_slots() const = 0;  ///< of each cell; the last of a page may have fewer
  virtual std::uint32_t cells() const = 0;       ///< of each page

  /// distinct: none of them is in the table.
  virtual Tally insert(KeyNumbers const& keys, bool distinct) = 0;
  virtual Tally erase(KeyNumbers const& keys) = 0;
  virtual Answers find(KeyNumbers const& keys, bool are_there) = 0;
  virtual void clear() = 0;
  /// Of the last call.
  virtual PagingReport const& report() const = 0;
};

/// How many keys there are of that width.
std::uint64_t key_count(int key_bits);

/// `cells`: of a page, at most. `making` is told, while the table is made, which share of it there is, and ends that by
/// throwing. Throws Error if there is no such table, or no memory for it.
std::unique_ptr<PagedEngine> make_paged_engine(Backend backend, PagedSettings const& settings, std::uint32_t cells,
                                               PagedEngine::Seen seen, std::function<void(double)> making = {});

}  // namespace slotscape::paged

#pragma once

#include "gpu/base/types.hpp"
#include "gpu/execution/backend.hpp"
#include "gpu/library/paging.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace slotscape::paged {

/// The settings of a paged table and its keys.
struct PagedSettings {
  int key_bits = 64;
  std::uint64_t slots = std::uint64_t{1} << 22;
  std::uint32_t pages = 16;
  std::uint64_t seed = 1;
  friend bool operator==(PagedSettings const&, PagedSettings const&) = default;
};

/// The cells of a page, as the last call left the page. Each cell is a run of consecutive slots.
struct PageCells {
  std::uint32_t page = 0;
  std::vector<std::uint32_t> live = {};  ///< number of live keys in each cell
};

/// Some of the generated keys: every step-th number from `first` on.
struct KeyNumbers {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::uint64_t step = 1;
};

/// The results of lookups.
struct Answers {
  std::uint64_t asked = 0;
  std::uint64_t found = 0;
  std::uint64_t right = 0;  ///< keys found with their own value or, if expected to be missing, not found
};

/// A table of `segmented_cuckoo` in pages (`BasicPagedTable`) that reports on its pages. Its keys are numbered, and
/// computed where they are read. For use by one thread.
class PagedEngine {
public:
  /// Called for each page that a call has worked on. An exception ends the call.
  using Seen = std::function<void(PageCells const&)>;

  virtual ~PagedEngine() = default;

  virtual std::uint64_t slots() const = 0;       ///< at least as many as requested
  virtual std::uint64_t page_slots() const = 0;  ///< per page
  virtual std::uint64_t memory_bytes() const = 0;
  virtual std::uint64_t size() const = 0;
  virtual std::uint64_t cell_slots() const = 0;  ///< per cell; the last cell of a page may have fewer
  virtual std::uint32_t cells() const = 0;       ///< per page

  /// distinct: none of the keys is in the table.
  virtual Tally insert(KeyNumbers const& keys, bool distinct) = 0;
  virtual Tally erase(KeyNumbers const& keys) = 0;
  virtual Answers find(KeyNumbers const& keys, bool are_there) = 0;
  virtual void clear() = 0;
  /// The report of the last call.
  virtual PagingReport const& report() const = 0;
};

/// The number of keys of this width.
std::uint64_t key_count(int key_bits);

/// `cells`: maximum per page. `making` is called, while the table is made, with the share made so far; throwing cancels
/// the construction. Throws Error if the settings are invalid or memory is not sufficient.
std::unique_ptr<PagedEngine> make_paged_engine(Backend backend, PagedSettings const& settings, std::uint32_t cells,
                                               PagedEngine::Seen seen, std::function<void(double)> making = {});

}  // namespace slotscape::paged

#pragma once

#include "gpu/paged/engine.hpp"

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace slotscape {

/// The side of the smallest square of at least `count` cells.
std::uint32_t side_for(std::uint32_t count);

/// The known state of a table's pages: the number of keys in each of their cells.
struct PagesSeen {
  std::uint64_t version = 0;
  std::uint64_t page_slots = 0;
  std::uint64_t cell_slots = 0;
  std::uint32_t cells = 0;                   ///< per page
  std::vector<std::uint32_t> live = {};      ///< live keys by page, then by cell
  std::vector<std::uint8_t> waits = {};      ///< by page: the current operation has not reached it yet
  std::optional<std::uint32_t> latest = {};  ///< the page that the current operation reached last

  std::uint32_t pages() const { return static_cast<std::uint32_t>(waits.size()); }
  std::uint32_t columns() const { return side_for(pages()); }  ///< pages per row on the canvas
  std::uint32_t rows() const { return (pages() + columns() - 1) / columns(); }
  std::uint32_t side() const { return side_for(cells); }  ///< side of a page on the canvas, in cells
  /// The number of slots in a cell. A page's last cell may have fewer.
  std::uint64_t slots_of(std::uint32_t cell) const;
  std::uint64_t keys_of(std::uint32_t page) const;
  double load_of(std::uint32_t page) const
  {
    return static_cast<double>(keys_of(page)) / static_cast<double>(page_slots);
  }
};

/// A PagesSeen shared by a thread that works on the table and one that draws it.
class PagesPicture {
public:
  // --- for the worker thread
  void forget();
  /// Starts with an empty table, whose pages are all known.
  void begin(paged::PagedEngine const& table, std::uint32_t pages);
  /// Marks all pages as waiting when an operation begins, and as reached when it has ended.
  void expect(bool waits);
  void see(paged::PageCells const& page);
  void clear();

  // --- for the drawing thread
  /// Copies the known state if it has changed. Returns whether it has.
  bool take(PagesSeen& shown) const;

private:
  mutable std::mutex mutex_;
  PagesSeen seen_;
};

}  // namespace slotscape

#pragma once

#include "gpu/paged/engine.hpp"

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace slotscape {

/// The side of the smallest square that has room for so many.
std::uint32_t side_for(std::uint32_t count);

/// What is known of the pages of a table: how many keys each of their cells has.
struct PagesSeen {
  std::uint64_t version = 0;
  std::uint64_t page_slots = 0;
  std::uint64_t cell_slots = 0;
  std::uint32_t cells = 0;                   ///< of each page
  std::vector<std::uint32_t> live = {};      ///< by page, then by cell
  std::vector<std::uint8_t> waits = {};      ///< by page: what goes on has not come to it
  std::optional<std::uint32_t> latest = {};  ///< the page that what goes on has come to last

  std::uint32_t pages() const { return static_cast<std::uint32_t>(waits.size()); }
  std::uint32_t columns() const { return side_for(pages()); }  ///< of pages, where they are drawn
  std::uint32_t rows() const { return (pages() + columns() - 1) / columns(); }
  std::uint32_t side() const { return side_for(cells); }  ///< of a page, in cells
  /// The slots of a cell: the last one of a page may have fewer.
  std::uint64_t slots_of(std::uint32_t cell) const;
  std::uint64_t keys_of(std::uint32_t page) const;
  double load_of(std::uint32_t page) const
  {
    return static_cast<double>(keys_of(page)) / static_cast<double>(page_slots);
  }
};

/// The same while a thread works on the table and another one draws it.
class PagesPicture {
public:
  // --- for the thread that works
  void forget();
  /// An empty table, all of which is known.
  void begin(paged::PagedEngine const& table, std::uint32_t pages);
  /// Something begins that goes through the pages, or has ended.
  void expect(bool waits);
  void see(paged::PageCells const& page);
  void clear();

  // --- for the one that draws
  /// Copies what is known, if that is something new. Returns whether it is.
  bool take(PagesSeen& shown) const;

private:
  mutable std::mutex mutex_;
  PagesSeen seen_;
};

}  // namespace slotscape

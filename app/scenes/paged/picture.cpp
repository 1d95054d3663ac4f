#include "app/scenes/paged/picture.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace slotscape {

std::uint32_t side_for(std::uint32_t count)
{
  return std::max(1u, static_cast<std::uint32_t>(std::ceil(std::sqrt(static_cast<double>(count)))));
}

std::uint64_t PagesSeen::slots_of(std::uint32_t cell) const
{
  return std::min(cell_slots, page_slots - cell * cell_slots);
}

std::uint64_t PagesSeen::keys_of(std::uint32_t page) const
{
  auto const first = live.begin() + static_cast<std::ptrdiff_t>(std::size_t{page} * cells);
  return std::accumulate(first, first + static_cast<std::ptrdiff_t>(cells), std::uint64_t{0});
}

void PagesPicture::forget()
{
  std::scoped_lock const lock(mutex_);
  seen_ = {.version = seen_.version + 1};
}

void PagesPicture::begin(paged::PagedEngine const& table, std::uint32_t pages)
{
  std::scoped_lock const lock(mutex_);
  seen_ = {seen_.version + 1, table.page_slots(), table.cell_slots(), table.cells()};
  seen_.live.assign(std::size_t{pages} * seen_.cells, 0);
  seen_.waits.assign(pages, 0);
}

void PagesPicture::expect(bool waits)
{
  std::scoped_lock const lock(mutex_);
  ++seen_.version;
  seen_.latest.reset();
  std::ranges::fill(seen_.waits, static_cast<std::uint8_t>(waits ? 1 : 0));
}

void PagesPicture::see(paged::PageCells const& page)
{
  std::scoped_lock const lock(mutex_);
  ++seen_.version;
  seen_.latest = page.page;
  seen_.waits[page.page] = 0;
  std::ranges::copy(page.live, seen_.live.begin() + static_cast<std::ptrdiff_t>(std::size_t{page.page} * seen_.cells));
}

void PagesPicture::clear()
{
  std::scoped_lock const lock(mutex_);
  ++seen_.version;
  std::ranges::fill(seen_.live, 0u);
}

bool PagesPicture::take(PagesSeen& shown) const
{
  std::scoped_lock const lock(mutex_);
  if (shown.version == seen_.version) { return false; }
  shown = seen_;
  return true;
}

}  // namespace slotscape

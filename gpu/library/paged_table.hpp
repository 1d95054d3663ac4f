#pragma once

#include "gpu/library/insert_calls.hpp"
#include "gpu/library/pager.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace slotscape {

/// A hash table that is stored in host memory and worked on by a device. Use `CpuPagedTable` or `CudaPagedTable`. It is
/// divided into pages: tables of the family that share its keys by a separate hash. A call deals its batch to the
/// pages, and then brings in the pages that have work, one after another; copies and work overlap. Large batches pay
/// off, because each batch moves the whole table over the bus. Keys, values and outcomes may be in host memory, pinned
/// or not, or in device memory; keys and values to insert may also be iterators that the device can read at a place.
/// Outcomes are in the order of the keys. The table does not grow. docs/larger-than-memory.md is the contract.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
class BasicPagedTable : public library::InsertCalls<BasicPagedTable<Family, Exec, Format>> {
  friend library::InsertCalls<BasicPagedTable>;
  using Pager = library::Pager<Family, Exec, Format>;

public:
  using Key = typename Format::Key;
  using Value = typename Format::Value;

  using Visit = typename Pager::Visit;

  static constexpr Key largest_key = Format::locked_key - 1;
  static constexpr Value largest_value = Format::empty_value - 1;
  static constexpr Value empty_value = Format::empty_value;  ///< result of looking up a missing key

  /// Total slots of all pages for `keys` keys: the fullest page has a load factor that is safe, and not much above
  /// `load_factor`.
  static std::uint64_t slots_for(std::uint64_t keys, std::uint32_t pages, double load_factor = 0.8,
                                 std::map<std::string, std::uint32_t> const& parameters = {})
  {
    library::validate_pages(pages);
    return library::slots_for_parts<Family, Format>(keys, pages, load_factor, parameters);
  }

  /// Writes the value of each key, or `empty_value`; returns how many were found.
  template <class Keys>
  std::uint64_t find(Keys keys, Value* values, std::uint64_t count, BatchOptions const& options = {})
  {
    return pager_->run({Operation::find, Combine::keep_first}, keys, nothing, values, count, options)[Outcome::found];
  }
  /// Returns how many keys were erased.
  template <class Keys>
  std::uint64_t erase(Keys keys, std::uint64_t count, BatchOptions const& options = {})
  {
    return pager_->run({Operation::erase, Combine::keep_first}, keys, nothing, nullptr, count,
                       options)[Outcome::erased];
  }
  /// Copies nothing.
  void clear() { pager_->clear(); }

  std::uint64_t size() const { return pager_->size(); }
  std::uint64_t slots() const { return page_count() * page_slots(); }  ///< at least as many as requested
  double load_factor() const { return static_cast<double>(size()) / static_cast<double>(slots()); }
  std::uint64_t memory_bytes() const { return page_count() * pager_->page_bytes(); }  ///< host memory

  std::uint32_t page_count() const { return pager_->page_count(); }
  std::uint64_t page_slots() const { return pager_->page_slots(); }
  std::uint64_t page_size(std::uint32_t page) const { return pager_->pages().at(page).live; }  ///< keys
  /// The page that holds a key, or would hold it.
  std::uint32_t page_of(Key key) const { return ShardOf{page_count()}.segment(key); }
  /// The costs of the latest call.
  PagingReport const& report() const { return pager_->report(); }
  /// From now on, calls `visit` for each page that a call has worked on, before the page leaves the device, so that it
  /// can be counted or drawn with the given executor. If `visit` throws, the call ends with that exception, and the
  /// page is as it was before.
  void on_visit(Visit visit) { pager_->on_visit(std::move(visit)); }
  /// Frees the memory that calls have kept for later ones.
  void release_scratch() { pager_->release_scratch(); }

  /// Writes all pairs, page by page, to host or device memory, and returns their number. Throws Error if there are more
  /// than `room`.
  std::uint64_t export_pairs(Key* keys, Value* values, std::uint64_t room)
  {
    return pager_->export_pairs(keys, values, room);
  }

protected:
  BasicPagedTable(TableOptions const& options, PagingOptions const& how, std::unique_ptr<Exec> exec)
      : pager_(std::make_unique<Pager>(options, how, std::move(exec)))
  {
  }

private:
  static constexpr Value const* nothing = nullptr;

  template <class Keys, class Values>
  Inserted insert_as(Combine combine, Keys keys, Values values, std::uint64_t count, BatchOptions const& options)
  {
    Tally const tally = pager_->run({Operation::insert, combine}, keys, values, nullptr, count, options);
    return {tally[Outcome::inserted], tally[Outcome::updated], tally[Outcome::full], tally[Outcome::rejected],
            Format::bits};
  }

  std::unique_ptr<Pager> pager_;
};

}  // namespace slotscape

#pragma once

#include "gpu/execution/free_memory.hpp"
#include "gpu/library/one_caller.hpp"
#include "gpu/library/page_frame.hpp"
#include "gpu/library/page_queue.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace slotscape::library {

/// The pages of a table, and how batches reach them. A call deals its batch to the pages (`PageQueue`), in rounds of as
/// many operations as may wait, and visits the pages that have work: while one page is worked on, the next ones are
/// copied in and the previous ones are copied out. One thread submits work and copies; marks express their
/// dependencies.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
class Pager {
  using Running = slotscape::library::Running<Family, Exec, Format>;
  using Frame = PageFrame<Family, Exec, Format>;
  using Page = slotscape::library::Page<Family, Exec, Format>;
  using Queue = PageQueue<Exec, Format>;
  using Copies = exec::CopyStream<Exec>;
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  /// The operation of a batch; combine: how existing keys change.
  struct Call {
    Operation operation;
    Combine combine;
  };
  /// A page while it is on the device: its number, and the words of its slots that hold live pairs.
  using LiveWords = LiveWordAt<Family, decltype(std::declval<Running&>().view())>;
  using Visit = std::function<void(Exec& exec, std::uint32_t page, LiveWords const& live)>;

  Pager(TableOptions const& options, PagingOptions const& how, std::unique_ptr<Exec> exec)
      : exec_(std::move(exec)),
        how_(how),
        running_(*exec_, settings_of_page(options, how)),
        frames_(std::min<std::size_t>(max_frames, how.pages)),
        transfers_(*exec_)
  {
    make_frames();
    pages_.reserve(how.pages);
    for (std::uint32_t i = 0; i < how.pages; ++i) {
      if (how.making) { how.making(static_cast<double>(i) / how.pages); }
      pages_.push_back({host_bytes(*exec_, frames_.front().bytes(), "pages"), {}, 0});
    }
  }

  std::vector<Page> const& pages() const { return pages_; }
  std::uint32_t page_count() const { return static_cast<std::uint32_t>(pages_.size()); }
  std::uint64_t page_slots() const { return running_.settings().slots; }
  std::uint64_t page_bytes() const { return frames_.front().bytes(); }
  PagingReport const& report() const { return transfers_.report; }
  std::uint64_t size() const
  {
    return std::accumulate(pages_.begin(), pages_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, Page const& page) { return sum + page.live; });
  }

  void on_visit(Visit visit)
  {
    auto const call = caller_.enters();
    on_visit_ = std::move(visit);
  }
  void clear()
  {
    auto const call = caller_.enters();
    for (Page& page : pages_) {
      page.state.reset();
      page.live = 0;
    }
  }
  void release_scratch()
  {
    auto const call = caller_.enters();
    queue_.reset();
    for (Frame& frame : frames_) {
      frame.items = {};
      frame.values = {};
      frame.outcomes = {};
    }
    keys_ = {};
    values_ = {};
    exec_->wait();
  }

  /// values: to insert; found: output of lookups.
  template <class Keys, class Values>
  Tally run(Call const& what, Keys const& keys, Values const& values, Value* found, std::uint64_t count,
            BatchOptions const& options)
  {
    expect_pointers<Keys, Key>();
    expect_pointers<Values, Value>();
    CheckedArrays<Exec, Key, Value>::template expect_keys<Keys>();
    CheckedArrays<Exec, Key, Value>::template expect_values<Values>();
    auto const call = caller_.enters();
    Measured const measured(*this);
    PagingReport::Seconds& seconds = transfers_.report.seconds;
    Tally tally;
    for (std::uint64_t first = 0; first < count;) {
      double const start = measured.seconds();
      std::uint64_t const size =
          queue().deal(what.operation, keys, values, {found, options.outcomes}, first, count - first);
      seconds.deal += measured.seconds() - start;
      tally += run_round(what, options);
      settle();
      double const visited = measured.seconds();
      queue().bring_back();
      settle();
      seconds.bring_back += measured.seconds() - visited;
      tally[Outcome::rejected] += queue().rejected();
      ++transfers_.report.rounds;
      first += size;
    }
    return tally;
  }
  /// Writes all pairs, page by page, to host or device memory, and returns their number. Throws Error if there are more
  /// than `room`.
  std::uint64_t export_pairs(Key* keys, Value* values, std::uint64_t room)
  {
    auto const call = caller_.enters();
    require_room(room, size());
    Measured const measured(*this);
    if (queue_) { queue_->clear(); }
    reserve(std::min<std::uint64_t>(page_slots(), Exec::rehash_slots), {Operation::insert, Combine::keep_first}, false);
    std::uint64_t done = 0;
    visit([](Page const& page) { return page.live != 0; },
          [&](Frame& frame, Page& page) { done += export_page(frame, page, keys + done, values + done); });
    return done;
  }

private:
  static constexpr std::size_t max_frames = 3;  ///< for one page coming in, one being worked on, one going out
  static constexpr std::uint64_t max_keys_at_once = std::uint64_t{1} << 25;
  static constexpr std::uint64_t bytes_of_key = 256;  ///< dealt or brought to a page, including all scratch memory

  /// Measures a call from start to end. However it ends, no work or copy is in progress afterwards.
  class Measured {
  public:
    explicit Measured(Pager& pager) : pager_(pager) { pager_.transfers_.report = {}; }
    ~Measured()
    {
      try {
        pager_.settle();
        for (Frame& frame : pager_.frames_) { frame.add_last_seconds(pager_.transfers_.report); }
      } catch (Error const&) {  // the device is lost, and any call reports it
      }
      pager_.transfers_.report.seconds.whole = seconds();
    }
    Measured(Measured const&) = delete;
    Measured& operator=(Measured const&) = delete;
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

  private:
    Pager& pager_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  };

  static TableSettings settings_of_page(TableOptions const& options, PagingOptions const& how)
  {
    validate_pages(how.pages);
    if (options.grow_at != 0.0) {
      throw Error("A paged table does not grow: leave grow_at at 0, and choose as many slots as its keys will need.");
    }
    if (options.slots < min_slots * how.pages || options.slots > max_slots * how.pages) {
      throw Error("A table of " + std::to_string(how.pages) + " pages cannot have " + std::to_string(options.slots) +
                  " slots: choose from " + std::to_string(min_slots * how.pages) + " to " +
                  std::to_string(max_slots * how.pages) + ", or another number of pages.");
    }
    TableSettings page = settings_of<Family, Format>(options);
    page.slots = (options.slots + how.pages - 1) / how.pages;
    validate_parameters(Family::info, page);
    validate_slots(Family::info, page);
    expect_room(Running::memory_bytes_of(page), how.pages);
    return page;
  }

  /// Throws Error if the host does not have enough memory for the pages.
  static void expect_room(std::uint64_t page_bytes, std::uint32_t pages)
  {
    std::uint64_t const free = exec::free_host_memory();
    if (page_bytes <= (free - free / 16) / pages) { return; }
    throw Error("The pages of this table need " + std::to_string((page_bytes >> 10) * pages >> 10) +
                " MiB of the host's memory, and " + std::to_string(free >> 20) +
                " MiB are free: choose fewer slots, or free memory.");
  }

  /// The first frame takes over the memory with which the table was made.
  void make_frames()
  {
    Frame& first = frames_.front();
    running_.swap_memory(first.words, first.metadata);
    for (Frame& frame : frames_) {
      if (&frame == &first) { continue; }
      frame.words = Buffer<typename Format::Word>(*exec_, first.words.size(), exec::MemoryUse::table);
      frame.metadata = Buffer<std::uint64_t>(*exec_, first.metadata.size(), exec::MemoryUse::table);
    }
  }

  /// Sized by the memory that is currently free, unless the options set the size.
  Queue& queue()
  {
    if (queue_) { return *queue_; }
    std::uint64_t const free = Copies::free_memory();
    std::uint64_t const suitable = std::bit_floor(std::max<std::uint64_t>(free / 8 / bytes_of_key, 4096));
    keys_at_once_ = how_.keys_at_once != 0 ? how_.keys_at_once : std::min(suitable, max_keys_at_once);
    std::uint64_t const other = keys_at_once_ * bytes_of_key + 2 * frames_.front().bytes();
    QueueLimits const limits{how_.queue_bytes != 0 ? how_.queue_bytes : free - std::min(free, other),
                             how_.host_queue_bytes};
    queue_ = std::make_unique<Queue>(*exec_, transfers_, page_count(), keys_at_once_, limits);
    return *queue_;
  }

  void settle()
  {
    transfers_.wait();
    exec_->wait();
  }

  template <class Array, class T>
  static void expect_pointers()
  {
    static_assert(!std::is_pointer_v<Array> || std::is_convertible_v<Array, T const*>,
                  "Pointers must be to keys and values of the table's types: convert the numbers, or pass something "
                  "that the device reads by place.");
  }

  Tally run_round(Call const& what, BatchOptions const& options)
  {
    std::uint64_t most = 0;
    for (std::uint32_t i = 0; i < page_count(); ++i) { most = std::max(most, queue_->share(i)); }
    reserve(std::min(most, keys_at_once_), what, options.outcomes != nullptr);
    Tally tally;
    visit([&](Page const& page) { return queue_->share(number_of(page)) != 0; },
          [&](Frame& frame, Page& page) { tally += run_page(what, options, frame, page); });
    return tally;
  }
  /// Allocates buffers for `keys` keys that are brought to a page at once.
  void reserve(std::uint64_t keys, Call const& what, bool keeps_outcomes)
  {
    part_keys_ = keys;
    auto const grow = [&](auto& buffer) { exec::grow(*exec_, buffer, keys, std::max(keys, keys_at_once_)); };
    for (Frame& frame : frames_) {
      grow(frame.items);
      if (what.operation == Operation::find) { grow(frame.values); }
      if (keeps_outcomes) { grow(frame.outcomes); }
    }
    if (what.operation == Operation::insert) {
      grow(keys_);
      grow(values_);
    }
    Copies::record(*exec_, reserved_);  // memory is allocated in the order of the executor's work
    transfers_.wait_for(reserved_);
  }
  std::uint32_t number_of(Page const& page) const { return static_cast<std::uint32_t>(&page - pages_.data()); }

  /// Calls work(frame, page) for the wanted pages: the page is then in the frame, or on its way there.
  template <class IsWanted, class Work>
  void visit(IsWanted const& is_wanted, Work const& work)
  {
    std::vector<Page*> wanted;
    wanted.reserve(pages_.size());
    for (Page& page : pages_) {
      if (is_wanted(page)) { wanted.push_back(&page); }
    }
    std::size_t const ahead = frames_.size() - 1;
    auto const frame_of = [&](std::size_t i) -> Frame& { return frames_[i % frames_.size()]; };
    auto const bring = [&](std::size_t i) {
      if (i < wanted.size()) { load(frame_of(i), *wanted[i]); }
    };
    for (std::size_t i = 0; i < ahead; ++i) { bring(i); }
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      bring(i + ahead);
      work(frame_of(i), *wanted[i]);
    }
  }
  void load(Frame& frame, Page const& page)
  {
    frame.load(transfers_, page);
    if (queue_) {
      std::uint32_t const number = number_of(page);
      queue_->load_share(number, 0, std::min(part_keys_, queue_->share(number)), frame.items.data());
    }
    frame.end_in(transfers_);
  }

  /// Runs the operations that wait for a page. If that fails, the page is unchanged.
  Tally run_page(Call const& what, BatchOptions const& options, Frame& frame, Page& page)
  {
    std::uint32_t const number = number_of(page);
    std::uint64_t const share = queue_->share(number);
    Tally tally;
    frame.begin_run(transfers_, *exec_);
    std::optional<ResidentPage<Family, Exec, Format>> resident(std::in_place, running_, frame, page);
    running_.combine_with(what.combine, true);
    for (std::uint64_t first = 0; first < share; first += part_keys_) {
      std::uint64_t const size = std::min(part_keys_, share - first);
      bool const is_last = first + size == share;
      if (first != 0) { load_next(frame, number, first, size); }
      tally += running_.run(batch_of(what, options, frame, size), ignored_seconds_);
      typename Queue::Results const results{frame.values.data(), frame.outcomes.data()};
      queue_->write_results(number, first, size, results);
      auto const state = running_.state();
      if (is_last && on_visit_) { on_visit_(*exec_, number, {running_.view(), running_.words(), 0}); }
      if (is_last) { resident.reset(); }
      frame.run.end(*exec_);
      frame.begin_out(transfers_);
      queue_->store_results(number, first, size, results);
      if (is_last && tally[Outcome::inserted] + tally[Outcome::updated] + tally[Outcome::erased] != 0) {
        frame.store(transfers_, page);
        page.state = state;
        page.live += tally[Outcome::inserted] - tally[Outcome::erased];
      }
      frame.out.end(transfers_.out);
    }
    return tally;
  }
  /// Loads the next part of a share that is too large to be brought to the page at once.
  void load_next(Frame& frame, std::uint32_t page, std::uint64_t first, std::uint64_t size)
  {
    frame.begin_in(transfers_);
    queue_->load_share(page, first, size, frame.items.data());
    frame.end_in(transfers_);
    frame.begin_run(transfers_, *exec_);
  }
  Batch<Format> batch_of(Call const& what, BatchOptions const& options, Frame& frame, std::uint64_t size)
  {
    bool const inserts = what.operation == Operation::insert;
    if (inserts) { exec_->for_each(size, UnpackPairs<Format>{frame.items.data(), keys_.data(), values_.data()}); }
    return library::batch_of<Format>(what.operation,
                                     inserts ? keys_.data() : reinterpret_cast<Key const*>(frame.items.data()),
                                     inserts ? values_.data() : frame.values.data(), size,
                                     {options.distinct, options.outcomes != nullptr ? frame.outcomes.data() : nullptr});
  }

  std::uint64_t export_page(Frame& frame, Page const& page, Key* keys, Value* values)
  {
    std::uint64_t done = 0;
    frame.begin_run(transfers_, *exec_);
    {
      ResidentPage<Family, Exec, Format> const resident(running_, frame, page);
      std::uint64_t const places = places_of(Family::info, running_.settings());
      for (std::uint64_t first = 0; first < places; first += part_keys_) {
        LiveWords const live{running_.view(), running_.words(), first};
        std::uint64_t const count =
            exec_->select(std::min(part_keys_, places - first), Format::empty_word, frame.items.data(), live);
        exec_->for_each(count, SplitPairs<Format>{frame.items.data(), keys_.data(), values_.data()});
        exec_->wait();
        transfers_.copy_out(keys + done, keys_.data(), count * sizeof(Key));
        transfers_.copy_out(values + done, values_.data(), count * sizeof(Value));
        transfers_.out.wait();
        done += count;
      }
    }
    frame.run.end(*exec_);
    return done;
  }

  std::unique_ptr<Exec> exec_;
  PagingOptions how_;
  Running running_;  ///< has memory only while a page is resident
  std::vector<Frame> frames_;
  std::vector<Page> pages_;
  Buffer<Key> keys_;
  Buffer<Value> values_;
  std::uint64_t keys_at_once_ = 0;
  std::uint64_t part_keys_ = 0;  ///< keys of a share that are brought to a page at once
  double ignored_seconds_ = 0.0;
  Visit on_visit_;
  PageTransfers<Exec> transfers_;
  typename Copies::Mark reserved_;
  std::unique_ptr<Queue> queue_;
  OneCaller caller_;
};

}  // namespace slotscape::library

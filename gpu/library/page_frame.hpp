#pragma once

#include "gpu/library/page_transfers.hpp"
#include "gpu/library/running.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace slotscape::library {

/// A page of a paged table while it is not on the device.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
struct Page {
  using State = typename Running<Family, Exec, Format>::State;

  typename Exec::template HostBuffer<std::byte> image;  ///< words, followed by metadata
  std::optional<State> state;                           ///< nullopt: the page is empty, and the image is meaningless
  std::uint64_t live = 0;                               ///< keys
};

/// A place on the device for a page and for its operations. While one page is worked on, the next pages are copied to
/// other frames, and the previous pages are copied back.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
struct PageFrame {
  using Word = typename Format::Word;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;
  using ItsPage = Page<Family, Exec, Format>;
  using Transfers = PageTransfers<Exec>;

  Buffer<Word> words;
  Buffer<std::uint64_t> metadata;
  Buffer<Word> items;  ///< words to insert, or keys
  Buffer<typename Format::Value> values;
  Buffer<Outcome> outcomes;
  typename exec::CopyStream<Exec>::Mark gathered;  ///< when the items already on the device have been gathered
  TimedSpan<Exec> in;
  TimedSpan<Exec> run;
  TimedSpan<Exec> out;

  std::uint64_t bytes() const { return words.size() * sizeof(Word) + metadata.size() * sizeof(std::uint64_t); }

  /// Starts copying the page to this frame, unless it is empty.
  void load(Transfers& transfers, ItsPage const& page)
  {
    begin_in(transfers);
    if (!page.state) { return; }
    std::uint64_t const word_bytes = words.size() * sizeof(Word);
    transfers.copy_in(words.data(), page.image.data(), word_bytes);
    transfers.copy_in(metadata.data(), page.image.data() + word_bytes, bytes() - word_bytes);
    ++transfers.report.pages_in;
  }
  /// Incoming copies wait for all earlier work on the frame.
  void begin_in(Transfers& transfers)
  {
    transfers.report.seconds.copy_in += in.take_seconds();
    for (auto* copies : {&transfers.in, &transfers.within}) {
      copies->wait_for(run.over());
      copies->wait_for(out.over());
    }
    in.begin(transfers.in);
  }
  void end_in(Transfers& transfers)
  {
    in.end(transfers.in);
    transfers.within.record(gathered);
  }
  void begin_run(Transfers& transfers, Exec& exec)
  {
    exec::CopyStream<Exec>::wait_for(exec, in.over());
    exec::CopyStream<Exec>::wait_for(exec, gathered);
    transfers.report.seconds.table += run.take_seconds();
    run.begin(exec);
  }
  /// Starts copying the page back.
  void store(Transfers& transfers, ItsPage& page) const
  {
    std::uint64_t const word_bytes = words.size() * sizeof(Word);
    transfers.copy_out(page.image.data(), words.data(), word_bytes);
    transfers.copy_out(page.image.data() + word_bytes, metadata.data(), bytes() - word_bytes);
    ++transfers.report.pages_out;
  }
  void begin_out(Transfers& transfers)
  {
    transfers.report.seconds.copy_out += out.take_seconds();
    for (auto* copies : {&transfers.out, &transfers.within}) { copies->wait_for(run.over()); }
    out.begin(transfers.out);
  }
  /// Call after all copies.
  void add_last_seconds(PagingReport& report)
  {
    report.seconds.copy_in += in.take_seconds();
    report.seconds.table += run.take_seconds();
    report.seconds.copy_out += out.take_seconds();
  }
};

/// During its lifetime, a table of the family uses the page in its frame.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
class ResidentPage {
  using Frame = PageFrame<Family, Exec, Format>;

public:
  ResidentPage(Running<Family, Exec, Format>& table, Frame& frame, Page<Family, Exec, Format> const& page)
      : table_(table), frame_(frame)
  {
    table_.swap_memory(frame_.words, frame_.metadata);
    if (page.state) {
      table_.set_state(*page.state);
    } else {
      table_.clear();
    }
  }
  ~ResidentPage() { table_.swap_memory(frame_.words, frame_.metadata); }
  ResidentPage(ResidentPage const&) = delete;
  ResidentPage& operator=(ResidentPage const&) = delete;

private:
  Running<Family, Exec, Format>& table_;
  Frame& frame_;
};

}  // namespace slotscape::library

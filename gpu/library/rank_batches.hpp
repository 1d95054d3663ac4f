#pragma once

#include "gpu/engine/dealing.hpp"
#include "gpu/library/communicator.hpp"
#include "gpu/library/direct_lookups.hpp"
#include "gpu/library/rank_call.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace slotscape {

namespace library {

/// Brings the batches of all ranks to the shards of all ranks, and the results back. A rank deals its keys to the
/// others by the same hash as a sharded table (sharding.hpp), and each rank runs the operations that it receives as a
/// batch.
template <exec::Executor Exec, PairFormat Format, class Communicator>
class RankBatches {
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  /// changes_by_pieces: whether a shard runs several smaller insertions or erasures as fast as one large one.
  RankBatches(Exec& exec, Communicator& communicator, PieceOptions const& how, bool changes_by_pieces)
      : exec_(&exec),
        communicator_(&communicator),
        how_(how),
        changes_by_pieces_(changes_by_pieces),
        dealing_(exec, communicator.size()),
        counts_(exec, std::uint64_t{how.pieces} * communicator.size()),
        times_(exec)
  {
    clear_report();
  }

  RankReport const& report() const { return report_; }
  void clear_report()
  {
    report_ = {};
    report_.sent.resize(ranks());
    report_.received.resize(ranks());
  }
  void add_whole(double seconds) { report_.whole += seconds; }
  std::uint32_t rank_of(Key key) const { return dealing_.shard_of(key); }
  std::uint64_t max_at_once() const { return how_.max_at_once; }

  /// Exchanges descriptions of the call with all ranks. Throws DifferentCalls unless they match.
  void agree(CallWords const& mine) { exchange_counts(mine, std::vector<std::uint32_t>(counts_.size())); }

  /// Whether all ranks can look up their keys of this call directly in all shards, and have few of them.
  bool agree_to_go_directly(std::uint64_t count, bool can_reach)
  {
    CallWords words{RankCall::find};
    words.directly = can_reach && how_.max_direct != 0 && count <= how_.max_direct;
    agree(words);
    return !is_any([](CallWords const& its) { return !its.directly; });
  }
  /// Looks up a batch's keys directly in the shards of all ranks. All ranks take part, and stay until all are done and
  /// all outcomes are added up. Nothing is sent.
  template <class View>
  Tally find_directly(View const& mine, Batch<Format> const& batch)
  {
    complete();
    is_incomplete_ = true;
    exchanged_before_ = communicator_->seconds();
    std::vector<View> shards;
    shards.reserve(ranks());
    communicator_->meet(&mine,
                        [&](std::uint32_t, void const* its) { shards.push_back(*static_cast<View const*>(its)); });
    times_.start();
    ReachedShards<Exec, View> const reached(*exec_, std::move(shards));
    Tally const tally = exec_->tally(batch.count, FindWhereItIs<View>{ShardOf{ranks()}, reached.data(), batch.keys,
                                                                      batch.values, batch.outcomes});
    times_.lap(&ShardSeconds::table);
    report_.looked_up_directly += batch.count;
    return tally;
  }

  /// Runs the batches of all ranks: operate(batch) runs a batch on this rank's shard and returns its outcomes. Returns
  /// the outcomes of this shard and of this rank's reserved keys, and whether any rank continues. Answers are available
  /// after `complete`.
  template <class Operate>
  std::pair<Tally, bool> run(CallWords mine, Batch<Format> const& batch, Operate const& operate)
  {
    complete();
    exchanged_before_ = communicator_->seconds();
    is_incomplete_ = true;
    times_.start();
    std::vector<std::uint32_t> const counts = count_keys(batch);
    dealt_ = lay_out([&](std::uint32_t piece, std::uint32_t rank) { return counts[piece * ranks() + rank]; }, sent_);
    for (std::uint32_t piece = 0; piece < how_.pieces; ++piece) {
      if (piece_of(batch.count, piece).count != 0) { mine.pieces = piece + 1; }
    }
    reserve_dealt(batch);
    deal(batch, 0);  // while the ranks exchange their counts
    times_.lap(&ShardSeconds::partition);
    exchange_counts(mine, counts);
    reserve_received(batch);
    times_.lap(nullptr);
    std::vector<std::uint64_t> const tickets = send_keys(batch);
    std::vector<std::uint64_t> answers;
    Tally tally = run_pieces(batch, tickets, answers, operate);
    bring_back(batch, answers);
    communicator_->finish();
    tally[Outcome::rejected] += batch.count - dealt_;
    return {tally, is_any([](CallWords const& words) { return words.goes_on; })};
  }
  /// Waits for the answers to the last `run`, and adds its seconds to the report.
  void complete()
  {
    exec_->wait();
    if (!std::exchange(is_incomplete_, false)) { return; }
    report_.seconds += times_.seconds();
    report_.seconds.exchange += communicator_->seconds() - exchanged_before_;
  }

private:
  static bool inserts(Batch<Format> const& batch) { return batch.kinds == OperationMask::inserts; }
  static bool finds(Batch<Format> const& batch) { return batch.kinds == OperationMask::finds; }
  bool goes_by_pieces(Batch<Format> const& batch) const { return finds(batch) || changes_by_pieces_; }
  bool has_results(Batch<Format> const& batch) const { return finds(batch) || batch.keeps_outcomes; }
  std::uint32_t ranks() const { return communicator_->size(); }

  template <class Is>
  bool is_any(Is const& is) const
  {
    return std::ranges::any_of(said_, is);
  }
  bool wants_outcomes() const
  {
    return is_any([](CallWords const& words) { return words.wants_outcomes; });
  }

  /// The part of a rank's `count` keys that belongs to a piece.
  Share piece_of(std::uint64_t count, std::uint32_t piece) const
  {
    std::uint64_t const size = std::max(how_.min_piece, (count + how_.pieces - 1) / how_.pieces);
    std::uint64_t const first = std::min(count, piece * size);
    return {first, std::min(size, count - first)};
  }

  /// Counts the keys of each piece that belong to each rank.
  std::vector<std::uint32_t> count_keys(Batch<Format> const& batch)
  {
    std::vector<std::uint32_t> counts(counts_.size());
    if (batch.count == 0) { return counts; }
    exec_->fill(counts_.data(), counts_.size(), 0u);
    for (std::uint32_t piece = 0; piece < how_.pieces; ++piece) {
      Share const keys = piece_of(batch.count, piece);
      if (keys.count == 0) { continue; }
      dealing_.count_into(counts_.data() + std::size_t{piece} * ranks(), batch.part(keys.first, keys.count));
    }
    exec_->download(std::span(counts), static_cast<std::uint32_t const*>(counts_.data()));
    return counts;
  }

  /// Tells each rank the call and how many keys of each piece it gets, and lays out the incoming keys.
  void exchange_counts(CallWords const& mine, std::vector<std::uint32_t> const& counts)
  {
    std::size_t const width = std::size_t{how_.pieces} + 1;
    std::vector<std::uint64_t> outgoing(width * ranks());
    std::vector<std::uint64_t> incoming(width * ranks());
    for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
      outgoing[rank * width] = mine.number();
      for (std::size_t piece = 0; piece < how_.pieces; ++piece) {
        outgoing[rank * width + 1 + piece] = counts[piece * ranks() + rank];
      }
    }
    communicator_->exchange_numbers(outgoing, incoming);
    said_.clear();
    for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
      said_.push_back(CallWords::of(incoming[rank * width]));
      expect_same_call(mine.call, said_.back().call, rank);
    }
    auto const count_of = [&](std::uint32_t piece, std::uint32_t rank) -> std::uint64_t {
      bool const is_left = mine.call == RankCall::find && rank == communicator_->rank();  // own lookups run in place
      return is_left ? 0 : incoming[rank * width + 1 + piece];
    };
    received_ = lay_out(count_of, taken_);
    auto const fewer = [](CallWords const& a, CallWords const& b) { return a.pieces < b.pieces; };
    used_pieces_ = std::max(1u, std::max_element(said_.begin(), said_.end(), fewer)->pieces);
  }
  void expect_same_call(RankCall mine, RankCall its, std::uint32_t rank) const
  {
    if (mine == its) { return; }
    auto const name = [](RankCall call) { return std::string(rank_call_names[static_cast<std::size_t>(call)]); };
    throw DifferentCalls("Rank " + std::to_string(rank) + " called " + name(its) + " while rank " +
                         std::to_string(communicator_->rank()) + " called " + name(mine) +
                         ": have all ranks make the same calls in the same order. Nothing was done.");
  }
  /// Lays out count_of(piece, rank) items, piece by piece, and rank by rank within a piece. Returns their total.
  template <class CountOf>
  std::uint64_t lay_out(CountOf const& count_of, std::vector<std::vector<Share>>& shares) const
  {
    std::uint64_t end = 0;
    shares.assign(how_.pieces, std::vector<Share>(ranks()));
    for (std::uint32_t piece = 0; piece < how_.pieces; ++piece) {
      for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
        shares[piece][rank] = {end, count_of(piece, rank)};
        end += shares[piece][rank].count;
      }
    }
    return end;
  }
  /// The whole range that the ranks send, or receive, in some pieces: the pieces are contiguous.
  Share all_of(std::vector<std::vector<Share>> const& shares, std::uint32_t first_piece, std::uint32_t end_piece) const
  {
    Share const& last = shares[end_piece - 1].back();
    std::uint64_t const first = shares[first_piece].front().first;
    return {first, last.first + last.count - first};
  }

  void reserve_dealt(Batch<Format> const& batch)
  {
    exec::grow(*exec_, keys_, dealt_);
    if (has_results(batch)) { exec::grow(*exec_, numbers_, dealt_); }
    if (batch.keeps_outcomes) { exec::grow(*exec_, outcomes_, dealt_); }
    if (inserts(batch) || finds(batch)) { exec::grow(*exec_, values_, dealt_); }
  }
  void reserve_received(Batch<Format> const& batch)
  {
    exec::grow(*exec_, received_keys_, received_);
    if (inserts(batch) || finds(batch)) { exec::grow(*exec_, received_values_, received_); }
    if (wants_outcomes()) { exec::grow(*exec_, received_outcomes_, received_); }
  }

  /// Deals each piece, and starts sending it while the next one is dealt. Returns the tickets of the pieces.
  std::vector<std::uint64_t> send_keys(Batch<Format> const& batch)
  {
    std::vector<std::uint64_t> tickets;
    tickets.reserve(used_pieces_);
    for (std::uint32_t piece = 0; piece < used_pieces_; ++piece) {
      if (piece != 0) { deal(batch, piece); }
      times_.lap(&ShardSeconds::partition);
      std::vector<Delivery> deliveries{delivery_of(keys_, received_keys_, sent_[piece], taken_[piece])};
      if (inserts(batch)) { deliveries.push_back(delivery_of(values_, received_values_, sent_[piece], taken_[piece])); }
      tickets.push_back(start(deliveries));
      times_.lap(nullptr);
      take_own(batch, piece);
      times_.lap(&ShardSeconds::partition);
    }
    return tickets;
  }
  /// Copies the keys that stay on this rank beside those that arrive from others.
  void take_own(Batch<Format> const& batch, std::uint32_t piece)
  {
    Share const from = sent_[piece][communicator_->rank()];
    Share const to = taken_[piece][communicator_->rank()];
    if (to.count == 0) { return; }
    exec_->copy(received_keys_.data() + to.first, keys_.data() + from.first, to.count);
    if (inserts(batch)) { exec_->copy(received_values_.data() + to.first, values_.data() + from.first, to.count); }
  }
  void deal(Batch<Format> const& batch, std::uint32_t piece)
  {
    Share const keys = piece_of(batch.count, piece);
    std::vector<Share> const& shares = sent_[piece];
    if (all_of(sent_, piece, piece + 1).count == 0) { return; }
    std::uint64_t const base = shares.front().first;
    std::vector<std::uint32_t> starts;
    starts.reserve(shares.size() + 1);
    for (Share const& share : shares) { starts.push_back(static_cast<std::uint32_t>(share.first - base)); }
    starts.push_back(static_cast<std::uint32_t>(shares.back().first + shares.back().count - base));
    Batch<Format> const part = batch.part(keys.first, keys.count);
    if (!inserts(batch)) {
      std::uint32_t* const numbers = has_results(batch) ? numbers_.data() + base : nullptr;
      if (numbers == nullptr) {
        dealing_.template deal_keys<false>(part, starts, {keys_.data() + base, nullptr});
      } else {
        dealing_.template deal_keys<true>(part, starts, {keys_.data() + base, numbers});
      }
    } else if (batch.keeps_outcomes) {
      dealing_.template deal_pairs<true>(part, starts,
                                         {keys_.data() + base, values_.data() + base, numbers_.data() + base});
    } else {
      dealing_.template deal_pairs<false>(part, starts, {keys_.data() + base, values_.data() + base, nullptr});
    }
  }

  /// A delivery to and from all other ranks.
  template <class T>
  Delivery delivery_of(Buffer<T> const& from, Buffer<T> const& to, std::vector<Share> outgoing,
                       std::vector<Share> incoming) const
  {
    outgoing[communicator_->rank()].count = 0;
    incoming[communicator_->rank()].count = 0;
    return {reinterpret_cast<std::byte const*>(from.data()), reinterpret_cast<std::byte*>(to.data()), sizeof(T),
            std::move(outgoing), std::move(incoming)};
  }
  std::uint64_t start(std::span<Delivery const> deliveries)
  {
    for (Delivery const& delivery : deliveries) {
      for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
        report_.sent[rank] += delivery.outgoing[rank].count * delivery.item_bytes;
        report_.received[rank] += delivery.incoming[rank].count * delivery.item_bytes;
      }
    }
    return communicator_->start(*exec_, deliveries);
  }

  /// Lookups run piece by piece as they arrive, and are answered; in the meantime, the rank's own keys are looked up.
  /// Operations that change a table run at once: one large batch takes less time than several smaller ones.
  template <class Operate>
  Tally run_pieces(Batch<Format> const& batch, std::vector<std::uint64_t> const& tickets,
                   std::vector<std::uint64_t>& answers, Operate const& operate)
  {
    Tally tally;
    std::uint32_t first = 0;
    for (std::uint32_t piece = 0; piece < used_pieces_; ++piece) {
      Share const own = sent_[piece][communicator_->rank()];
      if (finds(batch) && own.count != 0) {
        tally += operate(own_batch(batch, own));
        times_.lap(&ShardSeconds::table);
      }
      communicator_->wait(tickets[piece]);
      times_.lap(nullptr);
      if (!goes_by_pieces(batch) && piece + 1 != used_pieces_) { continue; }
      Share const part = all_of(taken_, first, piece + 1);
      if (part.count != 0) { tally += operate(received_batch(batch, part)); }
      times_.lap(&ShardSeconds::table);
      if (finds(batch) || wants_outcomes()) { answers.push_back(send_answers(batch, first, piece + 1)); }
      first = piece + 1;
    }
    note_work(batch, tally);
    return tally;
  }
  /// The lookups of keys that belong to this rank's own shard.
  Batch<Format> own_batch(Batch<Format> const& batch, Share const& part) const
  {
    Batch<Format> all = batch;
    all.keys = keys_.data();
    all.values = values_.data();
    all.outcomes = batch.keeps_outcomes ? outcomes_.data() : nullptr;
    return all.part(part.first, part.count);
  }
  Batch<Format> received_batch(Batch<Format> const& batch, Share const& part) const
  {
    bool const distinct = !is_any([](CallWords const& words) { return !words.distinct; });
    Batch<Format> const all{.count = received_,
                            .operations = nullptr,
                            .keys = received_keys_.data(),
                            .values = received_values_.data(),
                            .outcomes = wants_outcomes() ? received_outcomes_.data() : nullptr,
                            .changes = nullptr,
                            .distinct = distinct,
                            .kinds = batch.kinds,
                            .keeps_outcomes = wants_outcomes()};
    return all.part(part.first, part.count);
  }
  void note_work(Batch<Format> const& batch, Tally const& tally)
  {
    report_.work.latest = received_;
    for (std::uint32_t piece = 0; finds(batch) && piece < used_pieces_; ++piece) {
      report_.work.latest += sent_[piece][communicator_->rank()].count;
    }
    report_.work.operations += report_.work.latest;
    report_.work.live += tally[Outcome::inserted] - tally[Outcome::erased];
  }

  /// Values go back to all ranks, outcomes to those that want them.
  std::uint64_t send_answers(Batch<Format> const& batch, std::uint32_t first_piece, std::uint32_t end_piece)
  {
    std::vector<Delivery> deliveries;
    deliveries.reserve(std::size_t{2} * (end_piece - first_piece));
    for (std::uint32_t piece = first_piece; piece < end_piece; ++piece) {
      if (finds(batch)) { deliveries.push_back(delivery_of(received_values_, values_, taken_[piece], sent_[piece])); }
      if (!wants_outcomes()) { continue; }
      std::vector<Share> outgoing = taken_[piece];
      std::vector<Share> incoming = sent_[piece];
      for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
        if (!said_[rank].wants_outcomes) { outgoing[rank].count = 0; }
        if (!batch.keeps_outcomes) { incoming[rank].count = 0; }
      }
      deliveries.push_back(delivery_of(received_outcomes_, outcomes_, outgoing, incoming));
    }
    return start(deliveries);
  }

  /// Restores the order of the batch's keys for the answers.
  void bring_back(Batch<Format> const& batch, std::vector<std::uint64_t> const& answers)
  {
    for (std::uint32_t piece = 0; piece < used_pieces_ && !answers.empty(); ++piece) {
      communicator_->wait(goes_by_pieces(batch) ? answers[piece] : answers.front());
      times_.lap(nullptr);
      Share const mine = piece_of(batch.count, piece);
      Share const its = all_of(sent_, piece, piece + 1);
      if (mine.count == 0 || !has_results(batch)) { continue; }
      if (!finds(batch)) { take_own_outcomes(piece); }
      Batch<Format> dealt = batch;
      dealt.values = values_.data();
      dealt.outcomes = outcomes_.data();
      exec_->for_each(its.count,
                      sharding::ScatterResults<Format>{dealt.part(its.first, its.count), numbers_.data() + its.first,
                                                       batch.part(mine.first, mine.count)});
      times_.lap(&ShardSeconds::partition);
    }
    if (batch.count == 0 || dealt_ == batch.count || !has_results(batch)) { return; }
    exec_->for_each(batch.count, sharding::RefuseReserved<Format>{batch});
    times_.lap(&ShardSeconds::partition);
  }

  void take_own_outcomes(std::uint32_t piece)
  {
    Share const to = sent_[piece][communicator_->rank()];
    Share const from = taken_[piece][communicator_->rank()];
    exec_->copy(outcomes_.data() + to.first, received_outcomes_.data() + from.first, to.count);
  }

  Exec* exec_;
  Communicator* communicator_;
  PieceOptions how_;
  bool changes_by_pieces_;
  Dealing<Exec, Format> dealing_;
  Buffer<std::uint32_t> counts_;  ///< number of a piece's keys for each rank
  PartTimes<Exec> times_;
  double exchanged_before_ = 0.0;  ///< the communicator's seconds before the current call
  bool is_incomplete_ = false;
  RankReport report_;

  std::vector<CallWords> said_;            ///< what each rank said about the current call
  std::vector<std::vector<Share>> sent_;   ///< parts of each piece that go to each rank
  std::vector<std::vector<Share>> taken_;  ///< parts of each piece that come from each rank
  std::uint32_t used_pieces_ = 1;          ///< pieces used by the rank with the most keys
  std::uint64_t dealt_ = 0;
  std::uint64_t received_ = 0;

  Buffer<Key> keys_;               ///< dealt keys
  Buffer<std::uint32_t> numbers_;  ///< positions of the keys in their piece
  Buffer<Value> values_;           ///< values of the keys, or the answers
  Buffer<Outcome> outcomes_;
  Buffer<Key> received_keys_;
  Buffer<Value> received_values_;
  Buffer<Outcome> received_outcomes_;
};

}  // namespace library

}  // namespace slotscape

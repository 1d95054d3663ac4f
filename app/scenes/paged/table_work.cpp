#include "app/scenes/paged/table_work.hpp"

#include "app/base/text.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>

namespace slotscape {
namespace {

/// Cells along each side of a page; all pages together have about a million cells.
std::uint32_t side_of_page(std::uint32_t pages)
{
  return std::clamp(1024 / side_for(pages), 8u, 64u);
}

void add(PagingReport& sum, PagingReport const& more)
{
  sum.seconds.deal += more.seconds.deal;
  sum.seconds.copy_in += more.seconds.copy_in;
  sum.seconds.table += more.seconds.table;
  sum.seconds.copy_out += more.seconds.copy_out;
  sum.seconds.bring_back += more.seconds.bring_back;
  sum.seconds.whole += more.seconds.whole;
  sum.bytes.in += more.bytes.in;
  sum.bytes.out += more.bytes.out;
  sum.rounds += more.rounds;
  sum.pages_in += more.pages_in;
  sum.pages_out += more.pages_out;
}

}  // namespace

PagedAnswer PagedTableWork::compute(PagedQuery const& query, Progress const& progress)
{
  if (table_ == nullptr || settings_ != query.table) { make_table(query.table, progress); }
  PagedAnswer answer{table_->slots(), table_->memory_bytes()};
  auto const wanted = static_cast<std::uint64_t>(query.load_factor * static_cast<double>(table_->slots()));
  std::uint64_t const keys = std::min(wanted, most_paged_keys(query.table.key_bits));
  bring_to(keys, answer, progress);
  if (query.look_up != LookedUp::nothing) { look_up(query, keys, answer, progress); }
  answer.keys = table_->size();
  return answer;
}

void PagedTableWork::make_table(paged::PagedSettings const& settings, Progress const& progress)
{
  progress.begin(tr("Making the pages"));
  picture_->forget();
  table_.reset();
  std::uint32_t const side = side_of_page(settings.pages);
  table_ = paged::make_paged_engine(
      backend_, settings, side * side, [this](paged::PageCells const& page) { saw(page); },
      [&](double share) { progress.require(share); });
  settings_ = settings;
  all_below_ = none_from_ = 0;
  picture_->begin(*table_, settings.pages);
}

void PagedTableWork::saw(paged::PageCells const& page)
{
  ++pages_seen_;
  progress_.require(static_cast<double>(pages_seen_ % settings_.pages) / settings_.pages);
  picture_->see(page);
}

template <class Work>
PagedCall PagedTableWork::in_parts(std::string_view what, std::uint64_t count, Progress const& progress,
                                   Work const& work)
{
  std::uint64_t const at_once =
      backend_ == Backend::cpu ? std::max<std::uint64_t>(table_->slots() / 8, 1u << 20) : count;
  PagedCall call{what, count};
  progress.begin(tr("{}: {} keys", translated(what), grouped(count)));
  for (std::uint64_t first = 0; first < count; first += at_once) {
    std::uint64_t const size = std::min(at_once, count - first);
    auto const share = [&](std::uint64_t done) { return static_cast<double>(done) / static_cast<double>(count); };
    progress_ = progress.part(share(first), share(first + size));
    pages_seen_ = 0;
    picture_->expect(true);
    try {
      work(first, size);
    } catch (...) {
      picture_->expect(false);
      throw;
    }
    picture_->expect(false);
    add(call.report, table_->report());
  }
  return call;
}

void PagedTableWork::bring_to(std::uint64_t keys, PagedAnswer& answer, Progress const& progress)
{
  if (keys == 0 && none_from_ != 0) {
    table_->clear();
    picture_->clear();
    all_below_ = none_from_ = 0;
  }
  if (none_from_ > keys) {
    all_below_ = std::min(all_below_, keys);
    std::uint64_t const last = none_from_;
    answer.calls.push_back(
        in_parts(translatable("Erasing"), last - keys, progress, [&](std::uint64_t first, std::uint64_t count) {
          table_->erase({keys + first, count});
        }));
    none_from_ = keys;
  }
  if (all_below_ == keys) { return; }
  bool const distinct = all_below_ == none_from_;
  std::uint64_t const from = all_below_;
  none_from_ = keys;
  answer.calls.push_back(
      in_parts(translatable("Inserting"), keys - from, progress, [&](std::uint64_t first, std::uint64_t count) {
        Tally const tally = table_->insert({from + first, count}, distinct);
        answer.full += tally[Outcome::full];
      }));
  all_below_ = keys;
}

void PagedTableWork::look_up(PagedQuery const& query, std::uint64_t keys, PagedAnswer& answer, Progress const& progress)
{
  bool const present = query.look_up == LookedUp::present;
  std::uint64_t const count = std::min(query.lookups, present ? keys : paged::key_count(query.table.key_bits) - keys);
  paged::Answers all;
  std::uint64_t const step = present ? std::max<std::uint64_t>(1, keys / std::max<std::uint64_t>(count, 1)) : 1;
  answer.calls.push_back(
      in_parts(translatable("Looking up"), count, progress, [&](std::uint64_t first, std::uint64_t size) {
        std::uint64_t const number = present ? first * step : keys + first;
        paged::Answers const some = table_->find({number, size, step}, present);
        all.asked += some.asked;
        all.found += some.found;
        all.right += some.right;
      }));
  answer.looked_up = all;
}

}  // namespace slotscape

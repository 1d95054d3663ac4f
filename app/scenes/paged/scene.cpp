#include "app/scenes/paged/scene.hpp"

#include "app/base/text.hpp"
#include "app/scene/setting_commands.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slotscape {
namespace {

Json seconds_json(PagingReport::Seconds const& seconds)
{
  return {{"whole", seconds.whole}, {"deal", seconds.deal},         {"copy_in", seconds.copy_in},
          {"table", seconds.table}, {"copy_out", seconds.copy_out}, {"bring_back", seconds.bring_back}};
}

Json call_json(PagedCall const& call)
{
  PagingReport const& report = call.report;
  return {{"what", lower_case(call.what)},
          {"keys", call.keys},
          {"seconds", seconds_json(report.seconds)},
          {"bytes_in", report.bytes.in},
          {"bytes_out", report.bytes.out},
          {"rounds", report.rounds},
          {"pages_in", report.pages_in},
          {"pages_out", report.pages_out}};
}

}  // namespace

PagedScene::PagedScene(PagedSceneSettings const& settings, DeviceFacts const& device)
    : PagedScene(settings, device, std::make_shared<PagesPicture>())
{
}

PagedScene::PagedScene(PagedSceneSettings const& settings, DeviceFacts const& device,
                       std::shared_ptr<PagesPicture> picture)
    : WorkScene([table = std::make_shared<PagedTableWork>(device.backend, picture)](PagedQuery const& query,
                                                                                    Progress const& progress) {
        return table->compute(query, progress);
      }),
      settings_(settings),
      device_(device),
      picture_(std::move(picture))
{
  make_commands();
}

void PagedScene::make_commands()
{
  constexpr std::string_view group = "LARGER THAN MEMORY";
  commands_ = setting_commands(settings_, group);
  commands_.push_back(
      {.keys = "L", .group = group, .what = "Look up present keys", .run = [this] { ask(LookedUp::present); }});
  commands_.push_back(
      {.keys = "M", .group = group, .what = "Look up absent keys", .run = [this] { ask(LookedUp::absent); }});
}

void PagedScene::ask(LookedUp what)
{
  settings_.look_up = what;
  before_ = settings_;
  ++asks_;
}

/// Forgets requested lookups, which were meant for the table as it was before.
void PagedScene::note_other_settings()
{
  if (before_ && (before_->table != settings_.table || before_->load_factor != settings_.load_factor)) {
    settings_.look_up = LookedUp::nothing;
  }
  before_ = settings_;
}

PagedQuery PagedScene::query() const
{
  bool const asks = settings_.look_up != LookedUp::nothing;
  return {settings_.table, settings_.load_factor, settings_.look_up, asks ? settings_.lookups : 0, asks_};
}

void PagedScene::advance(double elapsed_seconds)
{
  note_other_settings();
  WorkScene::advance(elapsed_seconds);
  if (picture_->take(seen_)) { painted_.reset(); }
}

Findings PagedScene::findings() const
{
  bool const are_all = !answer_ || !answer_->looked_up || answer_->looked_up->asked >= answered_->lookups;
  if (are_all) { return {}; }
  return {tr("{} lookups were requested, but there are only {} keys to look up: each was looked up once.",
             grouped(answered_->lookups), grouped(answer_->looked_up->asked))};
}

void PagedScene::show(PagedQuery const&, PagedAnswer answer)
{
  if (answer.full != 0) {
    say(tr("{} keys did not fit in their pages, which are full. Choose a lower load factor.", grouped(answer.full)));
  }
  std::uint64_t const most = most_paged_keys(settings_.table.key_bits);
  if (answer.keys >= most) { say(tr("No keys of this width are left: the table already holds {}.", grouped(most))); }
  bool const did_nothing = answer.calls.empty() && answer_.has_value();
  if (did_nothing) { answer.calls = answer_->calls; }
  answer_ = std::move(answer);
  answered_ = settings_;
  for (std::string const& finding : findings()) { say(finding); }
}

void PagedScene::go_back(std::optional<PagedQuery> const& query)
{
  settings_ = query && answered_ ? *answered_ : PagedSceneSettings{};
  settings_.look_up = LookedUp::nothing;
  before_ = settings_;
  if (!query) { answer_.reset(); }
}

std::string PagedScene::doing(PagedQuery const& query) const
{
  std::string now = work().progress().what();
  return now.empty() ? action(query) : now;
}

std::string PagedScene::action(PagedQuery const& query) const
{
  return tr("bring a table of {} slots to a load factor of {:.2f}", grouped(query.table.slots), query.load_factor);
}

SceneStatistics PagedScene::statistics(FrameTimes const&)
{
  picture_->take(seen_);
  Json json{{"backend", to_text(device_.backend)}, {"device", device_.device}};
  std::string pages = "page,keys,load\n";
  for (std::uint32_t page = 0; page < seen_.pages(); ++page) {
    pages += fmt::format("{},{},{:.6f}\n", page, seen_.keys_of(page), seen_.load_of(page));
  }
  if (answer_) {
    json["slots"] = answer_->slots;
    json["pages"] = settings_.table.pages;
    json["key_bits"] = settings_.table.key_bits;
    json["keys"] = answer_->keys;
    json["memory_bytes"] = answer_->memory_bytes;
    json["full"] = answer_->full;
    json["calls"] = Json::array();
    for (PagedCall const& call : answer_->calls) { json["calls"].push_back(call_json(call)); }
    if (auto const& found = answer_->looked_up) {
      json["lookups"] = {{"asked", found->asked}, {"found", found->found}, {"right", found->right}};
    }
  }
  return {std::move(json), {{"pages.csv", std::move(pages)}}};
}

}  // namespace slotscape

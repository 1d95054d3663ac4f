#include "app/dialogs/page_trial.hpp"

#include "app/registry/scenes.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <utility>

namespace slotscape {
namespace {

constexpr std::uint64_t first_variant = 1;
constexpr char const* tried_file = "page";

/// Rejects file names, as pages made from a table have none.
std::filesystem::path find_no_file(JsonNode const& name)
{
  name.fail("a page made from a table cannot refer to files");
}

/// The page as it would be read from its file.
lessons::Page page_alone(Json page)
{
  std::string const title = page.at("title").get<std::string>();
  std::string const text = format_json(lesson_with(std::move(page), title));
  lessons::Lesson const lesson =
      lessons::lesson_of_document(scenes(), parse_json(text, tried_file), tried_file, find_no_file);
  return lessons::open_page(scenes(), lesson.pages.front(), first_variant, find_no_file);
}

}  // namespace

void PageTrial::build_table(TableSetup const& set_up, Scenario const& scenario)
{
  bool const is_built = table_ && alike(built_from_, set_up);
  if (is_built) { return; }
  table_.reset();
  std::unique_ptr<Scene> fresh = scene_.make(scenario.set_up, device_, {});
  fresh->finish_steps({});
  table_ = std::move(fresh);
  built_from_ = set_up;
}

TriedPage PageTrial::try_out(ExamplePage const& page, TableSetup const& set_up, bool repeats)
{
  TriedPage tried;
  tried.title = page.title;
  try {
    if (page.title.empty()) { throw Error(tr("Give the page a title.")); }
    lessons::Page const shown = page_alone(page_json(page, set_up, std::nullopt));
    build_table(set_up, shown.scenario);
    Json const statistics = table_->statistics({}).json;
    lessons::Names const names{shown.variables, &statistics, &statistics};
    tried.text = lessons::fill_in(shown.text, names);
    tried.ask = lessons::fill_in(shown.task->ask, names);
    Json const operation = operation_of(page);
    Json const predicted = table_->predict(JsonNode(operation, tried_file));
    tried.answer = answer_in(predicted, page, set_up.settings.view.keys_as);
    tried.page = page_json(page, set_up, repeats ? std::optional(tried.answer) : std::nullopt);
  } catch (Error const& error) {
    tried.problem = error.what();
  }
  return tried;
}

}  // namespace slotscape

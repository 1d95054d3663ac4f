#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/keys/file_keys.hpp"
#include "app/languages/languages.hpp"
#include "app/scene/scenario.hpp"
#include "app/scenes/tune/scene.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/tuning/report.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <array>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

/// The size of a saved plot.
constexpr int plot_width = 1280;
constexpr int plot_height = 800;

struct ExportKind {
  std::string_view what;
  std::string_view name;
  std::string_view file_kind;
  std::string_view ending;
};

ExportKind kind_of(TuneExport what)
{
  constexpr std::array<ExportKind, 6> kinds{{
      {translatable("Save the measurements"), "tuning", translatable("CSV file"), ".csv"},
      {translatable("Save everything"), "tuning", translatable("JSON file"), ".json"},
      {translatable("Save the page"), "tuning", translatable("page"), ".html"},
      {translatable("Save the page"), "tuning", translatable("Markdown file"), ".md"},
      {translatable("Save the code"), "table", translatable("source file"), ".cu"},
      {translatable("Save the table as a scenario"), "table", translatable("scenario"), ".json"},
  }};
  return kinds[static_cast<std::size_t>(what)];
}

std::string measurements_csv(tuning::Results const& results)
{
  std::vector<BenchRow> rows;
  for (tuning::Measured const& measured : results.measured) {
    for (BenchRow& row : tuning::rows_of(results, measured)) { rows.push_back(std::move(row)); }
  }
  return to_csv(rows, tuning::columns());
}

std::string skipped_csv(tuning::Results const& results)
{
  std::string csv = "table,slots,load_factor,why\n";
  for (tuning::Skipped const& skipped : results.skipped) {
    tuning::Candidate const& candidate = skipped.candidate;
    csv += fmt::format("{},{},{:.4f},{}\n", in_csv(tuning::kind_of(candidate)), candidate.table.slots, candidate.load,
                       in_csv(skipped.why.text()));
  }
  return csv;
}

std::string hashes_csv(tuning::Results const& results)
{
  std::string csv = "hash,keys_of_a_home,homes,expected\n";
  for (tuning::HashUniformity const& hash : results.hashes) {
    for (std::size_t k = 0; k < hash.homes.size(); ++k) {
      double const expected = k < hash.expected.size() ? hash.expected[k] : 0.0;
      csv += fmt::format("{},{},{},{:.6g}\n", to_text(hash.hash), k, hash.homes[k], expected);
    }
  }
  return csv;
}

/// Writes the page, with its pictures in separate files beside it.
void write_markdown(fs::path const& file, tuning::Results const& results, Look const& look)
{
  std::vector<std::pair<std::string, std::string>> names;
  for (tuning::Picture const& picture : tuning::pictures_of(look, results)) {
    std::string const name = fmt::format("{}-{}.svg", file.stem().string(), file_name_of(picture.title));
    write_text_file(file.parent_path() / name, picture.svg);
    names.emplace_back(picture.title, name);
  }
  write_text_file(file, tuning::markdown_report(results, names));
}

/// Keys handed over by other scenes are in a temporary file, so a file that refers to them gets a copy beside it.
/// Returns the name of the copy; empty if none was needed.
std::string keep_keys(tuning::Results& results, fs::path const& file)
{
  KeySettings& source = results.workload.source;
  if (source.distribution != KeyDistribution::file || !notes_of(source).file) { return {}; }
  fs::path const from = path_of_text(source.file_name);
  fs::path beside = fs::absolute(file).parent_path() / file.stem();
  beside += "-keys" + from.extension().string();
  write_text_file(beside, read_input_file(from));
  source.file_name = path_text(beside);
  return source.file_name;
}

}  // namespace

/// The chosen table, filled with the workload's keys, as a scenario of the slots scene.
Json TuneScene::chosen_scenario(tuning::Results const& results, fs::path const& folder) const
{
  auto const chosen = state_.to_open();
  if (!chosen) { throw Error(tr("There is no table yet: press Space to start the sweep.")); }
  TableSetup const set_up = slots_setup(results, run_->settings.seed, own(*chosen));
  Json scenario{{"version", scenario_version}};
  scenario.update(table_setup_json(set_up, folder));
  return scenario;
}

void TuneScene::need_results() const
{
  bool const any = state_.results && !state_.results->measured.empty();
  if (!any) { throw Error(tr("There are no results yet: press Space to start the sweep.")); }
}

void TuneScene::ask_where_to_save(TuneExport what)
{
  need_results();
  if (what == TuneExport::scenario && state_.to_open()) { own(*state_.to_open()); }  // before the user types a name
  ExportKind const kind = kind_of(what);
  std::string proposed = fmt::format("{}{}", kind.name, kind.ending);
  std::vector<std::string_view> endings{kind.ending};
  if (what == TuneExport::html) { endings.emplace_back(".md"); }
  if (what == TuneExport::markdown) { endings.emplace_back(".html"); }
  if (what == TuneExport::code) {
    tuning::Code const code = shown_code(state_);
    if (code.text.empty()) { throw Error(tr("No code is available. {}", code.remark)); }
    proposed = code.file;
    endings = code.file.ends_with(".cpp") ? std::vector<std::string_view>{".cpp", ".cu"}
                                          : std::vector<std::string_view>{".cu", ".cpp"};
  }
  ask_for_file({.kind = FileQuestion::Kind::save,
                .title = std::string(kind.what),
                .proposed = std::move(proposed),
                .files = {{kind.file_kind, endings}},
                .use = [this, what](Paths const& files) {
                  check_writable(files.front());
                  saving_ = [this, what, file = files.front()](Look const& look) {
                    std::string const keys = save(what, file, look);
                    state_.notice = keys.empty() ? tr("Saved {}", path_text(file))
                                                 : tr("Saved {}, and its keys: {}", path_text(file), keys);
                  };
                }});
}

std::string TuneScene::save(TuneExport what, fs::path const& file, Look const& look) const
{
  need_results();
  InLanguage const english(source_language);  // exported files are always in English
  tuning::Results results = *state_.results;
  std::string keys = what == TuneExport::code ? std::string() : keep_keys(results, file);
  switch (what) {
    case TuneExport::csv: write_text_file(file, measurements_csv(results)); break;
    case TuneExport::json: write_text_file(file, format_json(tuning::to_json(results))); break;
    case TuneExport::html:
    case TuneExport::markdown:  // the extension decides
      if (extension_of(file) == ".md") {
        write_markdown(file, results, look);
      } else {
        write_text_file(file, tuning::html_report(results, tuning::pictures_of(look, results)));
      }
      break;
    case TuneExport::code: write_text_file(file, shown_code(state_).text); break;
    case TuneExport::scenario: write_text_file(file, format_json(chosen_scenario(results, file.parent_path()))); break;
  }
  return keys;
}

void TuneScene::ask_where_to_save_plot(tuning::Plot plot)
{
  need_results();
  auto const use = [this, plot](Paths const& files) {
    auto const draw = [results = state_.results, choice = state_.choice, plot](Look const& look, Drawing& drawing) {
      tuning::PlotOptions options;
      options.size = {static_cast<float>(plot_width), static_cast<float>(plot_height)};
      tuning::draw_plot(look, drawing, plot, *results, choice, options);
    };
    save_drawing({files.front(), plot_width, plot_height, draw});
  };
  ask_for_file({.kind = FileQuestion::Kind::save,
                .title = tr("Save the plot: {}", translated(tuning::title_of(plot))),
                .proposed = fmt::format("{}.svg", file_name_of(tuning::title_of(plot))),
                .files = {{translatable("picture"), {".svg", ".png"}}},
                .use = use});
}

SceneStatistics TuneScene::statistics(FrameTimes const& frames)
{
  need_results();
  tuning::Results const& results = *state_.results;
  Json json = tuning::to_json(results);
  json["frames"] = times_json(frames.frame_seconds);
  return {std::move(json),
          {{"measurements.csv", measurements_csv(results)},
           {"skipped.csv", skipped_csv(results)},
           {"hashes.csv", hashes_csv(results)}}};
}

}  // namespace slotscape

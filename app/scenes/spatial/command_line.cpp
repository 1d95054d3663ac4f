#include "app/scenes/spatial/command_line.hpp"

#include "app/base/files.hpp"
#include "app/base/option_text.hpp"
#include "app/base/text.hpp"
#include "app/clouds/builtin.hpp"
#include "app/scenes/spatial/distances.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "app/scenes/spatial/scene.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace slotscape {
namespace {

using spatial::Model;

constexpr double longest_animation = 1e6;  ///< seconds

/// The name of a built-in shape, or the absolute path of an existing file.
std::string source_of(std::string const& word)
{
  if (clouds::is_builtin(word)) { return word; }
  if (extension_of(word) == ".json") { throw Error(tr("'{0}' is a scenario; to run it: slotscape run {0}", word)); }
  std::error_code unreadable;
  if (std::filesystem::is_regular_file(word, unreadable)) {
    return std::filesystem::absolute(word).lexically_normal().string();
  }
  throw Error(tr("'{}' is neither a file nor a built-in shape; {}", word, suggest(word, clouds::builtin_names())));
}

/// A file is placed as in the window. A shape takes the place of the model that it replaces.
ModelSettings from(std::string const& word, ModelSettings model)
{
  model.source = source_of(word);
  if (!clouds::is_builtin(model.source)) { model.place = fresh_model(model.source).place; }
  return model;
}

/// Each model has an option of its own.
Setting<ModelSettings> unit_option_of(Model model)
{
  bool const is_a = model == Model::a;
  Setting<ModelSettings> setting = setting_named<ModelSettings>("unit");
  setting.text.what = is_a ? "unit of the coordinates in A's file, which are converted to metres"
                           : "unit of the coordinates in B's file, which are converted to metres";
  setting.text.argument = "UNIT";
  setting.text.option = is_a ? "unit-a" : "unit-b";
  return setting;
}

/// Refuses before anything is computed. Every command that draws has the option.
void refuse_vector_slide(CLI::App const& command)
{
  CLI::Option const* const slide = command.get_option_no_throw("--slide");
  bool const asked = slide != nullptr && !slide->empty();
  if (asked && extension_of(slide->as<std::string>()) == ".svg") {
    throw Error(tr("--slide: models in space are saved as PNG; name it OUT.png"));
  }
}

}  // namespace

SpatialFiles::SpatialFiles(CLI::App& command)
{
  command.add_option("--save-result", result_, "write the points of the result")->type_name("OUT.ply");
  command.add_option("--save-voxels", voxels_, "write all voxels")->type_name("OUT.ply");
}

std::vector<std::pair<std::string_view, std::filesystem::path>> SpatialFiles::outputs() const
{
  return {{"result", result_}, {"voxels", voxels_}};
}

void SpatialFiles::write_outputs(Scene& scene) const
{
  auto& spatial = static_cast<SpatialScene&>(scene);  // the entry creates both the scene and the options
  if (!result_.empty()) { spatial.save_result(result_); }
  if (!voxels_.empty()) { spatial.save_voxels(voxels_); }
}

SpatialSubcommand::SpatialSubcommand(CLI::App& command)
{
  command.callback([&command] { refuse_vector_slide(command); });
  auto const file_of = [this](std::string const& word) { return piped_.file_of(word); };
  command.add_option("A", a_, "the first model: a file, a built-in shape, or - for standard input")->transform(file_of);
  command.add_option("B", b_, "the second model; without it, A is shown alone")->transform(file_of);
  grid_.add_to(command);
  add_option(command, setting_named<SpatialSetup>("voxel"), voxel_);
  model_.add_to(command);
  for (Model const model : both_models) { add_option(command, unit_option_of(model), units_[model]); }
  hashing_.add_to(command);
  changes_.add_to(command);
  distances_.add_to(command);
  command
      .add_option(
          "--animate", animate_,
          fmt::format("animation time in seconds, 0 to {}: of the picture (headless), or to start from; without it, "
                      "models from files stand still",
                      longest_animation))
      ->type_name("T");
  auto* const same = command.add_flag("--same-coordinates", same_coordinates_,
                                      "keep the coordinates that the two files have in common, in one scale");
  command
      .add_flag("--own-coordinates", own_coordinates_, "scale and place each file by itself, whatever its coordinates")
      ->excludes(same);
  scene_.add_to(command);
  view_.add_to(command);
  auto* const fit =
      command.add_flag("--fit", fit_, "begin where the models fill the view (F), as models from files do");
  command.add_flag("--no-fit", no_fit_, "begin with a view of the grid, as built-in shapes do")->excludes(fit);
  files_.emplace(command);
}

SceneSetup SpatialSubcommand::set_up() const
{
  SpatialSetup set_up;
  SpatialSceneSettings& settings = set_up.settings;
  bool const is_alone = !a_.empty() && b_.empty();
  if (is_alone) { set_up.stands_in = Model::b; }
  set_up.insists = true;
  if (!a_.empty()) {
    settings.models[Model::a] = from(a_, settings.models[Model::a]);
    settings.models[Model::b] = is_alone ? stand_in() : from(b_, settings.models[Model::b]);
    settings.boolean = spatial::Boolean::both;
  }
  for (ModelSettings& model : settings.models.of) {
    model_.read(model);
    if (clouds::is_builtin(model.source)) { model.crop.reset(); }
  }
  if (model_.has("crop") && !settings.shows_files()) {
    throw Error(tr("--crop is for point clouds from files, and both models are built-in shapes; leave it out"));
  }
  read_units(settings);
  if (fit_ || no_fit_) { set_up.fits = fit_; }
  read_voxel(set_up);
  grid_.read(settings.hashing.grid);
  hashing_.read(settings.hashing);
  read_changes(settings.hashing);
  if (hashing_.has("hash") && settings.hashing.family != "linear_probing") {
    throw Error(tr("--hash is for linear probing; add --table linear_probing"));
  }
  if (!hashing_.has("family")) { set_grid_side(settings.hashing, settings.hashing.grid.side); }
  read_coordinates(settings);
  read_number("--animate", animate_, 0.0, longest_animation, settings.animation.time);
  scene_.read(settings);
  view_.read(settings.view);
  read_distances(settings);
  set_up.own_colors = is_alone && !view_.has("color_by") && !view_.has("attribute");
  if (view_.has("attribute")) {
    if (view_.has("color_by") && settings.view.paint_by != spatial::PaintBy::attribute) {
      throw Error(tr("--attribute is shown only with '--color attribute'; leave out one of the two"));
    }
    settings.view.paint_by = spatial::PaintBy::attribute;
  }
  if (settings.shows_files() && animate_.empty()) { settings.animation = {.motion = Motion::still, .running = false}; }
  spatial::validate(settings.hashing);
  return set_up;
}

void SpatialSubcommand::read_units(SpatialSceneSettings& settings) const
{
  for (Model const model : both_models) {
    Setting<ModelSettings> const setting = unit_option_of(model);
    ModelSettings& read = settings.models[model];
    read_option(setting, units_[model], read);
    if (units_[model].empty() || !clouds::is_builtin(read.source)) { continue; }
    throw Error(tr("{} is for a file, and '{}' is a built-in shape; leave the option out", option_of(setting.text),
                   read.source));
  }
}

void SpatialSubcommand::read_voxel(SpatialSetup& set_up) const
{
  if (voxel_.empty()) { return; }
  if (grid_.has("side")) { throw Error(tr("--voxel and --grid both set the grid; leave out one of the two")); }
  if (!set_up.settings.shows_files()) {
    throw Error(tr("--voxel is in the units of a file, and both models are built-in shapes; use --grid"));
  }
  read_option(setting_named<SpatialSetup>("voxel"), voxel_, set_up);
  set_up.insists_on_table = hashing_.has("family");
}

void SpatialSubcommand::read_changes(spatial::SpatialSettings& hashing) const
{
  changes_.read(hashing.changes);
  if (hashing.changes.shown) {
    if (scene_.has("boolean")) {
      throw Error(
          tr("--changes and --boolean show different things; leave out one of the two. To see only some of the "
             "changes, use --hide, as in --hide a_and_b,only_b"));
    }
    return;
  }
  for (auto const& [name, option] : {std::pair{"min_points", "--min-points"}, {"neighbours", "--same-neighbours"}}) {
    if (changes_.has(name)) { throw Error(tr("{} is for changes between two surveys; add --changes", option)); }
  }
}

/// Models are coloured by the distances unless another colour is asked for.
void SpatialSubcommand::read_distances(SpatialSceneSettings& settings) const
{
  DistanceSettings& distances = settings.distances;
  distances_.read(distances);
  if (!distances.shown) {
    for (auto const& [name, option] :
         {std::pair{"signed", "--signed-distances"}, {"threshold", "--distance-threshold"}}) {
      if (distances_.has(name)) {
        throw Error(tr("{} applies only to distances between two models; add --distances", option));
      }
    }
    return;
  }
  if (a_.empty() || b_.empty()) { throw Error(tr("--distances needs two models: slotscape spatial A B --distances")); }
  if (!view_.has("color_by") && !view_.has("attribute")) { show_distances(settings, true); }
}

void SpatialSubcommand::read_coordinates(SpatialSceneSettings& settings) const
{
  if (!same_coordinates_ && !own_coordinates_) { return; }
  std::string_view const option = same_coordinates_ ? "--same-coordinates" : "--own-coordinates";
  for (ModelSettings const& model : settings.models.of) {
    if (!clouds::is_builtin(model.source)) { continue; }
    throw Error(tr("{} is for two files, and '{}' is a built-in shape; leave the option out", option, model.source));
  }
  settings.same_coordinates = same_coordinates_;
}

}  // namespace slotscape

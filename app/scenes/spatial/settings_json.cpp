#include "app/scenes/spatial/settings.hpp"

#include "app/base/files.hpp"
#include "app/base/option_text.hpp"
#include "app/base/text.hpp"
#include "app/clouds/builtin.hpp"
#include "app/clouds/load_cloud.hpp"
#include "app/simulation/family_setting.hpp"
#include "app/simulation/hash_choice.hpp"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

using spatial::Model;

constexpr std::size_t settings_of_tables = 3;  ///< of the spatial engine's settings; the others are for the flood fill
constexpr double max_threshold = 100.0;        ///< of the flood fill, in voxels
constexpr double full_turn = 360.0;            ///< in degrees
constexpr double farthest_eye = 1e4;           ///< from its target; beyond the range of `OrbitCamera`
static_assert(farthest_eye >= OrbitCamera::max_distance * max_extent);

/// For example "`[x, y, z]` that it looks at, each −1000 to 1000".
std::string text_of_vector(std::string_view what, double farthest)
{
  return fmt::format("`[x, y, z]`{}, each −{} to {}", what, farthest, farthest);
}

std::string const& positions_text()
{
  static std::string const text = text_of_vector("", farthest_position);
  return text;
}

std::string const& targets_text()
{
  static std::string const text = text_of_vector(" that it looks at", max_extent);
  return text;
}

/// Describes rotations: "degrees about x, then y, then z, each −360 to 360".
std::string const& turns_text()
{
  static std::string const text = fmt::format("degrees about x, then y, then z, each −{0} to {0}", full_turn);
  return text;
}

std::string const& buckets_hint()
{
  static std::string const text = fmt::format(
      "Target for voxels / slots. Probe lengths grow with it. Buckets of two-level cuckoo hashing can be filled up to "
      "{}.",
      spatial::max_two_level_load);
  return text;
}

std::string const& note_on_buckets()
{
  static std::string const text = fmt::format("with `two_level_cuckoo` up to {}", spatial::max_two_level_load);
  return text;
}

std::string const& note_on_fine_grids()
{
  static std::string const text =
      fmt::format("more than {} need 64-bit keys, and so `linear_probing`", spatial::max_narrow_grid_side);
  return text;
}

glm::dvec3 read_numbers(JsonNode const& node, double low, double high)
{
  std::vector<JsonNode> const numbers = node.elements();
  if (numbers.size() != 3) { node.fail("it must be a list of three numbers: [x, y, z]"); }
  return {numbers[0].number(low, high), numbers[1].number(low, high), numbers[2].number(low, high)};
}

Json numbers_json(glm::dvec3 const& v)
{
  return {v.x, v.y, v.z};
}

/// Rotates about the x, y and z axes, in this order.
spatial::Rotation rotation_of(glm::dvec3 const& degrees)
{
  glm::dmat3 const rows = glm::transpose(glm::mat3_cast(glm::dquat(glm::radians(degrees))));
  return {{from_glm(rows[0]), from_glm(rows[1]), from_glm(rows[2])}};
}

glm::dvec3 degrees_of(spatial::Rotation const& rotation)
{
  glm::dmat3 const rows{to_glm(rotation.rows[0]), to_glm(rotation.rows[1]), to_glm(rotation.rows[2])};
  return glm::degrees(glm::eulerAngles(glm::quat_cast(glm::transpose(rows))));
}

glm::dvec3 rounded_to(int decimals, glm::dvec3 const& degrees)
{
  double const parts = std::pow(10.0, decimals);
  return glm::round(degrees * parts) / parts + 0.0;  // + 0.0 turns -0 into 0
}

constexpr int most_decimals = 9;

/// The shortest angles that convert exactly to this rotation; nothing if its floats have no such angles.
std::optional<glm::dvec3> exact_degrees_of(spatial::Rotation const& rotation)
{
  glm::dvec3 const degrees = degrees_of(rotation);
  for (int decimals = 0; decimals <= most_decimals; ++decimals) {
    glm::dvec3 const rounded = rounded_to(decimals, degrees);
    if (rotation_of(rounded) == rotation) { return rounded; }
  }
  return std::nullopt;
}

/// Angles of this rotation, or of an adjacent one that survives reading and writing unchanged.
glm::dvec3 written_degrees_of(spatial::Rotation const& rotation)
{
  constexpr int fewest_decimals = 3;
  if (auto const exact = exact_degrees_of(rotation)) { return *exact; }
  glm::dvec3 const degrees = degrees_of(rotation);
  for (int decimals = most_decimals; decimals >= fewest_decimals; --decimals) {
    if (auto const near = exact_degrees_of(rotation_of(rounded_to(decimals, degrees)))) { return *near; }
  }
  return degrees;
}

std::string read_source(JsonNode const& node)
{
  std::string source = node.text();
  if (source.empty()) { node.fail("it must be the name of a built-in shape or a file"); }
  if (clouds::is_builtin(source)) { return source; }
  return node.file().string();
}

Json source_json(ModelSettings const& model, fs::path const& folder)
{
  return clouds::is_builtin(model.source) ? model.source : relative_name(model.source, folder);
}

std::vector<double> read_list(JsonNode const& node, std::size_t count, char const* what, double farthest)
{
  std::vector<JsonNode> const numbers = node.elements();
  if (numbers.size() != count) { node.fail(what); }
  std::vector<double> values;
  values.reserve(count);
  for (JsonNode const& number : numbers) { values.push_back(number.number(-farthest, farthest)); }
  return values;
}

/// The lowest corner of a box and its highest, in this order.
bool has_room(std::vector<double> const& at)
{
  return at[0] < at[3] && at[1] < at[4] && at[2] < at[5];
}
std::vector<double> read_box(JsonNode const& node, double farthest)
{
  std::vector<double> at =
      read_list(node, 6, translatable("it must be a list of six numbers: [x, y, z, x, y, z]"), farthest);
  if (!has_room(at)) { node.fail("the lowest corner comes first, and each side is longer than 0"); }
  return at;
}

Field<spatial::Section> box_field()
{
  return {"box",
          [](JsonNode const& node, spatial::Section& section) {
            auto const at = read_box(node, farthest_position);
            section.low = from_glm({at[0], at[1], at[2]});
            section.high = from_glm({at[3], at[4], at[5]});
          },
          [](spatial::Section const& section, fs::path const&) -> Json {
            auto const& [low, high] = std::pair(section.low, section.high);
            bool const is_chosen = low != spatial::Section{}.low || high != spatial::Section{}.high;
            return is_chosen ? Json{low.x, low.y, low.z, high.x, high.y, high.z} : Json();
          }};
}

Field<spatial::Section> plane_field()
{
  return {"plane",
          [](JsonNode const& node, spatial::Section& section) {
            auto const at =
                read_list(node, 4, translatable("it must be a list of four numbers: [x, y, z, d]"), farthest_position);
            double const length = glm::length(glm::dvec3{at[0], at[1], at[2]});
            if (length == 0.0) { node.fail("x, y and z must not all be 0"); }
            constexpr double rounding = 1e-6;
            double const size = std::abs(length - 1.0) < rounding ? 1.0 : length;
            section.cuts = true;
            section.normal = from_glm(glm::dvec3{at[0], at[1], at[2]} / size);
            section.offset = static_cast<float>(at[3] / size);
          },
          [](spatial::Section const& section, fs::path const&) -> Json {
            spatial::Vector const& normal = section.normal;
            return section.cuts ? Json{normal.x, normal.y, normal.z, section.offset} : Json();
          }};
}

Field<ModelSettings> position_field()
{
  return {"position",
          [](JsonNode const& node, ModelSettings& model) {
            model.place.translation = from_glm(read_numbers(node, -farthest_position, farthest_position));
          },
          [](ModelSettings const& model, fs::path const&) { return numbers_json(to_glm(model.place.translation)); }};
}

Field<ModelSettings> turned_field()
{
  return {"turned",
          [](JsonNode const& node, ModelSettings& model) {
            model.place.rotation = rotation_of(read_numbers(node, -full_turn, full_turn));
            model.turned = true;
          },
          [](ModelSettings const& model, fs::path const&) {
            bool const as_opened = !model.turned && model.place.rotation == spatial::Rotation{};
            return as_opened ? Json() : numbers_json(written_degrees_of(model.place.rotation));
          }};
}

Field<ModelSettings> up_field()
{
  return {"up", [](JsonNode const& node, ModelSettings& model) { model.up = node.one_of<clouds::UpAxis>("axis"); },
          [](ModelSettings const& model, fs::path const&) { return model.up ? Json(to_text(*model.up)) : Json(); }};
}

Setting<ModelSettings> scale_setting()
{
  return {{.name = "scale", .note = "at scale 1 a model reaches 1 from its middle"},
          {SettingRange::Kind::number, double{smallest_model_scale}, double{largest_model_scale}},
          {"scale",
           [](JsonNode const& node, ModelSettings& model) {
             model.place.scale = static_cast<float>(node.number(smallest_model_scale, largest_model_scale));
           },
           [](ModelSettings const& model, fs::path const&) -> Json { return model.place.scale; }}};
}

/// Written only for models whose outliers are ignored.
Setting<ModelSettings> outliers_setting()
{
  return saved_only_if([](ModelSettings const& model) { return model.ignore_outliers; },
                       flag_setting({.name = "ignore_outliers",
                                     .what = "leave out points that lie far outside all others",
                                     .option = "ignore-outliers",
                                     .note = "see [stray points](manual/spatial.md#stray-points)",
                                     .standard = "`false`"},
                                    &ModelSettings::ignore_outliers));
}

clouds::Box box_of(std::vector<double> const& at)
{
  return {{at[0], at[1], at[2]}, {at[3], at[4], at[5]}};
}

/// Written only for models that are cropped.
Setting<ModelSettings> crop_setting()
{
  constexpr double farthest = 1e12;
  Setting<ModelSettings> setting{
      {.name = "crop",
       .what = "keep only the points in this box, in the coordinates of the file: its lowest corner, and its highest",
       .argument = "X,Y,Z,X,Y,Z",
       .option = "crop",
       .note = "of a COPC file, only this part is read; a list: `[x, y, z, x, y, z]`",
       .standard = "all points"},
      {SettingRange::Kind::other},
      {"crop", [](JsonNode const& node, ModelSettings& model) { model.crop = box_of(read_box(node, farthest)); },
       [](ModelSettings const& model, fs::path const&) -> Json {
         if (!model.crop) { return {}; }
         auto const& [low, high] = *model.crop;
         return {low.x, low.y, low.z, high.x, high.y, high.z};
       }}};
  setting.type = [](std::string_view option, std::string const& typed, ModelSettings& model) {
    if (typed.empty()) { return; }
    std::vector<double> at;
    std::istringstream words(typed + ',');
    for (std::string word; std::getline(words, word, ',');) {
      double number = std::numeric_limits<double>::quiet_NaN();
      read_number(option, word, -farthest, farthest, number);
      at.push_back(number);
    }
    bool const are_numbers = at.size() == 6 && std::ranges::none_of(at, [](double each) { return std::isnan(each); });
    if (!are_numbers || !has_room(at)) {
      throw Error(
          tr("{}: '{}' is invalid; it must be six numbers, the lowest and the highest corner of a box, such as "
             "0,0,0,10,10,5",
             option, typed));
    }
    model.crop = box_of(at);
  };
  return setting;
}

/// Written only for models that are converted.
Setting<ModelSettings> unit_setting()
{
  return saved_only_if([](ModelSettings const& model) { return model.unit != clouds::FileUnit::as_is; },
                       choice_setting({.name = "unit",
                                       .label = "Unit",
                                       .what = "unit of the file's coordinates, which are converted to metres",
                                       .hint = "The unit of the file's coordinates. They are converted to metres, so "
                                               "that two files in different units can be compared.",
                                       .note = "`as_is`: they are [not converted](manual/spatial.md#other-units)",
                                       .standard = "`as_is`"},
                                      &ModelSettings::unit, "unit"));
}

/// The animation's time, without the rounding errors that frames have accumulated.
Setting<AnimationSettings> time_setting()
{
  constexpr double parts = 1e9;
  Setting<AnimationSettings> setting =
      number_setting({.name = "time", .what = "seconds at speed 1"}, &AnimationSettings::time, -1e9, 1e9);
  setting.field.write = [](AnimationSettings const& animation, fs::path const&) {
    return Json(std::round(animation.time * parts) / parts + 0.0);  // + 0.0 turns -0 into 0
  };
  return setting;
}

double read_angle(JsonNode const& node)
{
  return glm::radians(node.number(-36000.0, 36000.0));
}

Json degrees_json(double radians)
{
  return glm::degrees(radians);
}

/// Wraps a setting of the scene as a setting of the set-up.
Setting<SpatialSetup> setting_of_scene(std::string_view name)
{
  return setting_of_part<SpatialSetup>(
      setting_named<SpatialSceneSettings>(name), [](auto& set_up) -> auto& { return set_up.settings; });
}

Setting<SpatialSetup> same_coordinates_setting()
{
  return other_setting<SpatialSetup>(
      "whether two files without `position` and `turned` keep the coordinates that they have in common, in one scale, "
      "or are scaled and placed each by itself: `true` or `false`",
      {"same_coordinates",
       [](JsonNode const& node, SpatialSetup& set_up) { set_up.settings.same_coordinates = node.flag(); },
       [](SpatialSetup const& set_up, fs::path const&) {
         std::optional<bool> const& same = set_up.settings.same_coordinates;
         return same ? Json(*same) : Json();
       }},
      "if they [belong together](manual/spatial.md#same-coordinates)");
}

Setting<SpatialSetup> voxel_setting()
{
  Setting<SpatialSetup> setting{{.name = "voxel",
                                 .what = "side of a voxel in the units of A's file, or of B's if A is a shape, "
                                         "instead of a grid",
                                 .argument = "SIZE",
                                 .note = "goes before `grid`",
                                 .standard = "from the `grid`"},
                                {SettingRange::Kind::number, clouds::min_voxel, clouds::max_voxel},
                                {"voxel",
                                 [](JsonNode const& node, SpatialSetup& set_up) {
                                   set_up.voxel = node.number(clouds::min_voxel, clouds::max_voxel);
                                 },
                                 [](SpatialSetup const& set_up, fs::path const&) {
                                   return set_up.voxel ? Json(*set_up.voxel) : Json();
                                 }}};
  setting.type = [](std::string_view option, std::string const& typed, SpatialSetup& set_up) {
    double voxel = 0.0;
    read_decimal(option, typed, clouds::min_voxel, clouds::max_voxel, voxel);
    if (!typed.empty()) { set_up.voxel = voxel; }
  };
  return setting;
}

/// Written only if it differs from the default.
Setting<SpatialSetup> voxel_of_setting()
{
  static constexpr std::array<std::string_view, spatial::model_count> names{"a", "b"};
  return other_setting<SpatialSetup>("in whose file's units `voxel` is: `a` or `b`",
                                     {"voxel_of",
                                      [](JsonNode const& node, SpatialSetup& set_up) {
                                        set_up.voxel_of = static_cast<Model>(node.one_of(names, "model"));
                                      },
                                      [](SpatialSetup const& set_up, fs::path const&) {
                                        bool const is_told =
                                            set_up.voxel_of == Model::b &&
                                            !clouds::is_builtin(set_up.settings.models[Model::a].source);
                                        return set_up.voxel && is_told ? Json(names[static_cast<std::size_t>(Model::b)])
                                                                       : Json();
                                      }},
                                     "`a`, or `b` if A is a shape");
}

Setting<SpatialSetup> fit_setting()
{
  return other_setting<SpatialSetup>(
      "without `camera`, the models fill the view: `true` or `false`",
      {"fit", [](JsonNode const& node, SpatialSetup& set_up) { set_up.fits = node.flag(); },
       [](SpatialSetup const& set_up, fs::path const&) { return set_up.fits ? Json(*set_up.fits) : Json(); }},
      "files do");
}

/// The statuses with this name; `refuse` handles an unknown name, given the message. While changes are shown, names of
/// both meanings are recognised.
std::uint8_t parts_called(std::string_view name, bool changes, auto const& refuse)
{
  if (auto const parts = parts_of_name(name, changes)) { return *parts; }
  bool const is_change = parts_of_name(name, true).has_value();
  auto const parts = parts_of_name(name);
  if (!parts && is_change) {
    refuse(
        fmt::format("'{}' is a status of changes; show these (--changes, or \"changes\": {{ \"shown\": true }} in a "
                    "scenario)",
                    name));
  }
  if (!parts) { refuse(fmt::format("there is no status '{}'; {}", name, suggest(name, names_of_all_parts(changes)))); }
  return *parts;
}

/// On the command line "intersection,unknown"; in files, a list.
Setting<SpatialSceneSettings> hidden_setting()
{
  using Settings = SpatialSceneSettings;
  Setting<Settings> setting =
      other_setting<Settings>("", {"hidden",
                                   [](JsonNode const& node, Settings& settings) {
                                     settings.hidden = 0;
                                     for (JsonNode const& each : node.elements()) {
                                       settings.hidden |= parts_called(each.text(), settings.hashing.changes.shown,
                                                                       [&](std::string const& why) { each.fail(why); });
                                     }
                                   },
                                   [](Settings const& settings, fs::path const&) {
                                     bool const changes = settings.hashing.changes.shown;
                                     return settings.hidden == 0 ? Json()
                                                                 : Json(names_of_parts(settings.hidden, changes));
                                   }});
  setting.text = {.name = "hidden",
                  .what =
                      "statuses whose voxels are not shown: inside, intersection, outside, unknown, those of one "
                      "model such as a_inside, or a whole model, a or b; of changes only_a, a_and_b, only_b, "
                      "too_few_points",
                  .argument = "STATUS,...",
                  .option = "hide",
                  .note = "a list: `[\"intersection\", \"b\"]`",
                  .standard = "`[]`"};
  setting.type = [](std::string_view option, std::string const& typed, Settings& settings) {
    if (typed.empty()) { return; }
    settings.hidden = 0;
    for (std::size_t begin = 0; begin <= typed.size();) {
      std::size_t const end = std::min(typed.find(',', begin), typed.size());
      settings.hidden |=
          parts_called(std::string_view(typed).substr(begin, end - begin), settings.hashing.changes.shown,
                       [&](std::string const& why) { throw Error(fmt::format("{}: {}", option, why)); });
      begin = end + 1;
    }
  };
  return setting;
}

}  // namespace

template <>
std::span<Setting<ModelSettings> const> settings_of()
{
  static auto const settings = std::to_array<Setting<ModelSettings>>({
      other_setting<ModelSettings>(
          "a [built-in shape](manual/files.md#models), or a file relative to the scenario",
          {"source", [](JsonNode const& node, ModelSettings& model) { model.source = read_source(node); },
           source_json}),
      whole_setting({.name = "points",
                     .label = "Points",
                     .what = "points sampled on a shape or a mesh",
                     .argument = "N",
                     .hint = "How many points to sample, evenly over the surface.",
                     .note = "a file of points has its own"},
                    &ModelSettings::points, 1, spatial::max_points),
      other_setting(positions_text(), position_field(), "`[0, 0, 0]`"),
      other_setting(turns_text(), turned_field(), "upright"),
      other_setting("`y`, `z`: the axis of the file that points upwards. Without `turned`, the model is turned so that "
                    "it does",
                    up_field(), "[guessed](manual/files.md#models)"),
      scale_setting(),
      outliers_setting(),
      crop_setting(),
      unit_setting(),
  });
  return settings;
}

template <>
std::span<Setting<spatial::VoxelGrid> const> settings_of()
{
  using Grid = spatial::VoxelGrid;
  static auto const settings = std::to_array<Setting<Grid>>({
      whole_setting({.name = "side",
                     .label = "Grid",
                     .what = "voxels along each side of the grid",
                     .argument = "N",
                     .option = "grid",
                     .hint = "Voxels along each side of the grid. It is virtual: only voxels with points in them take "
                             "memory. The comma key halves it, the period key doubles it.",
                     .note = note_on_fine_grids(),
                     .less = {"Comma", "Coarser grid"},
                     .more = {"Period", "Finer grid"}},
                    &Grid::side, spatial::min_grid_side, spatial::max_grid_side, Scale::log),
      number_setting({.name = "extent",
                      .label = "Extent",
                      .what = "side of the grid in units of the world",
                      .hint =
                          "Side of the grid in units of the scene. A model of scale 1 has radius 1 in these units."},
                     &Grid::extent, min_extent, max_extent, Scale::log),
  });
  return settings;
}

template <>
std::span<Setting<spatial::SpatialSettings> const> settings_of()
{
  using Settings = spatial::SpatialSettings;
  static auto const settings = std::to_array<Setting<Settings>>({
      family_setting({.name = "family", .what = "table family", .argument = "FAMILY", .option = "table"},
                     &Settings::family, spatial::table_families, "table family for voxels"),
      hash_setting({.name = "hash",
                    .label = "Hash",
                    .what = "hash of the table",
                    .argument = "HASH",
                    .hint = "identity puts neighbouring voxels next to each other: watch what happens to the clusters.",
                    .note = "only `linear_probing` uses it; see [hash functions](hash-functions.md)"},
                   &Settings::hash),
      number_setting({.name = "load_factor",
                      .label = "Load α",
                      .what = "target load factor (voxels / slots)",
                      .argument = "X",
                      .hint = buckets_hint(),
                      .note = note_on_buckets()},
                     &Settings::load_factor, spatial::min_load_factor, spatial::max_load_factor),
      number_setting({.name = "inside_below",
                      .label = "Inside <",
                      .what = "signed distance from the other surface, in voxels, below which a voxel next to that "
                              "surface is inside, a seed of the flood fill",
                      .hint = "Voxels next to the other surface that lie deeper inside than this are seeds of the "
                              "flood fill.",
                      .note = "not above `outside_above`"},
                     &Settings::inside_below, -max_threshold, max_threshold),
      number_setting({.name = "outside_above",
                      .label = "Outside >",
                      .what = "the same, above which it is outside",
                      .hint = "Voxels next to the other surface that lie farther outside than this are seeds of the "
                              "flood fill."},
                     &Settings::outside_above, -max_threshold, max_threshold),
      whole_setting({.name = "max_restarts", .what = "restarts after contradicting seeds were cleared"},
                    &Settings::max_restarts, 0, 1000),
  });
  return settings;
}

template <>
std::span<Setting<spatial::Changes> const> settings_of()
{
  using Changes = spatial::Changes;
  static auto const settings = std::to_array<Setting<Changes>>({
      flag_setting({.name = "shown",
                    .what =
                        "compare two surveys: tell what only A, only B, or both have, instead of inside and outside",
                    .option = "changes"},
                   &Changes::shown),
      whole_setting({.name = "min_points",
                     .label = "At least",
                     .what = "points in a voxel that only one survey has; with fewer, it counts as neither",
                     .argument = "N",
                     .hint = "Points that a voxel needs if only one survey has it. With fewer, the other survey may "
                             "have missed it by chance, so it does not count as a change."},
                    &Changes::min_points, 1, spatial::max_min_points, Scale::log),
      flag_setting({.name = "neighbours",
                    .label = "Neighbours",
                    .what = "a voxel of the other survey in one of the 26 neighbours counts as the same",
                    .option = "same-neighbours",
                    .hint = "A voxel of the other survey in one of the 26 neighbours counts as the same voxel, so "
                            "small shifts and noise are not shown as changes."},
                   &Changes::neighbours),
  });
  return settings;
}

template <>
std::span<Setting<DistanceSettings> const> settings_of()
{
  using Distances = DistanceSettings;
  constexpr double max_threshold = 1e9;
  static auto const settings = std::to_array<Setting<Distances>>({
      flag_setting({.name = "shown",
                    .label = "Distances",
                    .what = "measure the distance from each point to the nearest point of the other model",
                    .option = "distances",
                    .hint = "Measure the distance from each point to the nearest point of the other model, and colour "
                            "the models by it."},
                   &Distances::shown),
      flag_setting({.name = "signed",
                    .label = "Signed",
                    .what = "distances are negative behind the other model's surface",
                    .option = "signed-distances",
                    .hint = "Distances are negative behind the other model's surface, where its normals point away."},
                   &Distances::is_signed),
      number_setting({.name = "threshold",
                      .label = "Threshold",
                      .what = "distance up to which a point counts as unchanged, in units of the file",
                      .argument = "D",
                      .option = "distance-threshold"},
                     &Distances::threshold, 0.0, max_threshold),
  });
  return settings;
}

template <>
std::span<Setting<spatial::Section> const> settings_of()
{
  using Section = spatial::Section;
  static auto const settings = std::to_array<Setting<Section>>({
      flag_setting({.name = "shown",
                    .label = "Section box",
                    .what = "show, count and export only what is in the section",
                    .hint = "Show, count and export only what is in a box. Drag the handles on its faces (K).",
                    .more = {"K", "Section box"}},
                   &Section::shown),
      other_setting<Section>(
          "`[x, y, z, x, y, z]` in units of the scene: the lowest corner of its box, and the highest", box_field(),
          "around the models"),
      other_setting<Section>("`[x, y, z, d]`: of the box, only points p with x · p.x + y · p.y + z · p.z ≤ d, behind a "
                             "plane",
                             plane_field(), "no plane"),
  });
  return settings;
}

template <>
std::span<Setting<AnimationSettings> const> settings_of()
{
  using Animation = AnimationSettings;
  static auto const settings = std::to_array<Setting<Animation>>({
      choice_setting({.name = "motion", .label = "Motion", .what = "motion", .more = {"N", "Next motion"}},
                     &Animation::motion, "motion"),
      flag_setting({.name = "running"}, &Animation::running),
      number_setting({.name = "speed",
                      .label = "Speed",
                      .what = "how many times as fast",
                      .hint = "[ halves it, ] doubles it.",
                      .less = {"[", "Halve the speed"},
                      .more = {"]", "Double the speed"}},
                     &Animation::speed, 0.05, 20.0, Scale::log),
      time_setting(),
  });
  return settings;
}

template <>
std::span<Setting<ModelsViewSettings> const> settings_of()
{
  using View = ModelsViewSettings;
  static auto const settings = std::to_array<Setting<View>>({
      choice_setting({.name = "show", .label = "Show", .what = "what is drawn", .more = {"V", "Show voxels or points"}},
                     &View::kind, "representation"),
      choice_setting({.name = "color_by", .what = "colour by", .argument = "BY", .option = "color"}, &View::paint_by,
                     "colouring"),
      text_setting({.name = "attribute",
                    .what = "colour by this attribute of the points, such as colour or intensity",
                    .argument = "NAME",
                    .note = "see [attributes](manual/spatial.md#colours-and-other-attributes)",
                    .standard = "the first that the models have"},
                   &View::attribute),
      flag_setting({.name = "color_blind", .what = "status colours that are easier to tell apart"}, &View::color_blind),
      choice_setting({.name = "palette", .label = "Palette", .what = "colours of numbers"}, &View::palette, "palette"),
      flag_setting({.name = "log_scale",
                    .what = "logarithmic rather than linear colours",
                    .note = "the scales of `slot` and `attribute` are always linear",
                    .more = {"G", "Logarithmic or linear colour scale"}},
                   &View::log_scale),
      number_setting({.name = "point_size", .label = "Point size", .what = "diameter of a point in voxels"},
                     &View::point_size, 0.1, 20.0, Scale::log),
      flag_setting({.name = "ghosts",
                    .label = "Ghosts",
                    .what = "show faintly what is hidden",
                    .hint = "Show faintly what the Boolean or the legend hides (O)."},
                   &View::ghosts),
      flag_setting({.name = "eye_dome",
                    .label = "Eye-dome lighting",
                    .what = "darken what lies behind its neighbours on the screen, so that shapes stand out",
                    .hint = "Darken what lies behind its neighbours on the screen, so that shapes stand out."},
                   &View::eye_dome),
      flag_setting({.name = "box",
                    .label = "Box",
                    .what = "show the grid's edges and axes",
                    .hint = "The grid's edges and axes."},
                   &View::show_box),
      flag_setting({.name = "smooth_edges", .what = "multisampling, where a GPU draws"}, &View::smooth_edges),
  });
  return settings;
}

template <>
std::span<Setting<SpatialSceneSettings> const> settings_of()
{
  using Settings = SpatialSceneSettings;
  static auto const settings = std::to_array<Setting<Settings>>({
      whole_setting({.name = "seed", .what = "of the sampled points"}, &Settings::seed),
      choice_setting({.name = "boolean", .what = "Boolean", .argument = "NAME"}, &Settings::boolean, "Boolean"),
      hidden_setting(),
      map_setting("maps", &Settings::maps),
      flag_setting({.name = "show_maps", .what = "show the slot maps"}, &Settings::show_maps),
      flag_setting({.name = "turntable",
                    .label = "Turntable",
                    .what = "the view rotates",
                    .hint = "Rotate the view continuously (T)."},
                   &Settings::turntable),
  });
  return settings;
}

template <>
std::span<Setting<OrbitPlace> const> settings_of()
{
  using Place = OrbitPlace;
  static auto const settings = std::to_array<Setting<Place>>({
      other_setting<Place>(targets_text(),
                           field(
                               "target", &Place::target,
                               [](JsonNode const& node) { return read_numbers(node, -max_extent, max_extent); },
                               numbers_json),
                           "`[0, 0, 0]`"),
      other_setting<Place>("degrees about the z axis", field("yaw", &Place::yaw, read_angle, degrees_json), "as above"),
      other_setting<Place>("degrees above the horizon", field("pitch", &Place::pitch, read_angle, degrees_json),
                           "as above"),
      number_setting({.name = "distance", .what = "from the target", .standard = "as above"}, &Place::distance,
                     OrbitCamera::min_distance * min_extent, farthest_eye),
  });
  return settings;
}

namespace {

Setting<SpatialSetup> camera_setting()
{
  Setting<SpatialSetup> setting =
      other_setting<SpatialSetup>("the eye:",
                                  {"camera",
                                   [](JsonNode const& node, SpatialSetup& set_up) {
                                     OrbitPlace place = OrbitCamera(spatial::VoxelGrid{}.extent).home();
                                     read_fields(node, place);
                                     set_up.camera = place;
                                   },
                                   [](SpatialSetup const& set_up, fs::path const& folder) {
                                     return set_up.camera ? object_of_fields(folder, *set_up.camera) : Json();
                                   }},
                                  "one from which the models are seen well");
  setting.rows = rows_of<OrbitPlace>();
  return setting;
}

Setting<SpatialSetup> model_setting(SettingText text, Model which)
{
  return object_setting<SpatialSetup, ModelSettings>(
      text, [=](auto& set_up) -> auto& { return set_up.settings.models[which]; });
}

std::vector<Setting<SpatialSetup>> make_settings()
{
  auto const hashing = [](auto& set_up) -> auto&
  {
    return set_up.settings.hashing;
  };
  auto const of_hashing = settings_of<spatial::SpatialSettings>();
  std::vector<Setting<SpatialSetup>> settings{
      model_setting({.name = "a", .what = "the first model:", .standard = "as below"}, Model::a),
      model_setting(
          {.name = "b", .what = "the second model, with the same fields", .standard = "`sphere` at scale 0.75"},
          Model::b),
      same_coordinates_setting(),
      voxel_setting(),
      voxel_of_setting(),
      setting_of_scene("seed"),
      object_setting<SpatialSetup, spatial::VoxelGrid>(
          {.name = "grid", .what = "the voxels:", .standard = "as below"},
          [](auto& set_up) -> auto& { return set_up.settings.hashing.grid; }),
      object_setting<SpatialSetup, spatial::SpatialSettings>(
          {.name = "table", .what = "the tables of both models:", .standard = "as below"}, hashing,
          of_hashing.first(settings_of_tables)),
      object_setting<SpatialSetup, spatial::SpatialSettings>(
          {.name = "flood_fill", .what = "how inside and outside are distinguished:", .standard = "as below"}, hashing,
          of_hashing.subspan(settings_of_tables)),
      object_setting<SpatialSetup, spatial::Changes>(
          {.name = "changes", .what = "the comparison of two surveys:", .standard = "as below"},
          [](auto& set_up) -> auto& { return set_up.settings.hashing.changes; }),
      setting_of_scene("boolean"),
      setting_of_scene("hidden"),
      object_setting<SpatialSetup, spatial::Section>(
          {.name = "section", .what = "the part of the scene that is shown:", .standard = "as below"},
          [](auto& set_up) -> auto& { return set_up.settings.section; }),
      object_setting<SpatialSetup, DistanceSettings>(
          {.name = "distances", .what = "the distances between the models:", .standard = "as below"},
          [](auto& set_up) -> auto& { return set_up.settings.distances; }),
      object_setting<SpatialSetup, AnimationSettings>(
          {.name = "animation", .what = "how the models move:", .standard = "as below"},
          [](auto& set_up) -> auto& { return set_up.settings.animation; }),
      object_setting<SpatialSetup, ModelsViewSettings>(
          {.name = "view", .what = "the picture of the models:", .standard = "as below"},
          [](auto& set_up) -> auto& { return set_up.settings.view; }),
      setting_of_scene("maps"),
      setting_of_scene("show_maps"),
      setting_of_scene("turntable"),
      camera_setting(),
      fit_setting(),
  };
  settings[1].rows.clear();
  return settings;
}

}  // namespace

template <>
std::span<Setting<SpatialSetup> const> settings_of()
{
  static std::vector<Setting<SpatialSetup>> const settings = make_settings();
  return settings;
}

}  // namespace slotscape

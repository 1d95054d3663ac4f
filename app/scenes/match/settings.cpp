#include "app/scenes/match/settings.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/scenes/match/picture_source.hpp"

#include <cmath>
#include <filesystem>
#include <limits>
#include <vector>

namespace slotscape {

namespace fs = std::filesystem;

using matching::MatchSettings;
using matching::Method;

namespace {

constexpr double farthest_cell = 32767.0;

Field<MatchSetup> source_field(std::string_view name, matching::Side side)
{
  auto const i = static_cast<std::size_t>(side);
  return {name,
          [i](JsonNode const& node, MatchSetup& set_up) {
            std::string source = node.text();
            if (source.empty()) { node.fail("it must be the name of a built-in picture, a file or a folder"); }
            if (!is_builtin_picture(source)) {
              source = fs::absolute(node.source().folder / path_of_text(source)).lexically_normal().string();
            }
            set_up.settings.sources[i] = std::move(source);
          },
          [i](MatchSetup const& set_up, fs::path const& folder) -> Json {
            std::string const& source = set_up.settings.sources[i];
            return is_builtin_picture(source) ? source : relative_name(source, folder);
          }};
}

/// A field of a part of the settings as a field of the set-up.
template <class Part>
void add_fields(std::vector<Field<MatchSetup>>& all, std::span<Field<Part> const> fields, auto part_of)
{
  for (Field<Part> const& field : fields) {
    all.push_back(
        {field.name, [=](JsonNode const& node, MatchSetup& set_up) { field.read(node, part_of(set_up)); },
         [=](MatchSetup const& set_up, fs::path const& folder) { return field.write(part_of(set_up), folder); }});
  }
}

std::span<Field<QueryPose> const> pose_fields()
{
  static auto const fields = std::to_array<Field<QueryPose>>({
      number("turn", &QueryPose::turn, -180.0, 180.0),
      number("scale", &QueryPose::scale, smallest_turned_scale, largest_turned_scale),
      number("shift_x", &QueryPose::shift_x, -max_shift, max_shift),
      number("shift_y", &QueryPose::shift_y, -max_shift, max_shift),
      number("noise", &QueryPose::noise, 0.0, 1.0),
      number("occlusion", &QueryPose::occlusion, 0.0, max_occlusion),
  });
  return fields;
}

std::span<Field<MatchSettings> const> matching_fields()
{
  static auto const fields = std::to_array<Field<MatchSettings>>({
      choice("method", &MatchSettings::method, "method"),
      number("smoothing", &MatchSettings::smoothing, min_smoothing, max_smoothing),
      number("threshold", &MatchSettings::threshold, min_threshold, 1.0),
      whole_number("features", &MatchSettings::features, min_features, max_features),
      whole_number("bases", &MatchSettings::bases, 1, max_bases),
      whole_number("query_bases", &MatchSettings::query_bases, 1, max_query_bases),
      number("shortest_basis", &MatchSettings::shortest_basis, shortest_of_bases, longest_of_bases),
      number("longest_basis", &MatchSettings::longest_basis, shortest_of_bases, longest_of_bases),
      number("quantum", &MatchSettings::quantum, min_quantum, max_quantum),
      whole_number("seed", &MatchSettings::seed),
      whole_number("attempts", &MatchSettings::attempts, 1, max_attempts),
  });
  return fields;
}

Field<MatchSetup> cell_field()
{
  return {"cell",
          [](JsonNode const& node, MatchSetup& set_up) {
            std::vector<JsonNode> const numbers = node.elements();
            if (numbers.size() != 2) { node.fail("it must be a list of two numbers: [u, v]"); }
            auto const at = [&](std::size_t i) {
              return static_cast<std::int32_t>(std::lround(numbers[i].number(-farthest_cell, farthest_cell)));
            };
            set_up.cell = matching::Bin{at(0), at(1)};
          },
          [](MatchSetup const& set_up, fs::path const&) -> Json {
            if (!set_up.cell) { return {}; }
            return {set_up.cell->u, set_up.cell->v};
          }};
}

std::vector<Field<MatchSetup>> make_fields()
{
  using Settings = MatchSceneSettings;
  static auto const scene_fields = std::to_array<Field<Settings>>({
      whole_number("frame", &Settings::frame, 0, std::numeric_limits<std::uint32_t>::max()),
      flag("playing", &Settings::playing),
      flag("show_edges", &Settings::show_edges),
      flag("show_points", &Settings::show_points),
      flag("show_overlay", &Settings::show_overlay),
      flag("show_map", &Settings::show_map),
      flag("show_votes", &Settings::show_votes),
      flag("fill_votes", &Settings::fill_votes),
      object("map", &Settings::map),
  });
  std::vector<Field<MatchSetup>> fields{source_field("reference", matching::Side::reference),
                                        source_field("query", matching::Side::query)};
  add_fields(
      fields, pose_fields(), [](auto& set_up) -> auto& { return set_up.settings.pose; });
  add_fields(
      fields, matching_fields(), [](auto& set_up) -> auto& { return set_up.settings.matching; });
  add_fields(
      fields, std::span<Field<Settings> const>(scene_fields), [](auto& set_up) -> auto& { return set_up.settings; });
  fields.push_back(cell_field());
  return fields;
}

}  // namespace

template <>
std::span<Field<MatchSetup> const> fields_of()
{
  static std::vector<Field<MatchSetup>> const fields = make_fields();
  return fields;
}

template <>
std::span<EnumName<Method> const> enum_names()
{
  static constexpr std::array<EnumName<Method>, 2> names{
      {{Method::hashing, "hashing", "Hashing"}, {Method::sorting, "sorting", "Sorting"}}};
  return names;
}

std::span<MatchExample const> match_examples()
{
  static constexpr std::array<MatchExample, 5> examples{{
      {"Turned", {"map-1", "map-1"}, {.turn = 35.0, .scale = 0.8, .shift_x = 30.0, .shift_y = -20.0, .noise = 0.02}},
      {"Enlarged", {"text-1", "text-1"}, {.turn = -12.0, .scale = 1.6, .shift_x = -40.0, .shift_y = 25.0}},
      {"Half hidden", {"shapes-1", "shapes-1"}, {.turn = 75.0, .scale = 0.9, .occlusion = 0.3}},
      {"Noisy", {"map-2", "map-2"}, {.turn = 160.0, .scale = 1.1, .noise = 0.15}},
      {"Unrelated", {"map-1", "shapes-2"}, {}},
  }};
  return examples;
}

void show_example(MatchExample const& example, MatchSceneSettings& settings)
{
  for (std::size_t i = 0; i < example.sources.size(); ++i) { settings.sources[i] = example.sources[i]; }
  settings.pose = example.pose;
  settings.frame = 0;
}

MatchSetup first_match()
{
  MatchSetup set_up;
  show_example(match_examples().front(), set_up.settings);
  return set_up;
}

}  // namespace slotscape

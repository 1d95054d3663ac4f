#include "app/scenes/match/settings.hpp"

#include "app/base/files.hpp"
#include "app/scenes/match/picture_source.hpp"
#include "app/scenes/match/query_hand.hpp"
#include "gpu/base/translation.hpp"

#include <cmath>
#include <filesystem>
#include <vector>

namespace slotscape {

namespace fs = std::filesystem;

using matching::MatchSettings;
using matching::Method;

namespace {

constexpr double farthest_cell = 32767.0;
constexpr double full_turn = 360.0;  ///< in degrees

Setting<MatchSetup> source_setting(std::string_view name, matching::Side side)
{
  auto const i = static_cast<std::size_t>(side);
  return other_setting<MatchSetup>(
      "a [built-in picture](manual/match.md#pictures-to-match), or a file or a folder of frames relative to the "
      "scenario",
      {name,
       [i](JsonNode const& node, MatchSetup& set_up) {
         std::string source = node.text();
         if (source.empty()) { node.fail("it must be the name of a built-in picture, a file or a folder"); }
         if (!is_builtin_picture(source)) { source = node.file().string(); }
         set_up.settings.sources[i] = std::move(source);
       },
       [i](MatchSetup const& set_up, fs::path const& folder) -> Json {
         std::string const& source = set_up.settings.sources[i];
         return is_builtin_picture(source) ? source : relative_name(source, folder);
       }});
}

Setting<MatchSetup> cell_setting()
{
  return other_setting<MatchSetup>("`[u, v]` of a cell of the table, in quanta, whose bases are drawn",
                                   {"cell",
                                    [](JsonNode const& node, MatchSetup& set_up) {
                                      std::vector<JsonNode> const numbers = node.elements();
                                      if (numbers.size() != 2) {
                                        node.fail("it must be a list of two numbers: [u, v]");
                                      }
                                      auto const at = [&](std::size_t i) {
                                        return static_cast<std::int32_t>(
                                            std::lround(numbers[i].number(-farthest_cell, farthest_cell)));
                                      };
                                      set_up.cell = matching::Bin{at(0), at(1)};
                                    },
                                    [](MatchSetup const& set_up, fs::path const&) -> Json {
                                      if (!set_up.cell) { return {}; }
                                      return {set_up.cell->u, set_up.cell->v};
                                    }});
}

/// Accepts up to a full turn in either direction, and stores at most half a turn.
Setting<QueryPose> turn_setting()
{
  Setting<QueryPose> setting =
      number_setting({.name = "turn",
                      .label = "Turn",
                      .what = "degrees that the query is turned about its middle, counter-clockwise",
                      .argument = "DEGREES",
                      .hint = "Counter-clockwise, about the centre. In the picture: drag with the right button."},
                     &QueryPose::turn, -full_turn, full_turn);
  auto const turn = [](QueryPose& pose, double degrees) { pose.turn = whole_turns_removed(degrees); };
  setting.set = turn;
  setting.field.read = [=](JsonNode const& node, QueryPose& pose) { turn(pose, node.number(-full_turn, full_turn)); };
  setting.type = [=](std::string_view option, std::string const& typed, QueryPose& pose) {
    double degrees = pose.turn;
    read_number(option, typed, -full_turn, full_turn, degrees);
    turn(pose, degrees);
  };
  return setting;
}

}  // namespace

template <>
std::span<Setting<QueryPose> const> settings_of()
{
  static auto const settings = std::to_array<Setting<QueryPose>>({
      turn_setting(),
      number_setting({.name = "scale",
                      .label = "Scale",
                      .what = "scale the query about its middle",
                      .argument = "X",
                      .hint = "About the centre. In the picture: turn the wheel, or drag a corner to turn and scale."},
                     &QueryPose::scale, smallest_turned_scale, largest_turned_scale, Scale::log),
      number_setting({.name = "shift_x",
                      .label = "Right",
                      .what = "move the query to the right, in pixels",
                      .hint = "Moves the query. In the picture: drag it."},
                     &QueryPose::shift_x, -max_shift, max_shift),
      number_setting({.name = "shift_y",
                      .label = "Down",
                      .what = "move the query downwards, in pixels",
                      .hint = "Moves the query. In the picture: drag it."},
                     &QueryPose::shift_y, -max_shift, max_shift),
      number_setting({.name = "noise",
                      .label = "Noise",
                      .what = "replace this share of the query's pixels",
                      .argument = "X",
                      .hint = "The share of the pixels that are replaced by random greys."},
                     &QueryPose::noise, 0.0, 1.0),
      number_setting({.name = "occlusion",
                      .label = "Hidden",
                      .what = "cover this share of the query",
                      .argument = "X",
                      .hint = "The share of the picture that patches cover."},
                     &QueryPose::occlusion, 0.0, max_occlusion),
  });
  return settings;
}

template <>
// NOLINTNEXTLINE(readability-function-size): a table
std::span<Setting<MatchSettings> const> settings_of()
{
  static auto const settings = std::to_array<Setting<MatchSettings>>({
      choice_setting({.name = "method",
                      .label = "Method",
                      .what = "how the bases of a cell are found",
                      .argument = "HOW",
                      .hint = "How the bases of a cell are found: in a multi-value hash table or, for comparison as in "
                              "the paper, by binary search in sorted items. Both find the same bases (X).",
                      .more = {"X", "Hashing or sorting"}},
                     &MatchSettings::method, "method"),
      number_setting({.name = "smoothing",
                      .label = "Smoothing",
                      .what = "of pictures before edges are found, in pixels",
                      .argument = "X",
                      .hint =
                          "Pictures are smoothed before their edges are found, so that noise does not create edges."},
                     &MatchSettings::smoothing, matching::min_smoothing, matching::max_smoothing, Scale::log),
      number_setting(
          {.name = "threshold",
           .label = "Threshold",
           .what = "of edges: share of the largest gradient",
           .argument = "X",
           .hint = "A pixel is on an edge if its gradient is at least this share of the picture's largest gradient.",
           .less = {"Comma", "Lower edge threshold"},
           .more = {"Period", "Higher edge threshold"}},
          &MatchSettings::threshold, matching::min_threshold, matching::max_threshold),
      whole_setting({.name = "features",
                     .label = "Points",
                     .what = "at most so many points of each picture",
                     .argument = "N",
                     .hint = "The maximum number of points in each picture, spread over its edges."},
                    &MatchSettings::features, matching::min_features, matching::max_features, Scale::log),
      whole_setting({.name = "bases",
                     .label = "Bases",
                     .what = "pairs of points of the reference",
                     .argument = "N",
                     .hint =
                         "Pairs of points of the reference. The points' coordinates in each basis go into the table.",
                     .less = {"J", "Half as many bases"},
                     .more = {"K", "Twice as many bases"}},
                    &MatchSettings::bases, 1, matching::max_bases, Scale::log),
      whole_setting({.name = "query_bases",
                     .label = "Query bases",
                     .what = "pairs of points of the query",
                     .argument = "N",
                     .hint = "Pairs of points of the query, which vote for pairs of the reference."},
                    &MatchSettings::query_bases, 1, matching::max_query_bases, Scale::log),
      number_setting({.name = "shortest_basis",
                      .label = "Shortest",
                      .what = "leave out shorter pairs of points, as a share of the picture's shorter side",
                      .argument = "X",
                      .hint = "Bases shorter than this share of the picture's shorter side are left out: their "
                              "coordinates would be too uncertain."},
                     &MatchSettings::shortest_basis, matching::min_basis, matching::max_basis),
      number_setting({.name = "longest_basis",
                      .label = "Longest",
                      .what = "leave out longer pairs of points, as a share of the picture's shorter side",
                      .argument = "X",
                      .hint = "Longer bases are left out: one of their points might be hidden."},
                     &MatchSettings::longest_basis, matching::min_basis, matching::max_basis),
      number_setting({.name = "quantum",
                      .label = "Quantum",
                      .what = "size of a cell, in lengths of the basis",
                      .argument = "X",
                      .hint = "The size of a cell of (u, v), in lengths of the basis. Small cells miss points that "
                              "moved a little; large ones list too many bases."},
                     &MatchSettings::quantum, matching::min_quantum, matching::max_quantum, Scale::log),
      whole_setting({.name = "seed", .label = "Seed", .what = "of the bases"}, &MatchSettings::seed),
      whole_setting({.name = "attempts",
                     .label = "Attempts",
                     .what = "with other bases of the query, until a match is found",
                     .argument = "N",
                     .hint = "Repeats the search with other bases until a match is found."},
                    &MatchSettings::attempts, 1, matching::max_attempts),
  });
  return settings;
}

template <>
std::span<Setting<MatchSceneSettings> const> settings_of()
{
  using Settings = MatchSceneSettings;
  static auto const settings = std::to_array<Setting<Settings>>({
      whole_setting({.name = "frame", .what = "first frame of a video to show"}, &Settings::frame),
      flag_setting({.name = "playing", .what = "whether a video plays"}, &Settings::playing),
      flag_setting({.name = "show_edges"}, &Settings::show_edges),
      flag_setting({.name = "show_points"}, &Settings::show_points),
      flag_setting({.name = "show_overlay", .what = "whether the match is laid over the reference"},
                   &Settings::show_overlay),
      flag_setting({.name = "show_map"}, &Settings::show_map),
      flag_setting({.name = "show_votes"}, &Settings::show_votes),
      flag_setting({.name = "fill_votes", .what = "whether votes fill up row by row"}, &Settings::fill_votes),
      map_setting("map", &Settings::map),
  });
  return settings;
}

namespace {

std::vector<Setting<MatchSetup>> make_settings()
{
  std::vector<Setting<MatchSetup>> settings{source_setting("reference", matching::Side::reference),
                                            source_setting("query", matching::Side::query)};
  add_settings_of_part<QueryPose>(
      settings, [](auto& set_up) -> auto& { return set_up.settings.pose; });
  add_settings_of_part<MatchSettings>(
      settings, [](auto& set_up) -> auto& { return set_up.settings.matching; });
  add_settings_of_part<MatchSceneSettings>(
      settings, [](auto& set_up) -> auto& { return set_up.settings; });
  settings.push_back(cell_setting());
  return settings;
}

}  // namespace

template <>
std::span<Setting<MatchSetup> const> settings_of()
{
  static std::vector<Setting<MatchSetup>> const settings = make_settings();
  return settings;
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
      {translatable("Turned"),
       {"map-1", "map-1"},
       {.turn = 35.0, .scale = 0.8, .shift_x = 30.0, .shift_y = -20.0, .noise = 0.02}},
      {translatable("Enlarged"),
       {"text-1", "text-1"},
       {.turn = -12.0, .scale = 1.6, .shift_x = -40.0, .shift_y = 25.0}},
      {translatable("Half hidden"), {"shapes-1", "shapes-1"}, {.turn = 75.0, .scale = 0.9, .occlusion = 0.3}},
      {translatable("Noisy"), {"map-2", "map-2"}, {.turn = 160.0, .scale = 1.1, .noise = 0.15}},
      {translatable("Unrelated"), {"map-1", "shapes-2"}, {}},
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

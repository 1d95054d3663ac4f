#include "app/scenes/match/command_line.hpp"

#include "app/base/option_text.hpp"
#include "app/scenes/match/picture_source.hpp"
#include "app/scenes/match/scene.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace slotscape {
namespace {

/// Reads a shift such as "12,-7.5".
void read_shift(std::string const& text, QueryPose& pose)
{
  if (text.empty()) { return; }
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::size_t const comma = std::min(text.find(','), text.size());
  std::string_view const after = std::string_view(text).substr(std::min(comma + 1, text.size()));
  double const x = parse_number<double>(std::string_view(text).substr(0, comma)).value_or(none);
  double const y = parse_number<double>(after).value_or(none);
  auto const fits = [](double number) { return std::abs(number) <= max_shift; };
  if (!fits(x) || !fits(y)) {
    throw Error(tr("--shift: '{}' is invalid; it must be two numbers of pixels, such as 12,-7.5", text));
  }
  pose.shift_x = x;
  pose.shift_y = y;
}

}  // namespace

MatchSubcommand::MatchSubcommand(CLI::App& command)
{
  auto const file_of = [this](std::string const& word) { return piped_.file_of(word); };
  command
      .add_option("REFERENCE", reference_,
                  "a picture, a folder of frames, a built-in picture such as map-1, or - for standard input")
      ->transform(file_of);
  command.add_option("QUERY", query_, "what is looked for in it: another one; without it, the reference itself")
      ->transform(file_of);
  matching_.add_to(command);
  pose_.add_to(command);
  command.add_option("--shift", shift_, "move the query by so many pixels")->type_name("X,Y");
  command.add_option("--frame", frame_, "match only this frame of a video, from 1 on")->type_name("N");
}

SceneSetup MatchSubcommand::set_up() const
{
  MatchSetup set_up;
  MatchSceneSettings& settings = set_up.settings;
  matching::MatchSettings& matching = settings.matching;
  if (reference_.empty()) {
    set_up = first_match();
  } else {
    settings.sources[0] = picture_named(reference_);
    settings.sources[1] = query_.empty() ? settings.sources[0] : picture_named(query_);
  }
  matching_.read(matching);
  pose_.read(settings.pose);
  read_shift(shift_, settings.pose);
  if (!frame_.empty()) {
    std::uint32_t frame = 1;
    read_whole("--frame", frame_, 1, std::numeric_limits<std::uint32_t>::max(), frame);
    std::size_t const frames =
        std::max(frames_of_picture(settings.sources[0]).size(), frames_of_picture(settings.sources[1]).size());
    if (frame > frames) {
      throw Error(tr_plural("--frame {}: there is {} frame; choose one from 1 to {}",
                            "--frame {}: there are {} frames; choose one from 1 to {}", frames, frame, frames, frames));
    }
    settings.frame = frame - 1;
    settings.playing = false;
  }
  matching::validate(matching);
  return set_up;
}

void MatchSubcommand::write_outputs(Scene& scene) const
{
  // The entry creates both the scene and the subcommand.
  auto& match = static_cast<MatchScene&>(scene);
  fmt::print("{:<10} {}\n", "match", match.verdict());
  auto const& video = match.state().video;
  auto const count = match.state().count_video();
  if (video.size() > 1) { fmt::print("{:<10} found in {} of {}\n", "frames", count.found, count.matched); }
  std::fflush(stdout);
  if (count.unreadable.empty()) { return; }
  std::uint64_t const unreadable = count.unreadable.size();
  throw Error(tr_plural("{} of {} frames cannot be read: {}. The output covers the others.",
                        "{} of {} frames cannot be read, the first of them {}. The output covers the others.",
                        unreadable, unreadable, video.size(), count.unreadable.front()->file));
}

}  // namespace slotscape

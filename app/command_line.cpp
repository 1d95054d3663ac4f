#include "app/command_line.hpp"

#include "app/files/nearest.hpp"
#include "app/files/number.hpp"
#include "app/scenario/names.hpp"
#include "gpu/error.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace slotscape {

namespace {

constexpr int most_frames = 1'000'000;
constexpr int smallest_width = 320;
constexpr int smallest_height = 240;
constexpr int largest_side = 16384;

/// The options as they were typed.
struct Typed {
  std::string backend = "auto";
  std::string present = "auto";
  std::string seed;
  std::string size;
  std::string config;
  std::string scenario;
  std::string frames;
  std::string screenshot;
  std::string stats;
  std::string csv;
  std::string record;
  bool headless = false;
  TypedSpatialOptions spatial;
};

void add_common_options(CLI::App& app, Typed& typed)
{
  app.add_option("--backend", typed.backend, "where the table lives: auto, cuda or cpu")->type_name("BACKEND");
  app.add_option("--present", typed.present, "how pictures reach OpenGL: auto, interop or staging")->type_name("PATH");
  app.add_option("--seed", typed.seed, "seed of the keys, or of the points; overrides that of the scenario")
      ->type_name("N");
  app.add_option("--size", typed.size, "of the window or picture in pixels, such as 1600x1000")->type_name("WxH");
  app.add_option("--config", typed.config, "settings file in place of the one under XDG_CONFIG_HOME")
      ->type_name("FILE");
  app.set_version_flag("--version", "slotscape " SLOTSCAPE_VERSION, "print the version");
}

/// Of the commands that draw.
void add_output_options(CLI::App& command, Typed& typed)
{
  command.fallthrough();
  command.footer("The options of slotscape --help (--backend, --present, --seed, --size, --config) work here too.");
  command.add_flag("--headless", typed.headless, "draw offscreen, without a window");
  command.add_option("--frames", typed.frames, "frames to draw, once a scenario's steps are done (headless)")
      ->type_name("N");
  command.add_option("--screenshot", typed.screenshot, "write the last picture")->type_name("OUT.png");
  command.add_option("--stats", typed.stats, "write the statistics of the end state")->type_name("OUT.json");
  command.add_option("--csv", typed.csv, "write the statistics as tables into a folder")->type_name("DIR");
  command.add_option("--record", typed.record, "write every frame into a folder, as numbered PNGs")->type_name("DIR");
}

CLI::App* add_run(CLI::App& app, Typed& typed)
{
  CLI::App* const run = app.add_subcommand("run", "run a scenario, in the window or with --headless offscreen");
  run->add_option("SCENARIO.json", typed.scenario, "the scenario to run");
  add_output_options(*run, typed);
  return run;
}

CLI::App* add_spatial(CLI::App& app, Typed& typed)
{
  CLI::App* const spatial = app.add_subcommand("spatial", "two moving models, voxelised, hashed and intersected");
  typed.spatial.add_to(*spatial);
  add_output_options(*spatial, typed);
  return spatial;
}

template <class Enum>
Enum parse_choice(std::string_view option, std::string const& text)
{
  if (auto const value = from_text<Enum>(text)) { return *value; }
  throw Error(fmt::format("{}: '{}' is unknown; {}", option, text, suggest(text, enum_texts<Enum>())));
}

std::uint64_t parse_seed(std::string const& text)
{
  auto const seed = parse_number<std::uint64_t>(text);
  if (!seed) {
    throw Error(fmt::format("--seed: '{}' is wrong; it must be a whole number from 0 to 18446744073709551615", text));
  }
  return *seed;
}

int parse_frames(std::string const& text)
{
  auto const frames = parse_number<int>(text);
  if (!frames || *frames < 1 || *frames > most_frames) {
    throw Error(fmt::format("--frames: '{}' is wrong; it must be a whole number from 1 to {}", text, most_frames));
  }
  return *frames;
}

void parse_size(std::string const& text, Options& options)
{
  std::size_t const cross = std::min(text.find('x'), text.size());
  auto const width = parse_number<int>(std::string_view(text).substr(0, cross));
  auto const height = parse_number<int>(std::string_view(text).substr(std::min(cross + 1, text.size())));
  bool const fits = width && height && *width >= smallest_width && *height >= smallest_height &&
                    *width <= largest_side && *height <= largest_side;
  if (!fits) {
    throw Error(fmt::format("--size: '{}' is wrong; it must be WIDTHxHEIGHT from {}x{} to {}x{}, such as 1600x1000",
                            text, smallest_width, smallest_height, largest_side, largest_side));
  }
  options.width = *width;
  options.height = *height;
  options.size_given = true;
}

/// What is said about an option that is none here.
[[noreturn]] void refuse_option(CLI::App const& app, CLI::App const* command, CLI::App const& run,
                                CLI::App const& spatial, std::string const& name)
{
  if (command == nullptr && run.get_option_no_throw(name) != nullptr) {
    throw Error(fmt::format("{} belongs to a scenario: slotscape run SCENARIO.json {}", name, name));
  }
  if (command != &spatial && spatial.get_option_no_throw(name) != nullptr) {
    throw Error(fmt::format("{} belongs to spatial hashing: slotscape spatial {}", name, name));
  }
  std::vector<std::string> names;
  for (CLI::App const* const part : {&app, command}) {
    if (part == nullptr) { continue; }
    for (CLI::Option const* const option : part->get_options()) { names.push_back(option->get_name()); }
  }
  std::vector<std::string_view> const candidates(names.begin(), names.end());
  std::string_view const near = nearest(name, candidates);
  throw Error(fmt::format("{}: there is no such option{}; see slotscape --help", name,
                          near.empty() ? "" : fmt::format(", did you mean {}?", near)));
}

/// What is said about a word that is no option or command here.
[[noreturn]] void refuse_extra(CLI::App const& app, CLI::App const& run, CLI::App const& spatial,
                               std::string const& word)
{
  CLI::App const* const command = app.got_subcommand(&run) ? &run : app.got_subcommand(&spatial) ? &spatial : nullptr;
  std::string const name = word.substr(0, word.find('='));
  if (name.starts_with('-')) { refuse_option(app, command, run, spatial, name); }
  if (command == &run) { throw Error(fmt::format("'{}' is one word too many: run takes one scenario", word)); }
  if (command == &spatial) { throw Error(fmt::format("'{}' is one word too many: spatial takes two models", word)); }
  bool const file = word.find_first_of("./") != std::string::npos;
  throw Error(
      file ? fmt::format("'{}' is no command; to run a scenario: slotscape run {}", word, word)
           : fmt::format("'{}' is no command; the commands are run, spatial and devices, see slotscape --help", word));
}

void check_given(CLI::App const& app)
{
  for (CLI::Option const* const option : app.get_options()) {
    for (std::string const& value : option->results()) {
      if (!value.empty()) { continue; }
      throw Error(fmt::format("{}: its value is empty; see slotscape --help", option->get_name()));
    }
  }
}

Options interpret(Typed const& typed, Command command)
{
  Options options;
  options.command = command;
  options.backend = parse_choice<BackendChoice>("--backend", typed.backend);
  options.present = parse_choice<PresentChoice>("--present", typed.present);
  if (!typed.seed.empty()) { options.seed = parse_seed(typed.seed); }
  if (!typed.size.empty()) { parse_size(typed.size, options); }
  if (!typed.frames.empty()) { options.frames = parse_frames(typed.frames); }
  options.config = typed.config;
  options.scenario = typed.scenario;
  options.headless = typed.headless;
  options.screenshot = typed.screenshot;
  options.stats = typed.stats;
  options.csv = typed.csv;
  options.record = typed.record;
  if (command == Command::run && typed.scenario.empty()) {
    throw Error("run needs a scenario: slotscape run SCENARIO.json");
  }
  if (command == Command::spatial) {
    options.spatial = typed.spatial.interpret();
    if (options.seed) { options.spatial.settings.seed = *options.seed; }
  }
  return options;
}

}  // namespace

std::optional<Options> parse_command_line(int argc, char const* const* argv)
{
  Typed typed;
  CLI::App app{"Slotscape, a live microscope for GPU hash tables. Without a command it opens the window.", "slotscape"};
  add_common_options(app, typed);
  CLI::App const* const run = add_run(app, typed);
  CLI::App const* const spatial = add_spatial(app, typed);
  CLI::App const* const devices =
      app.add_subcommand("devices", "list what there is, and what 'auto' picks and why")->fallthrough();
  app.require_subcommand(0, 1);
  try {
    app.parse(argc, argv);
  } catch (CLI::Success const& asked) {
    app.exit(asked);
    return std::nullopt;
  } catch (CLI::ExtrasError const&) {
    refuse_extra(app, *run, *spatial, app.remaining(true).front());
  } catch (CLI::ParseError const& error) {
    throw Error(fmt::format("{}; see slotscape --help", error.what()));
  }
  check_given(app);
  check_given(*run);
  check_given(*spatial);
  Command command = Command::window;
  if (app.got_subcommand(run)) { command = Command::run; }
  if (app.got_subcommand(spatial)) { command = Command::spatial; }
  if (app.got_subcommand(devices)) { command = Command::devices; }
  return interpret(typed, command);
}

}  // namespace slotscape

#include "app/cli/command_line.hpp"

#include "app/base/files.hpp"
#include "app/base/option_text.hpp"
#include "app/base/text.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

namespace slotscape {

namespace {

constexpr int max_frames = 1'000'000;
constexpr gl::Size smallest_slide{smallest_slide_side, smallest_slide_side};
constexpr gl::Size largest_slide{largest_slide_side, largest_slide_side};

struct Typed {
  std::string backend = "auto";
  std::string device;
  std::string present = "auto";
  std::string seed;
  std::string size;
  std::string theme;
  std::string language;
  std::string config;
  std::string log_frames;
  std::string opened;
  std::string scenario;
  std::string frames;
  std::string screenshot;
  std::string slide;
  std::string slide_size;
  std::string slide_scale;
  std::string slide_background;
  std::string stats;
  std::string csv;
  std::string save_setup;
  std::string record;
  bool headless = false;
  bool any_files = false;
  Reach reach() const { return any_files ? Reach::anywhere : Reach::folder; }
};

/// "auto, cuda or cpu".
template <class Enum>
std::string choices_of()
{
  std::vector<std::string_view> const texts = enum_texts<Enum>();
  return listed({texts.begin(), texts.end()}, "or");
}

std::string size_text(gl::Size size)
{
  return fmt::format("{}x{}", size.width, size.height);
}

void add_common_options(CLI::App& app, Typed& typed)
{
  app.add_option("--backend", typed.backend, "where tables run: " + choices_of<BackendChoice>())->type_name("BACKEND");
  app.add_option("--device", typed.device,
                 "which CUDA device to use, by its number in 'slotscape devices'; several, such as 0,1: a table in "
                 "shards lies on them")
      ->type_name("LIST");
  app.add_option("--present", typed.present, "how pictures reach OpenGL: " + choices_of<PresentChoice>())
      ->type_name("PATH");
  app.add_option("--seed", typed.seed, "seed of the keys or points; overrides the scenario's")->type_name("N");
  app.add_option("--size", typed.size,
                 fmt::format("size of the window or picture in pixels: {} to {}", size_text(smallest_window),
                             size_text(largest_window)))
      ->type_name("WxH");
  app.add_option("--theme", typed.theme, "theme of the window: " + choices_of<Background>())->type_name("THEME");
  app.add_option("--language", typed.language, "language of the program: en, de, or a catalogue of your own")
      ->type_name("LANGUAGE");
  app.add_option("--config", typed.config, "settings file to use instead of the default")->type_name("FILE");
  app.add_option("--log-frames", typed.log_frames, "write a line for each frame of the window")->type_name("FILE");
  app.add_flag("--any-files", typed.any_files, "let scenarios, lessons and workloads name files outside their folders");
  app.add_option("FILE", typed.opened,
                 "a file to open in the window: a scenario, a lesson, keys, a model, sites, a picture or a table");
  app.set_version_flag("--version", "slotscape " SLOTSCAPE_VERSION, "print the version");
}

/// Adds the options of all commands that draw.
void add_output_options(CLI::App& command, Typed& typed)
{
  command.fallthrough();
  command.footer(
      "The options of slotscape --help (--backend, --device, --present, --seed, --size, --theme, "
      "--language, --config, "
      "--log-frames, --any-files) "
      "work here too.");
  command.add_flag("--headless", typed.headless, "draw offscreen, without a window");
  command
      .add_option("--frames", typed.frames,
                  fmt::format("frames to draw after the scenario's steps (headless): 1 to {}", max_frames))
      ->type_name("N");
  command.add_option("--screenshot", typed.screenshot, "write the last frame")->type_name("OUT.png");
  command.add_option("--slide", typed.slide, "write what is on the canvas, without panels: OUT.png or OUT.svg")
      ->type_name("OUT");
  command
      .add_option("--slide-size", typed.slide_size,
                  fmt::format("size of the slide in pixels: {} to {}", size_text(smallest_slide),
                              size_text(largest_slide)))
      ->type_name("WxH");
  command
      .add_option("--slide-scale", typed.slide_scale,
                  fmt::format("scale of the slide's text and lines: {} to {}", smallest_slide_scale,
                              largest_slide_scale))
      ->type_name("X");
  command
      .add_option("--slide-background", typed.slide_background, "background of the slide: " + choices_of<Background>())
      ->type_name("SHADE");
  command.add_option("--stats", typed.stats, "write the final statistics")->type_name("OUT.json");
  command.add_option("--csv", typed.csv, "write the final statistics as CSV files into a folder")->type_name("DIR");
  command.add_option("--save-setup", typed.save_setup, "write a scenario that brings back what is shown at the end")
      ->type_name("OUT.json");
  command
      .add_option("--record", typed.record,
                  "write every frame into a folder, as numbered PNGs, or into a film: FILE.mp4, "
                  ".webm or .gif")
      ->type_name("DIR");
}

CLI::App* add_run(CLI::App& app, Typed& typed)
{
  CLI::App* const run = app.add_subcommand("run", "run a scenario, in the window or offscreen with --headless");
  run->add_option("SCENARIO.json", typed.scenario, "the scenario to run");
  add_output_options(*run, typed);
  return run;
}

struct SceneCommand {
  SceneEntry const* scene;
  CLI::App* command;
  std::shared_ptr<Subcommand> options;
};

std::vector<SceneCommand> add_scene_commands(CLI::App& app, SceneList scenes, Typed& typed)
{
  std::vector<SceneCommand> commands;
  for (SceneEntry const& scene : scenes) {
    if (!scene.add_subcommand) { continue; }
    CLI::App* const command = app.add_subcommand(std::string(scene.name), std::string(scene.subcommand));
    commands.push_back({&scene, command, scene.add_subcommand(*command)});
    add_output_options(*command, typed);
  }
  return commands;
}

/// The output files of a scene, as options of 'run'.
struct RunFiles {
  SceneEntry const* scene;
  std::shared_ptr<SceneFiles> files;
};

std::vector<RunFiles> add_run_files(CLI::App& run, SceneList scenes)
{
  std::vector<RunFiles> files;
  for (SceneEntry const& scene : scenes) {
    if (scene.add_files) { files.push_back({&scene, scene.add_files(run)}); }
  }
  return files;
}

std::uint64_t parse_seed(std::string const& text)
{
  auto const seed = parse_number<std::uint64_t>(text);
  if (!seed) {
    throw Error(tr("--seed: '{}' is invalid; it must be a whole number from 0 to 18446744073709551615", text));
  }
  return *seed;
}

std::vector<int> parse_devices(std::string const& text, BackendChoice backend)
{
  if (backend == BackendChoice::cpu) {
    throw Error(tr("--device chooses a GPU, but --backend cpu uses none: leave one of them out"));
  }
  std::vector<int> devices;
  std::istringstream words(text + ',');
  for (std::string word; std::getline(words, word, ',');) {
    auto const number = parse_number<int>(word);
    if (!number || *number < 0 || std::ranges::find(devices, *number) != devices.end()) {
      throw Error(tr(
          "--device: '{}' is invalid; it must be a number from 'slotscape devices', or several different ones, such as "
          "0,1",
          text));
    }
    devices.push_back(*number);
  }
  return devices;
}

int parse_frames(std::string const& text)
{
  auto const frames = parse_number<int>(text);
  if (!frames || *frames < 1 || *frames > max_frames) {
    throw Error(tr("--frames: '{}' is invalid; it must be a whole number from 1 to {}", text, max_frames));
  }
  return *frames;
}

gl::Size parse_size(std::string_view option, std::string const& text, gl::Size smallest, gl::Size largest)
{
  std::size_t const cross = std::min(text.find('x'), text.size());
  auto const width = parse_number<int>(std::string_view(text).substr(0, cross));
  auto const height = parse_number<int>(std::string_view(text).substr(std::min(cross + 1, text.size())));
  bool const fits = width && height && *width >= smallest.width && *height >= smallest.height &&
                    *width <= largest.width && *height <= largest.height;
  if (!fits) {
    throw Error(tr("{}: '{}' is invalid; it must be WIDTHxHEIGHT from {} to {}, such as 1600x1000", option, text,
                   size_text(smallest), size_text(largest)));
  }
  return {*width, *height};
}

double parse_slide_scale(std::string const& text)
{
  auto const scale = parse_number<double>(text);
  if (!scale || *scale < smallest_slide_scale || *scale > largest_slide_scale) {
    throw Error(tr("--slide-scale: '{}' is invalid; it must be a number from {} to {}", text, smallest_slide_scale,
                   largest_slide_scale));
  }
  return *scale;
}

void interpret_slide(Typed const& typed, Options& options)
{
  bool const shaped = !typed.slide_size.empty() || !typed.slide_scale.empty() || !typed.slide_background.empty();
  if (shaped && typed.slide.empty()) {
    throw Error(tr("--slide-size, --slide-scale and --slide-background describe a slide: add --slide OUT.png"));
  }
  options.slide = typed.slide;
  std::string const ending = extension_of(options.slide);
  if (!typed.slide.empty() && ending != ".png" && ending != ".svg") {
    throw Error(tr("--slide: '{}' is invalid; its name must end in .png or .svg", typed.slide));
  }
  if (!typed.slide_size.empty()) {
    gl::Size const size = parse_size("--slide-size", typed.slide_size, smallest_slide, largest_slide);
    options.slide_settings.width = size.width;
    options.slide_settings.height = size.height;
  }
  if (!typed.slide_scale.empty()) { options.slide_settings.scale = parse_slide_scale(typed.slide_scale); }
  if (!typed.slide_background.empty()) {
    options.slide_settings.background = parse_choice<Background>("--slide-background", typed.slide_background);
  }
}

/// The parser and its subcommands, to explain an unexpected argument.
struct Commands {
  CLI::App const& app;
  CLI::App const& run;
  std::vector<SceneCommand> const& scenes;
  LessonCommand const& lessons;
  BenchCommand const& bench;
  TuneCommand const& tune;
  ServeCommand const& serve;

  /// The subcommand that was given; null if none.
  CLI::App const* given() const
  {
    if (app.got_subcommand(&run)) { return &run; }
    if (app.got_subcommand(&serve.command())) { return &serve.command(); }
    for (SceneCommand const& scene : scenes) {
      if (app.got_subcommand(scene.command)) { return scene.command; }
    }
    if (lessons.given() != nullptr) { return lessons.given(); }
    if (app.got_subcommand(&tune.command())) { return &tune.command(); }
    if (app.got_subcommand(&bench.command())) { return bench.given() == nullptr ? &bench.command() : bench.given(); }
    return nullptr;
  }
};

[[noreturn]] void refuse_option(Commands const& commands, std::string const& name)
{
  CLI::App const* const given = commands.given();
  if (given == nullptr && commands.run.get_option_no_throw(name) != nullptr) {
    throw Error(tr("{} needs a scenario: slotscape run SCENARIO.json {}", name, name));
  }
  for (SceneCommand const& scene : commands.scenes) {
    if (given != scene.command && scene.command->get_option_no_throw(name) != nullptr) {
      std::string_view const command = scene.scene->name;
      throw Error(tr("{} is an option of '{}': slotscape {} {}", name, command, command, name));
    }
  }
  std::vector<std::string> names;
  for (CLI::App const* const part : {&commands.app, given}) {
    if (part == nullptr) { continue; }
    for (CLI::Option const* const option : part->get_options()) { names.push_back(option->get_name()); }
  }
  std::vector<std::string_view> const candidates(names.begin(), names.end());
  std::string_view const near = nearest(name, candidates);
  throw Error(near.empty() ? tr("unknown option {}; see slotscape --help", name)
                           : tr("unknown option {}; did you mean {}? Or see slotscape --help", name, near));
}

/// "run, serve, spatial, lesson, lecture, bench, tune and devices"
std::string command_names(Commands const& commands)
{
  std::string names = "run, serve";
  for (SceneCommand const& scene : commands.scenes) { names += fmt::format(", {}", scene.scene->name); }
  return tr("{}, lesson, lecture, bench, tune and devices", names);
}

/// Whether the window opens a word given in place of a command. It reports a missing scenario itself, as the word may
/// come from the desktop.
bool opens(std::string const& word)
{
  std::error_code unreadable;
  std::filesystem::path const file(word);
  return extension_of(file) == ".json" ||
         (std::filesystem::exists(file, unreadable) && !std::filesystem::is_directory(file, unreadable));
}

/// The full name of a nested subcommand: "bench tables".
std::string full_name(CLI::App const& command)
{
  CLI::App const* const parent = command.get_parent();
  bool const nested = parent != nullptr && parent->get_parent() != nullptr;
  return nested ? fmt::format("{} {}", parent->get_name(), command.get_name()) : command.get_name();
}

[[noreturn]] void refuse_extra(Commands const& commands, std::string const& word)
{
  std::string const name = word.substr(0, word.find('='));
  if (name.starts_with('-')) { refuse_option(commands, name); }
  if (CLI::App const* const given = commands.given()) {
    throw Error(tr("unexpected argument '{}'; see slotscape {} --help", word, full_name(*given)));
  }
  if (opens(word)) {
    throw Error(tr("unexpected argument '{}'; slotscape opens one file at a time. Drop several on its window.", word));
  }
  std::error_code unreadable;
  if (std::filesystem::is_directory(word, unreadable)) { throw Error(tr("'{}' is a folder: name a file in it", word)); }
  bool const file = word.find_first_of("./") != std::string::npos;
  if (file) {
    throw Error(
        tr("'{}' is not a command, and there is no such file; to run a scenario of the program: slotscape run {}", word,
           word));
  }
  throw Error(tr("'{}' is not a command; the commands are {} (see slotscape --help)", word, command_names(commands)));
}

/// Explains an error of the parser itself.
[[noreturn]] void refuse(Commands const& commands, CLI::ParseError const& error)
{
  if (dynamic_cast<CLI::ExtrasError const*>(&error) != nullptr) {
    refuse_extra(commands, commands.app.remaining(true).front());
  }
  std::string const what = error.what();
  bool const is_count = dynamic_cast<CLI::ArgumentMismatch const*>(&error) != nullptr;
  std::size_t const end_of_name = what.find(": ");
  if (!is_count || end_of_name == std::string::npos) { throw Error(tr("{}; see slotscape --help", what)); }
  std::string const name = what.substr(0, end_of_name);
  bool const is_repeated = what.find(": At Most 1 required") == end_of_name;
  throw Error(is_repeated ? tr("{} was given more than once; give it once", name)
                          : tr("{}: the value is missing; see slotscape --help", name));
}

/// The options that decide the language of further messages; other words may be invalid.
Options said_of_language(Commands const& commands, bool lists_devices)
{
  auto const typed = [&](char const* option) {
    std::vector<std::string> const& words = commands.app.get_option(option)->results();
    return words.empty() ? std::string() : words.back();
  };
  Options options;
  options.language = typed("--language");
  options.config = typed("--config");
  bool const is_bench = commands.app.got_subcommand(&commands.bench.command());
  bool const is_tune = commands.app.got_subcommand(&commands.tune.command());
  options.verb = lists_devices ? Verb::devices : is_bench ? Verb::bench : is_tune ? Verb::tune : Verb::window;
  return options;
}

void check_given(CLI::App const& app)
{
  for (CLI::Option const* const option : app.get_options()) {
    for (std::string const& value : option->results()) {
      if (!value.empty()) { continue; }
      throw Error(tr("{}: the value is empty; see slotscape --help", option->get_name()));
    }
  }
}

Options interpret(Typed const& typed, Verb verb)
{
  Options options;
  options.verb = verb;
  options.backend = parse_choice<BackendChoice>("--backend", typed.backend);
  if (!typed.device.empty()) { options.devices = parse_devices(typed.device, options.backend); }
  options.present = parse_choice<PresentChoice>("--present", typed.present);
  if (!typed.seed.empty()) { options.seed = parse_seed(typed.seed); }
  if (!typed.size.empty()) {
    gl::Size const size = parse_size("--size", typed.size, smallest_window, largest_window);
    options.width = size.width;
    options.height = size.height;
    options.size_given = true;
  }
  if (!typed.theme.empty()) { options.theme = parse_choice<Background>("--theme", typed.theme); }
  if (!typed.frames.empty()) { options.frames = parse_frames(typed.frames); }
  options.language = typed.language;
  options.config = typed.config;
  options.log_frames = typed.log_frames;
  options.scenario = verb == Verb::open ? typed.opened : typed.scenario;
  options.reach = typed.reach();
  options.headless = typed.headless;
  options.screenshot = typed.screenshot;
  interpret_slide(typed, options);
  options.stats = typed.stats;
  options.csv = typed.csv;
  options.save_setup = typed.save_setup;
  options.record = typed.record;
  if (verb == Verb::run && typed.scenario.empty()) {
    throw Error(tr("run needs a scenario: slotscape run SCENARIO.json"));
  }
  return options;
}

/// Interprets a command that reads its own options; `given` is the parser that holds them, null if none was given.
template <class Member, class Command>
Options interpret(Typed const& typed, Verb verb, Member Options::*member, std::shared_ptr<Command> const& command,
                  CLI::App const* given)
{
  if (given != nullptr) { check_given(*given); }
  if constexpr (requires { command->reach; }) { command->reach = typed.reach(); }
  command->interpret();
  Options options = interpret(typed, verb);
  options.*member = command;
  return options;
}

/// Adds the files that a scene of the scenario is to write, if any were requested.
Options with_files(Options options, std::vector<RunFiles> const& run_files)
{
  for (RunFiles const& each : run_files) {
    if (!each.files->are_asked_for()) { continue; }
    options.scene = each.scene;
    options.scene_files = each.files;
  }
  return options;
}

}  // namespace

std::optional<Options> parse_command_line(int argc, char const* const* argv, SceneList scenes,
                                          TimeFrames const& time_frames, ChooseLanguage const& choose_language)
{
  Typed typed;
  CLI::App app{"Slotscape, a live microscope for GPU hash tables. Without a command, it opens the window.",
               "slotscape"};
  add_common_options(app, typed);
  CLI::App* const run = add_run(app, typed);
  std::vector<RunFiles> const run_files = add_run_files(*run, scenes);
  std::vector<SceneCommand> const scene_commands = add_scene_commands(app, scenes, typed);
  CLI::App const* const devices =
      app.add_subcommand("devices", "list the devices, what 'auto' picks, and why")->fallthrough();
  auto const lesson = std::make_shared<LessonCommand>(app);
  auto const bench = std::make_shared<BenchCommand>(app, time_frames);
  auto const tune = std::make_shared<TuneCommand>(app);
  auto const serve = std::make_shared<ServeCommand>(app, typed.scenario, typed.stats);
  app.require_subcommand(0, 1);
  Commands const commands{app, *run, scene_commands, *lesson, *bench, *tune, *serve};
  auto const choose = [&] {
    if (choose_language) { choose_language(said_of_language(commands, app.got_subcommand(devices))); }
  };
  try {
    app.parse(argc, argv);
  } catch (CLI::Success const& asked) {
    app.exit(asked);
    return std::nullopt;
  } catch (CLI::ParseError const& error) {
    choose();
    refuse(commands, error);
  }
  choose();
  check_given(app);
  check_given(*run);
  bool const alone = app.get_subcommands().empty();
  if (!typed.opened.empty() && !(alone && opens(typed.opened))) { refuse_extra(commands, typed.opened); }
  if (app.got_subcommand(run)) { return with_files(interpret(typed, Verb::run), run_files); }
  if (app.got_subcommand(devices)) { return interpret(typed, Verb::devices); }
  if (lesson->given() != nullptr) { return interpret(typed, Verb::lesson, &Options::lesson, lesson, lesson->given()); }
  if (app.got_subcommand(&tune->command())) {
    return interpret(typed, Verb::tune, &Options::tune, tune, &tune->command());
  }
  if (app.got_subcommand(&serve->command())) {
    return interpret(typed, Verb::serve, &Options::serve, serve, &serve->command());
  }
  if (app.got_subcommand(&bench->command())) {
    return interpret(typed, Verb::bench, &Options::bench, bench, bench->given());
  }
  for (SceneCommand const& scene : scene_commands) {
    check_given(*scene.command);
    if (!app.got_subcommand(scene.command)) { continue; }
    Options options = interpret(typed, Verb::scene);
    options.scene = scene.scene;
    options.subcommand = scene.options;
    options.scene_files = scene.options;
    options.subcommand->set_up();  // reports an invalid option now
    return options;
  }
  return interpret(typed, typed.opened.empty() ? Verb::window : Verb::open);
}

}  // namespace slotscape

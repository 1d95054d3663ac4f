#include "app/scenes/watch/command_line.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/json.hpp"
#include "app/base/option_text.hpp"
#include "app/base/text.hpp"
#include "app/scenes/watch/listing.hpp"
#include "app/scenes/watch/settings.hpp"
#include "app/watch/dump.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/watch/description.hpp"
#include "gpu/watch/live.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace slotscape {

namespace fs = std::filesystem;

WatchSubcommand::WatchSubcommand(CLI::App& command)
{
  command.alias("open");
  command.add_option("TABLE", tables_,
                     "what a running program calls its table, or the files of a dump: .npy, .npz or raw bytes; "
                     "without it and other options, the tables that running programs show are listed");
  command.add_option("--layout", layout_, "the description of a dump; without it, that beside it: TABLE.layout.json")
      ->type_name("FILE.json");
  command.add_option("--preset", preset_, "a library's table instead: cuco::static_map, warpcore, bght ...")
      ->type_name("NAME");
  command.add_option("--slots", slots_, "how many slots a dump has, if its file does not say it")->type_name("N");
  Setting<ViewSettings> color = setting_named<ViewSettings>("color_by");
  color.range.texts.pop_back();  // chain lengths exist only in families with heads
  command.add_option("--color-by", color_by_, help_of(color.text, color.range) + "; recent of a running table")
      ->type_name("WHAT");
  command.add_option("--json", json_, "write the list of what running programs show")->type_name("OUT.json");
  command.callback([this, &command] {
    bool const is_alone = std::ranges::all_of(command.get_options(), [](CLI::Option const* option) {
      return option->count() == 0 || option->get_name() == "--json";
    });
    if (!is_alone) { return; }
    list();
    throw CLI::Success();
  });
}

void WatchSubcommand::list() const
{
  std::vector<watch::Announced> const tables = watch::announced();
  fmt::print("{}", list_of(tables));
  if (json_.empty()) { return; }
  write_text_file(json_, format_json(json_of(tables)));
  fmt::print("JSON       {}\n", json_);
}

SceneSetup WatchSubcommand::set_up() const
{
  WatchSetup set_up;
  WatchSettings& settings = set_up.settings;
  setting_named<ViewSettings>("color_by").type("--color-by", color_by_, settings.view);
  if (!json_.empty()) {
    throw Error(tr("--json writes the list of all tables that running programs show: slotscape watch --json OUT.json"));
  }
  std::error_code unreadable;
  bool const is_file = !tables_.empty() && (fs::exists(tables_.front(), unreadable) ||
                                            watch::is_dump(tables_.front()) || tables_.size() > 1);
  if (!is_file) {
    bool const describes = !layout_.empty() || !preset_.empty() || !slots_.empty();
    if (describes) {
      throw Error(tr("--layout, --preset and --slots describe a dump, but none is given: slotscape open TABLE.npy"));
    }
    if (!tables_.empty()) { settings.running = tables_.front(); }
    return set_up;
  }
  for (std::string const& table : tables_) {
    fs::path const file = fs::absolute(table).lexically_normal();
    if (!fs::is_regular_file(file, unreadable)) { throw Error(tr("There is no file {}.", table)); }
    settings.files.push_back(path_text(file));
  }
  if (!layout_.empty()) {
    settings.layout = read_layout(layout_);
    settings.layout_name = layout_;
  } else if (fs::path const beside = layout_beside(path_of_text(settings.files.front()));
             !beside.empty() && preset_.empty()) {
    settings.layout = read_layout(beside);
    settings.layout_name = path_text(beside.filename());
  }
  if (!preset_.empty()) { settings.layout["preset"] = std::string(watch::preset_named(preset_).name); }
  if (!slots_.empty()) {
    std::uint64_t slots = 0;
    read_whole("--slots", slots_, 1, ~std::uint64_t{0}, slots);
    settings.layout["slots"] = slots;
  }
  if (settings.layout.empty()) {
    throw Error(tr("The layout of {} is not known: add --layout FILE.json or --preset NAME.", tables_.front()));
  }
  return set_up;
}

}  // namespace slotscape

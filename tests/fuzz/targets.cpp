#include "tests/fuzz/targets.hpp"

#include "app/base/catalogue.hpp"
#include "app/base/catalogue_json.hpp"
#include "app/base/encoding.hpp"
#include "app/base/npy.hpp"
#include "app/clouds/readers/readers.hpp"
#include "app/clouds/write_ply.hpp"
#include "app/keys/files/key_file.hpp"
#include "app/keys/typed_keys.hpp"
#include "app/lessons/lesson.hpp"
#include "app/lessons/rich_text.hpp"
#include "app/pictures/picture_file.hpp"
#include "app/registry/scenes.hpp"
#include "app/scene/scenario.hpp"
#include "app/serve/messages.hpp"
#include "app/shell/settings_file.hpp"
#include "app/tuning/workload.hpp"
#include "app/watch/description_json.hpp"
#include "app/watch/dump.hpp"
#include "app/web/grade.hpp"
#include "gpu/watch/live_packets.hpp"
#include "gpu/watch/watched_table.hpp"
#include "tests/fuzz/read_clouds.hpp"
#include "tests/fuzz/scratch.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

#include "tests/support/paths.hpp"

namespace slotscape::fuzz {
namespace {

namespace fs = std::filesystem;

// --- arrays, pictures and keys

void read_picture(std::string_view bytes)
{
  matching::Picture const picture = pictures::read_picture(in_file("picture", bytes)).picture;
  std::uint64_t const pixels = std::uint64_t{picture.width} * picture.height;
  require(pixels == picture.pixels.size() && pixels <= matching::max_pixels, "a picture has as many pixels as it says");
}

void read_array(std::string_view bytes)
{
  fs::path const file = in_file("array.npy", bytes);
  NpyColumns const array = read_npy_columns(file);
  for (NpyColumn const& column : array.columns) {
    require(is_utf8(column.name), "a column's name is text");
    if (array.rows == 0) { continue; }
    for (std::uint64_t const row : {std::uint64_t{0}, array.rows - 1}) {
      require(array.value(column, row).size() == column.bytes, "a value has the bytes of its column");
    }
  }
  NpyRows const table = read_npy(file);
  NpyRows const again = read_npy(in_file("again.npy", npy_of(table.numbers, {table.rows, table.columns})));
  require(again.rows == table.rows && again.columns == table.columns && again.numbers == table.numbers,
          "whole numbers that were written are read again");
}

template <char const* name>
void read_key_file(std::string_view bytes)
{
  fs::path const file = in_file(name, bytes);
  auto const read = [&](KeyReading const& reading) {
    key_files::MadeKeys const made = key_files::read(file, reading);
    require(made.keys.size() <= bytes.size() + 1, "each key takes a byte");
  };
  has_keys(file);
  std::string const likely = likely_key_column(file);
  std::vector<std::string> const columns = key_columns(file);
  require(likely.empty() || std::ranges::find(columns, likely) != columns.end(), "a likely column is a column");
  if (!columns.empty()) { read({.column = likely.empty() ? columns.front() : likely, .as_text = true}); }
  read({.column = likely});
}
constexpr char plain_keys[] = "keys.txt";
constexpr char separated_keys[] = "keys.csv";
constexpr char binary_keys[] = "keys.u64";

// --- documents

void read_json(std::string_view bytes)
{
  Json const document = parse_json(std::string(bytes), "document");
  std::string const text = format_json(document);
  Json const again = parse_json(text, "again");
  require(format_json(again) == text, "JSON that was written is read again");
}

void read_scenario(std::string_view bytes)
{
  auto const parse = [](std::string const& text) { return parse_scenario(scenes(), text, "scenario", scratch()); };
  std::string const text = format_scenario(parse(std::string(bytes)), scratch());
  require(format_scenario(parse(text), scratch()) == text, "a scenario that was written is read again");
}

void read_lesson(std::string_view bytes)
{
  auto const find = [](JsonNode const& name) { return name.file(); };
  lessons::Lesson const lesson = lessons::read_lesson(scenes(), in_file("lesson.json", bytes), find);
  require(!lesson.pages.empty(), "a lesson has pages");
  for (lessons::PageSource const& source : lesson.pages) {
    lessons::Page const page = open_page(scenes(), source, 2, find);
    require(page.scenario.scene != nullptr, "a page has a scene");
    lessons::parse_rich_text(page.text);
  }
}

/// Of a lesson with a question of each kind.
web::Grader& grader()
{
  static test::TemporaryFolder const folder;
  static web::Grader grader = [] {
    fs::create_directory(folder / "lessons");
    fs::copy_file(test::in_project("tests/web/short_lesson.json"), folder / "lessons/short_lesson.json");
    return web::Grader(scenes(), lessons::Library({folder.path()}));
  }();
  return grader;
}

void grade_answers(std::string_view bytes)
{
  web::Graded const graded = grader().grade(in_file("answers.json", bytes));
  require(graded.points.empty() == graded.remark.starts_with("not graded: "), "what is not graded has no points");
  require(std::accumulate(graded.points.begin(), graded.points.end(), 0) <= graded.possible, "points can be had");
  if (!graded.remark.empty()) { require_sentence(graded.remark); }
  for (std::string const& table : {web::grades_text({graded}), web::grades_csv({graded})}) {
    require(is_utf8(table), "a table is text");
    require(std::ranges::count(table, '\n') == 2, "a file has one line below the names");
  }
}

void read_workload(std::string_view bytes)
{
  tuning::Workload const workload = tuning::read_workload(in_file("workload.json", bytes));
  Json const json = object_of_fields(scratch(), workload);
  tuning::Workload const again = tuning::read_workload(in_file("again.json", format_json(json)));
  require(object_of_fields(scratch(), again) == json, "a workload that was written is read again");
}

void read_settings(std::string_view bytes)
{
  std::vector<std::string> said;
  auto const load = [&](fs::path const& file) {
    LoadedSettings loaded = load_settings(file, scenes());
    said = loaded.messages;
    for (std::string const& message : said) { require_sentence(message); }
    return loaded.settings;
  };
  fs::path const file = in_file("settings.json", bytes);
  UserSettings const settings = load(file);
  save_settings(file, settings, scenes());
  std::string const saved = content_of(file);
  save_settings(file, load(file), scenes());
  require(said.empty() && content_of(file) == saved, "settings that were saved are read again");
  clear_scratch();  // of those that were set aside
}

void read_description(std::string_view bytes)
{
  watch::Description const table = watch::read_description(std::string(bytes), "description");
  require(watch::read_description(format_json(watch::description_json(table)), "again") == table,
          "a description that was written is read again");
}

// --- texts

void read_translations(std::string_view bytes)
{
  Catalogue const catalogue = read_catalogue(bytes, "catalogue.po");
  require(!catalogue.language.empty(), "a catalogue says its language");
  for (auto const& [key, forms] : catalogue.texts) {
    require(!forms.empty() && std::ranges::none_of(forms, &std::string::empty), "a translation says something");
    require(is_utf8(key), "a text is text");
  }
  Json const json = catalogue_json(catalogue, {});
  require(catalogue_json(read_catalogue_json({json, "page"}), {}) == json, "a catalogue in JSON is read again");
}

/// A first byte chooses how keys are typed.
void read_typed_keys(std::string_view bytes)
{
  if (bytes.empty()) { return; }
  auto const choice = static_cast<unsigned char>(bytes.front());
  auto const style = static_cast<KeyStyle>(choice % 5);
  auto const operation = static_cast<Operation>(choice / 5 % 3);
  int const key_bits = std::array{32, 64, 128}[choice / 15 % 3];
  auto const keys_of = static_cast<HashedFrom>(choice / 45 % 3);
  ParsedKeys const parsed = parse_keys(bytes.substr(1), operation, {key_bits, style, keys_of});
  if (!parsed.error.empty()) {
    require_sentence(printable(valid_text(parsed.error)));
    return;
  }
  require(!parsed.pairs.empty() && parsed.pairs.size() <= max_typed_keys, "as many keys as may be typed");
  bool const are_texts = keys_of == HashedFrom::texts;
  bool const has_list = !spoken_keys(style).empty();  // its words are texts, too
  if (key_bits > 64 || (are_texts && has_list)) { return; }
  constexpr std::size_t most = 100;
  std::string text;
  std::size_t const count = std::min(parsed.pairs.size(), most);
  for (std::size_t i = 0; i < count; ++i) { text += pair_text(parsed.pairs[i], style) + ", "; }
  std::vector<Pair> const again = parse_keys(text, operation, {key_bits, style, keys_of}).pairs;
  require(std::ranges::equal(again, std::span(parsed.pairs).first(count)), "keys that were shown are typed again");
}

/// Errors have the text, which the reader of the lesson makes printable.
void read_expression(std::string_view bytes)
try {
  if (!is_utf8(bytes)) { return; }  // lessons are
  static Json const statistics =
      parse_json(R"({"table": {"live": 7, "load": 0.5}, "tables": [{"live": 1}, {"live": 2}], "family": "cuckoo"})",
                 "statistics");
  lessons::Variables const variables{{"n", 7.0}, {"name", std::string("Ada")}, {"x", 0.5}};
  lessons::Names const names{variables, &statistics, &statistics};
  std::string const filled = lessons::fill_in(bytes, names);
  lessons::parse_rich_text(filled);
  auto const value = lessons::evaluate(bytes, names);
  require(value == lessons::evaluate(fmt::format(" ({}) ", bytes), names), "parentheses change nothing");
  if (!value) { return; }
  auto const* number = std::get_if<double>(&*value);
  require(number == nullptr || (std::isfinite(*number) && !lessons::to_text(*value).empty()), "numbers are finite");
} catch (Error const& error) {
  require_sentence(printable(error.what()));
}

// --- tables of others

/// All that the program asks of somebody's table.
void look_at(watch::Description const& description, std::span<watch::Array const> arrays)
{
  auto const table = watch::make_watched_table(Backend::cpu, "stranger's", description, arrays);
  Statistics const found = table->statistics();
  require(found.live + found.tombstones <= description.all_slots(), "no more slots are taken than there are");
  std::vector<Pair> const pairs = table->pairs(20);
  require(pairs.size() <= found.live, "pairs are of live keys");
  for (std::uint64_t slot = 0; slot < std::min<std::uint64_t>(description.all_slots(), 8); ++slot) {
    table->path_of(table->key_in(slot));
    table->cluster(slot);
  }
  table->path_of(1);
  table->check(true);
  table->key_facts(0.01);
}

/// A description, a 0, and the memory that it is said to describe.
void read_table(std::string_view bytes)
{
  std::size_t const end = std::min(bytes.find('\0'), bytes.size());
  watch::Description const description = watch::read_description(std::string(bytes.substr(0, end)), "description");
  std::string_view const memory = bytes.substr(std::min(end + 1, bytes.size()));
  // Of its own, so that a read beyond it is seen.
  std::vector<std::byte> const own(reinterpret_cast<std::byte const*>(memory.data()),
                                   reinterpret_cast<std::byte const*>(memory.data()) + memory.size());
  std::array const arrays{watch::Array{"slots", own.data(), own.size()}};
  look_at(description, arrays);
}

void read_dump(std::string_view bytes)
{
  auto const dump = watch::open_dump({.files = {in_file("dump.npz", bytes)}});
  for (watch::Array const& array : dump->arrays()) { require(is_utf8(array.name), "an array's name is text"); }
  look_at(watch::read_description(dump->description(), dump->name()), dump->arrays());
}

void read_packet(std::string_view bytes)
{
  namespace live = watch::live;
  if (bytes.empty()) { return; }
  live::Packet packet{{bytes.begin() + 1, bytes.end()}, {}};
  auto const descriptors = static_cast<unsigned char>(bytes.front()) % 4;
  for (int i = 0; i < descriptors; ++i) { packet.descriptors.emplace_back(-1); }
  if (!live::parse_header(packet.bytes)) { return; }
  require(is_utf8(live::parse_text(packet)), "what is shown is text");
  auto const table = live::parse_table(packet);
  if (table) {
    require(is_utf8(table->name) && is_utf8(table->text) && !table->name.empty(), "a table has a name that is text");
    require(table->arrays.size() <= watch_link::max_arrays, "no more arrays than there may be");
  }
  live::parse_copies(packet, table ? table->arrays : std::vector<live::NamedArray>{});
}

void read_browser_message(std::string_view bytes)
{
  constexpr gl::Size size{800, 600};
  serve::Message const message = serve::parse_message(std::string(bytes), size);
  auto const* const input = std::get_if<serve::Input>(&message);
  if (input == nullptr) { return; }
  if (auto const* const move = std::get_if<serve::PointerMove>(input)) {
    require(move->x >= 0 && move->x < size.width && move->y >= 0 && move->y < size.height, "it lies in the picture");
  }
  if (auto const* const wheel = std::get_if<serve::Wheel>(input)) {
    require(std::abs(wheel->x) <= serve::max_wheel_steps && std::abs(wheel->y) <= serve::max_wheel_steps,
            "a wheel turns a little");
  }
  if (auto const* const press = std::get_if<serve::KeyPress>(input)) {
    require(press->key >= ImGuiKey_NamedKey_BEGIN && press->key < ImGuiKey_NamedKey_END, "ImGui has the key");
  }
  if (auto const* const typed = std::get_if<serve::TypedText>(input)) {
    require(is_utf8(typed->text) && typed->text.size() <= serve::max_text_bytes, "what is typed is text");
  }
}

constexpr std::array all_targets{
    Target{"ply", read_cloud<clouds::read_ply>},
    Target{"obj", read_cloud<clouds::read_obj>},
    Target{"off", read_cloud<clouds::read_off>},
    Target{"stl", read_cloud<clouds::read_stl>},
    Target{"pcd", read_cloud<clouds::read_pcd>},
    Target{"xyz", read_cloud<clouds::read_xyz>},
    Target{"las", read_cloud<clouds::read_las>},
    Target{"laz", read_cloud<clouds::read_las>},
    Target{"cloud", read_any_cloud},
    Target{"array", read_array},
    Target{"picture", read_picture, 9000},
    Target{"keys_txt", read_key_file<plain_keys>},
    Target{"keys_csv", read_key_file<separated_keys>},
    Target{"keys_u64", read_key_file<binary_keys>},
    Target{"json", read_json},
    Target{"scenario", read_scenario},
    Target{"lesson", read_lesson, 16384},
    Target{"answers", grade_answers},
    Target{"workload", read_workload},
    Target{"settings", read_settings},
    Target{"catalogue", read_translations, 4096},
    Target{"typed_keys", read_typed_keys, 256},
    Target{"expression", read_expression, 256},
    Target{"description", read_description},
    Target{"table", read_table},
    Target{"dump", read_dump},
    Target{"packet", read_packet},
    Target{"browser", read_browser_message, 1100},
};

}  // namespace

std::span<Target const> targets()
{
  return all_targets;
}

void run(Target const& target, std::string_view bytes)
{
  try {
    target.read(bytes);
  } catch (Error const& error) {
    require_sentence(error.what());
  }
}

}  // namespace slotscape::fuzz

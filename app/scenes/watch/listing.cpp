#include "app/scenes/watch/listing.hpp"

#include "app/base/encoding.hpp"
#include "app/base/text.hpp"
#include "app/watch/description_json.hpp"
#include "gpu/base/error.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <optional>

namespace slotscape {
namespace {

/// A program's description of its table, and why it is invalid, if it is.
struct Said {
  std::optional<watch::Description> description;
  std::string problem;
};

Said said_by(watch::Announced const& table)
{
  try {
    return {watch::read_description(table.description, table.name), {}};
  } catch (Error const& error) {
    return {std::nullopt, error.what()};
  }
}

std::string_view memory_of(watch::Announced const& table)
{
  return table.on_device ? "of a GPU" : table.is_shared ? "of shared memory" : "of memory";
}

std::string text_of(watch::Announced const& table)
{
  std::string const memory =
      fmt::format("{} {}{}", bytes_text(table.bytes), memory_of(table), table.snapshots ? ", in snapshots" : "");
  Said const said = said_by(table);
  if (!said.description) { return fmt::format("{}; unknown: {}", memory, said.problem); }
  watch::Description const& description = *said.description;
  return fmt::format("{}{} slots, keys of {} bits, {}; {}", description.preset.empty() ? "" : description.preset + ": ",
                     grouped(description.slots), description.key.bits, memory, watch::text_of(description));
}

Json json_of(watch::Announced const& table)
{
  Said const said = said_by(table);
  Json json;
  json["name"] = table.name;
  json["program"] = valid_text(table.program);
  json["pid"] = table.pid;
  json["since"] = fmt::format("{:%FT%TZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(table.since)));
  json["memory"] = table.on_device ? "cuda" : table.is_shared ? "shared" : "host";
  json["snapshots"] = table.snapshots;
  json["bytes"] = table.bytes;
  json["slots"] = said.description ? Json(said.description->slots) : Json();
  json["key_bits"] = said.description ? Json(said.description->key.bits) : Json();
  json["description"] = said.description ? watch::description_json(*said.description) : Json();
  json["problem"] = said.problem.empty() ? Json() : Json(said.problem);
  return json;
}

}  // namespace

std::string list_of(std::span<watch::Announced const> tables)
{
  if (tables.empty()) {
    return "No running program shows a table. One line in it does: slotscape::Watch, or watch() in Python.\n";
  }
  std::string text;
  for (watch::Announced const& table : tables) {
    text += fmt::format("{:<28} {}\n", table.name, printable(text_of(table)));
    text += fmt::format("{:<28} {} ({}), since {:%F %T}\n", "", printable(valid_text(table.program)), table.pid,
                        fmt::localtime(std::chrono::system_clock::to_time_t(table.since)));
  }
  return text + "\n'slotscape watch NAME' shows one; of several that have a name, NAME@PROCESS does.\n";
}

Json json_of(std::span<watch::Announced const> tables)
{
  Json json = Json::array();
  for (watch::Announced const& table : tables) { json.push_back(json_of(table)); }
  return json;
}

}  // namespace slotscape

#pragma once

#include "app/base/enum_names.hpp"
#include "app/base/findings.hpp"
#include "app/base/json.hpp"
#include "app/base/setting.hpp"
#include "app/scene/file_question.hpp"
#include "app/simulation/action.hpp"
#include "app/table_map/settings.hpp"
#include "app/table_map/step/step_state.hpp"
#include "gpu/tables/family.hpp"

#include <filesystem>
#include <span>
#include <vector>

namespace slotscape {

/// What somebody's own table has that the table which stands for it here does not.
enum class Unlike : std::uint8_t { hash, crowded_hash, probing, deletion };
template <>
std::span<EnumName<Unlike> const> enum_names();

/// What is to be said of keys that come from elsewhere.
struct HandedOver {
  Findings of_keys = {};    ///< as long as the tables have these keys
  Findings of_tables = {};  ///< as long as the tables are the same, too
  std::vector<Unlike> unlike = {};

  /// All of it.
  Findings findings() const;
};

/// The settings of a scene of tables, and its initial steps.
struct TableSetup {
  TableSceneSettings settings;
  Framing camera = {};
  std::vector<Action> steps = {};
  bool whole_batches = false;                 ///< the steps were recorded: each batch runs in one piece
  std::optional<StepRequest> step_mode = {};  ///< opens after the steps
  std::optional<OnKey> looked_up = {};        ///< by hand, after the steps; not saved
  bool opening = false;                       ///< the table fills gradually, as at a plain start; not saved
  bool of_keys = false;                       ///< see `Recipe`; not saved
  bool hands_over_keys = false;               ///< tuning is to take the keys, not only the table; not saved
  HandedOver handed_over = {};                ///< not saved
};

template <>
std::span<Setting<TableSetup> const> settings_of();

/// Whether both come to the same tables with the same settings, wherever the camera is.
bool alike(TableSetup const& left, TableSetup const& right);

/// The settings of the scene that compares tables, and its initial steps.
struct CompareSetup {
  std::vector<TableSettings> tables;  ///< 2 to 4; empty: not chosen yet
  TableSetup shared;                  ///< shared by all; its table is the first
};
/// Those that `shared` does not have.
template <>
std::span<Setting<CompareSetup> const> settings_of();

/// Reads `table`, `seed`, `keys`, `drive`, `view` and `steps`; missing fields keep their defaults. For compared tables,
/// the first one replaces `table`. Tables whose width is not given get the one that the keys of a file need. Throws
/// Error at an invalid field.
TableSetup read_table_setup(JsonNode const& node, std::span<TableSettings> compared = {});
/// For `read_table_setup`. Paths in or under `folder` are written relative to it.
Json table_setup_json(TableSetup const& set_up, std::filesystem::path const& folder);

/// Keys and operations of a small table can be followed one by one. Where it takes the place of a larger one, it begins
/// with one operation a second, in batches of one; a larger one after it begins as usual, if that was left so.
void follow_size(DriveSettings& drive, std::uint64_t slots_before, std::uint64_t slots);

/// Where nothing else is said, in the window and in scenarios: erased keys leave tombstones whose slots are reused, as
/// in textbooks, and a mix can run for ever. (`TableSettings` itself, for programs and measurements, keeps erased keys
/// in their slots: all operations may then run together.)
TableSettings usual_table();

template <>
std::span<Setting<TableSettings> const> settings_of();
/// Reads a table: its settings, and the family's own parameters by name. Missing fields keep their defaults. Throws
/// Error at a value that the family does not support, and lists those it does.
TableSettings read_table(JsonNode const& node);
/// All fields, for `read_table`.
Json table_json(TableSettings const& table);
/// A number of slots among those that the table takes, with its family, parameters and shards.
std::uint64_t read_slots(JsonNode const& node, TableSettings const& table);

/// Reads the list `steps` for a table that starts as in `settings`. A step's keys start from `base`: the document's
/// `keys`, or the defaults. key_bits: the fewest of all tables that take the steps. Throws Error at an invalid step.
std::vector<Action> read_steps(JsonNode const& steps, TableSceneSettings const& settings, KeySettings const& base,
                               int key_bits);

/// Checks steps, or an operation on one key, for `TableScene::perform` and `predict`.
void check_steps_of_lesson(JsonNode const& node, TableSceneSettings const& settings);
/// See `Subject::predict`.
Json predicted(JsonNode const& operation, Engine& engine);

/// The request of the last step, if it opens step mode. The steps must have been read already.
std::optional<StepRequest> read_step_mode(JsonNode const& steps, int key_bits);

/// The keys named by the first insert step, if any.
std::optional<KeySettings> first_insert_keys(JsonNode const& steps);

/// The list that `read_steps` reads back with `set_up.settings.keys` as base.
Json steps_json(TableSetup const& set_up, std::filesystem::path const& folder);

/// The step that opens step mode: { "op": "step", "operation": "insert", "key": 77, "value": 5, "position": 3 };
/// with "play": true it goes on by itself.
StepRequest read_step_request(JsonNode const& step, int key_bits);
Json step_request_json(StepRequest const& request);

}  // namespace slotscape

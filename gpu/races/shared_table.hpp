#pragma once

#include "gpu/engine/pseudocode.hpp"
#include "gpu/engine/trace.hpp"
#include "gpu/races/program.hpp"
#include "gpu/tables/family.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::races {

/// The operation of one thread.
struct Call {
  Operation operation = Operation::insert;
  Narrow::Key key = 0;
  Narrow::Value value = 0;             ///< for an insertion
  Combine combine = Combine::replace;  ///< how an insertion changes an existing value
  friend bool operator==(Call const&, Call const&) = default;
};
/// "insert 21: 10", "add 10 to 21", "erase 21".
std::string text_of(Call const& call);
/// The call without an insertion's value: "insert 21".
std::string brief_text_of(Call const& call);

/// The contents of a slot while threads are at work. Packed pairs have both halves or, for an erased key, only the key.
enum class Fill : std::uint8_t {
  empty,
  key_only,    ///< a key without a value
  pair,        ///< both
  value_only,  ///< a value that arrived before its key
  mark,        ///< a tombstone, or a slot that a thread has reserved
  link         ///< link to another slab
};
struct ShownSlot {
  Slot slot = 0;
  Fill fill = Fill::empty;
  Narrow::Key key = 0;      ///< of `key_only` and `pair`
  Narrow::Value value = 0;  ///< of `value_only` and `pair`
  Slot home = 0;            ///< of the key
  bool has_key() const { return fill == Fill::key_only || fill == Fill::pair; }
};

/// A small table that a few threads share. Its memory is one word per slot, followed by the data beside the slots.
class SharedTable {
public:
  SharedTable() = default;
  SharedTable(SharedTable const&) = delete;
  SharedTable& operator=(SharedTable const&) = delete;
  virtual ~SharedTable() = default;

  virtual FamilyInfo const& info() const = 0;
  virtual TableSettings const& settings() const = 0;
  virtual Slot slots() const = 0;
  virtual Slot home(Narrow::Key key) const = 0;
  /// The slot to which a place in memory belongs; nullopt if it is beside the slots.
  virtual std::optional<Slot> slot_of(std::uint64_t place) const = 0;
  /// The memory before the threads begin.
  virtual Words const& start() const = 0;
  /// The operation that a thread runs, for the given memory at the start. A family whose insertions move keys updates a
  /// key that existed, and inserts others as new ones, as the passes of a batch do. looks_first: another thread may
  /// have inserted the key before this one begins.
  virtual ScheduledOperation operation(Call const& call, Words const& memory, bool looks_first) const = 0;
  virtual bool inserts_new_keys() const = 0;
  virtual bool is_static() const = 0;
  virtual std::size_t max_writers() const = 0;  ///< at once

  virtual ShownSlot slot(Words const& memory, Slot slot) const = 0;
  /// The name of a mark: "tombstone".
  virtual std::string_view mark_name() const = 0;
  /// The fills that its slots can have, except `empty`.
  virtual std::vector<Fill> fills() const = 0;
  /// A lookup while nobody writes.
  virtual Answer find(Words const& memory, Narrow::Key key) const = 0;
  /// Whether a slot satisfies the family's guarantees for times when nobody writes.
  virtual bool is_valid(Words const& memory, Slot slot) const = 0;
  /// An access that returned `word`, in the form of step mode. memory: before the access.
  virtual Step step(Words const& memory, Access const& access, Word word) const = 0;
  /// A slot's word: "21: 10", "empty", "a tombstone".
  virtual std::string word_text(Words const& memory, Slot slot, Word word) const = 0;
  /// Describes an upcoming access, if the table has its own words for it; else empty.
  virtual std::string upcoming(Access const& access) const = 0;
  /// The table's pseudocode, if it has any.
  virtual std::vector<CodeLine> code(Operation operation) const = 0;
};

/// The live pairs, ordered by slot.
std::vector<Pair> pairs_in(SharedTable const& table, Words const& memory);

/// The fault of a table that no thread is using; empty if no key is stored twice, lookups find each key, and all the
/// family's guarantees hold.
std::string fault_in(SharedTable const& table, Words const& memory);

/// Runs an operation without other threads, changing the memory.
Answer run_alone(ScheduledOperation const& operation, Words& memory);

/// Why the table gives no guarantee if these calls run concurrently; empty if it guarantees that each history is legal.
std::string why_not_promised(SharedTable const& table, std::span<Call const> calls);

/// Makes a table, and runs these calls one after another. Throws Error if one of them finds no place.
using MakeSharedTable = std::unique_ptr<SharedTable> (*)(TableSettings const&, std::span<Call const> before);

/// A family's name, and the function that makes its tables for races: null if its operations run on one thread, on the
/// host.
struct SharedFamily {
  std::string_view name;
  MakeSharedTable make;
};
/// All families; scripts/families.cmake generates this function.
std::span<SharedFamily const> shared_families();

/// Makes a table of a family. Throws Error for a family whose operations run on one thread only.
std::unique_ptr<SharedTable> make_shared_table(TableSettings const& settings, std::span<Call const> before);

/// Whether the family's operations can run on several threads.
bool can_race(std::string const& family);

}  // namespace slotscape::races

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

/// What one thread does.
struct Call {
  Operation operation = Operation::insert;
  Narrow::Key key = 0;
  Narrow::Value value = 0;             ///< of an insertion
  Combine combine = Combine::replace;  ///< what an insertion makes of a value that is there
  friend bool operator==(Call const&, Call const&) = default;
};
/// "insert 21: 10", "add 10 to 21", "erase 21".
std::string text_of(Call const& call);
/// The same without the value of an insertion: "insert 21".
std::string brief_text_of(Call const& call);

/// What a slot holds while threads are at work. Packed pairs have both halves or, of an erased key, the key alone.
enum class Fill : std::uint8_t {
  empty,
  key_only,    ///< a key without a value
  pair,        ///< both
  value_only,  ///< a value that came before its key
  mark,        ///< a tombstone, or a slot that a thread has reserved
  link         ///< to another slab
};
struct ShownSlot {
  Slot slot = 0;
  Fill fill = Fill::empty;
  Narrow::Key key = 0;      ///< of `key_only` and `pair`
  Narrow::Value value = 0;  ///< of `value_only` and `pair`
  Slot home = 0;            ///< of the key
  bool has_key() const { return fill == Fill::key_only || fill == Fill::pair; }
};

/// A small table that a few threads share. Its memory is a word for each slot, followed by what it keeps beside them.
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
  /// The slot that a place of the memory is, or belongs to; none if it is beside them all.
  virtual std::optional<Slot> slot_of(std::uint64_t place) const = 0;
  /// The memory before the threads begin.
  virtual Words const& start() const = 0;
  /// What a thread runs if memory was like this when all began. A family whose insertions move keys updates a key that
  /// was there, and inserts others as new ones, as the passes of a batch do. looks_first: another thread may have
  /// inserted the key before this one begins.
  virtual ScheduledOperation operation(Call const& call, Words const& memory, bool looks_first) const = 0;
  virtual bool inserts_new_keys() const = 0;
  virtual bool is_static() const = 0;
  virtual std::size_t max_writers() const = 0;  ///< at once

  virtual ShownSlot slot(Words const& memory, Slot slot) const = 0;
  /// What a mark is called: "tombstone".
  virtual std::string_view mark_name() const = 0;
  /// Which fills its slots can have, empty ones aside.
  virtual std::vector<Fill> fills() const = 0;
  /// A lookup while nobody writes.
  virtual Answer find(Words const& memory, Narrow::Key key) const = 0;
  /// Whether a slot is as the family promises when nobody writes.
  virtual bool is_valid(Words const& memory, Slot slot) const = 0;
  /// An access that returned `word`, as step mode has it. memory: before the access.
  virtual Step step(Words const& memory, Access const& access, Word word) const = 0;
  /// A slot's word: "21: 10", "empty", "a tombstone".
  virtual std::string word_text(Words const& memory, Slot slot, Word word) const = 0;
  /// What an access is about to do, if the table has words of its own for it; else empty.
  virtual std::string upcoming(Access const& access) const = 0;
  /// Its pseudocode, if it has any.
  virtual std::vector<CodeLine> code(Operation operation) const = 0;
};

/// The live pairs, by slot.
std::vector<Pair> pairs_in(SharedTable const& table, Words const& memory);

/// What is wrong with a table that nobody uses; empty if it is as it should be: no key twice, each where a lookup finds
/// it, all as the family promises.
std::string fault_in(SharedTable const& table, Words const& memory);

/// Runs an operation alone, and changes the memory.
Answer run_alone(ScheduledOperation const& operation, Words& memory);

/// Why the table promises nothing if these calls run at once; empty if it does promise that each history adds up.
std::string why_not_promised(SharedTable const& table, std::span<Call const> calls);

/// Makes a table after these calls, one after another. Throws Error if one of them finds no place.
using MakeSharedTable = std::unique_ptr<SharedTable> (*)(TableSettings const&, std::span<Call const> before);

/// A family's name, and what makes its tables for races: null if its operations run on one thread, on the host.
struct SharedFamily {
  std::string_view name;
  MakeSharedTable make;
};
/// All families; scripts/families.cmake writes this function.
std::span<SharedFamily const> shared_families();

/// A table of a family. Throws Error for a family whose operations run on one thread only.
std::unique_ptr<SharedTable> make_shared_table(TableSettings const& settings, std::span<Call const> before);

/// Whether the family's operations can run on several threads.
bool can_race(std::string const& family);

}  // namespace slotscape::races

#pragma once

#include "app/keys/files/made.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::key_files {

/// The indices of the named columns: one name, or several joined by plus signs. Throws Error that lists the columns.
std::vector<std::size_t> columns_named(std::string const& names, std::vector<std::string> const& titles,
                                       std::string const& file);
/// Whether all columns named exist.
bool has_columns(std::string const& names, std::vector<std::string> const& titles);
/// Throws Error if a column is named, as the file has no columns.
void refuse_column(std::string const& file, std::string const& name);
/// Throws Error that asks which column holds the keys.
[[noreturn]] void refuse_several_columns(std::string const& file, std::vector<std::string> const& titles);

/// Whether a cell holds any kind of number.
bool is_number(std::string_view text);

/// Whether a text is surrounded by blanks that are not part of a key; line ends do not count.
bool has_blanks_around(std::string_view text);

/// A table of separated values, with the titles of its columns.
class Columns {
public:
  using Fields = std::vector<std::string>;
  using Take = std::function<void(Fields const& fields, std::uint64_t line)>;

  /// `wanted`: a title that may look like a number. The text must outlive this object.
  Columns(std::string_view text, std::string name, std::string const& wanted);

  std::vector<std::string> const& titles() const { return titles_; }
  bool has_titles() const { return has_titles_; }

  /// Iterates over the records: the fields and the line of each. Blanks around a field are stripped unless they are in
  /// quotes. Throws Error that names the line of a record that cannot be read, or has no field in this column.
  void each(std::size_t last_column, Take const& take) const;
  /// The texts in these columns that are surrounded by blanks.
  Occurrences blanks(std::vector<std::size_t> const& columns) const;

private:
  using TakeRaw = std::function<void(Fields& fields, std::vector<bool> const& in_quotes, std::uint64_t line)>;

  bool is_like_the_rest() const;
  /// Iterates over the fields unchanged, with a flag for those in quotes.
  void each_raw(std::size_t last_column, TakeRaw const& take) const;

  std::string_view text_;
  std::string name_;
  char separator_;
  std::vector<std::string> titles_;
  bool has_titles_ = false;
};

/// The keys of a table, from the columns that `reading` names. Throws Error that names the file and what to do.
MadeKeys keys_of_table(std::string_view text, std::string const& name, KeyReading const& reading);

/// Adds a note about blanks around texts that are not part of the keys. Does nothing if there are none.
void note_blanks(Occurrences const& blanks, Origin const& origin, MadeKeys& made);

}  // namespace slotscape::key_files

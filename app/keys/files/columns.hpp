#pragma once

#include "app/keys/files/made.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::key_files {

/// The places of the columns that are named: one, or several with a plus between them. Throws Error that names those
/// there are.
std::vector<std::size_t> columns_named(std::string const& names, std::vector<std::string> const& titles,
                                       std::string const& file);
/// Whether there are columns that are named so.
bool has_columns(std::string const& names, std::vector<std::string> const& titles);
/// Throws Error if a column is named: the file has none.
void refuse_column(std::string const& file, std::string const& name);
/// Throws Error: which one holds the keys has to be said.
[[noreturn]] void refuse_several_columns(std::string const& file, std::vector<std::string> const& titles);

/// Whether a cell holds a number of any kind.
bool is_number(std::string_view text);

/// Whether a text is surrounded by blanks that are not part of a key; the end of a line is none.
bool has_blanks_around(std::string_view text);

/// A table of separated values, with the titles of its columns.
class Columns {
public:
  using Fields = std::vector<std::string>;
  using Take = std::function<void(Fields const& fields, std::uint64_t line)>;

  /// `wanted`: a title that may be a number. The text must outlive this.
  Columns(std::string_view text, std::string name, std::string const& wanted);

  std::vector<std::string> const& titles() const { return titles_; }
  bool has_titles() const { return has_titles_; }

  /// Goes through the records: their fields, and the line of each. Blanks around a field are not part of it, but in
  /// quotes. Throws Error that names the line of a record that cannot be read, or has no field in this column.
  void each(std::size_t last_column, Take const& take) const;
  /// The texts of these columns that are surrounded by blanks.
  Occurrences blanks(std::vector<std::size_t> const& columns) const;

private:
  using TakeRaw = std::function<void(Fields& fields, std::vector<bool> const& in_quotes, std::uint64_t line)>;

  bool is_like_the_rest() const;
  /// The fields as they are, and whether each stood in quotes.
  void each_raw(std::size_t last_column, TakeRaw const& take) const;

  std::string_view text_;
  std::string name_;
  char separator_;
  std::vector<std::string> titles_;
  bool has_titles_ = false;
};

/// The keys of such a text, from the columns that `reading` names. Throws Error that names the file and what to do.
MadeKeys keys_of_table(std::string_view text, std::string const& name, KeyReading const& reading);

/// Notes that texts have blanks around them that are not part of the keys. None: nothing.
void note_blanks(Occurrences const& blanks, Origin const& origin, MadeKeys& made);

}  // namespace slotscape::key_files

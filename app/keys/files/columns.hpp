#pragma once

#include <cstddef>
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

}  // namespace slotscape::key_files

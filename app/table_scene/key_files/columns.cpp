#include "app/table_scene/key_files/columns.hpp"

#include "app/base/encoding.hpp"
#include "app/base/text.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace slotscape::key_files {
namespace {

/// Lists the places of the columns; returns the first name that is none of the titles, if there is one.
std::optional<std::string_view> find_columns(std::string_view names, std::vector<std::string> const& titles,
                                             std::vector<std::size_t>& columns)
{
  auto const place = [&](std::string_view name) { return std::ranges::find(titles, name) - titles.begin(); };
  auto const count = static_cast<std::ptrdiff_t>(titles.size());
  if (place(names) < count) {
    columns.push_back(static_cast<std::size_t>(place(names)));
    return std::nullopt;
  }
  for (std::string_view rest = names; !rest.empty();) {
    std::size_t const plus = std::min(rest.find('+'), rest.size());
    std::string_view const name = trimmed(rest.substr(0, plus));
    rest.remove_prefix(std::min(plus + 1, rest.size()));
    if (place(name) >= count) { return name; }
    columns.push_back(static_cast<std::size_t>(place(name)));
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::size_t> columns_named(std::string const& names, std::vector<std::string> const& titles,
                                       std::string const& file)
{
  std::vector<std::size_t> columns;
  if (auto const missing = find_columns(names, titles, columns)) {
    std::vector<std::string_view> const candidates(titles.begin(), titles.end());
    throw Error(printable(tr("{}: there is no column '{}'; {}", file, *missing, suggest(*missing, candidates))));
  }
  return columns;
}

bool has_columns(std::string const& names, std::vector<std::string> const& titles)
{
  std::vector<std::size_t> columns;
  return !find_columns(names, titles, columns);
}

void refuse_column(std::string const& file, std::string const& name)
{
  if (name.empty()) { return; }
  throw Error(printable(
      tr("{}: there is no column '{}': its keys are in one, without a name. Leave the column out", file, name)));
}

void refuse_several_columns(std::string const& file, std::vector<std::string> const& titles)
{
  std::string const listed_titles = fmt::format("{}", fmt::join(titles, ", "));
  throw Error(printable(tr("{}: there are {} columns; name the one that holds the keys: {}; or several: {} + {}", file,
                           titles.size(), listed_titles, titles[0], titles[1])));
}

}  // namespace slotscape::key_files

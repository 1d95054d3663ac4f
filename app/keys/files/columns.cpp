#include "app/keys/files/columns.hpp"

#include "app/base/alike.hpp"
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

using Title = std::vector<std::string>::const_iterator;

/// The title that nobody but a program can tell from this name, as an accent has two encodings; the end if there are
/// several, or none.
Title only_one_like(std::string_view name, std::vector<std::string> const& titles)
{
  auto const is_like = [&](std::string const& title) {
    return look_of(title) == look_of(name) && differences_of(title, name).are_invisible();
  };
  auto const found = std::ranges::find_if(titles, is_like);
  bool const is_only_one = found != titles.end() && std::find_if(found + 1, titles.end(), is_like) == titles.end();
  return is_only_one ? found : titles.end();
}

/// Lists the places of the columns; returns the first name that is none of the titles, if there is one.
std::optional<std::string_view> find_columns(std::string_view names, std::vector<std::string> const& titles,
                                             std::vector<std::size_t>& columns)
{
  auto const count = static_cast<std::ptrdiff_t>(titles.size());
  auto const place = [&](std::string_view name) {
    auto const same = std::ranges::find(titles, name);
    return (same != titles.end() ? same : only_one_like(name, titles)) - titles.begin();
  };
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

#include "gpu/base/number_code.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/watch/description.hpp"

#include <fmt/format.h>

namespace slotscape::watch {
namespace {

/// The keys that are stored outside the slots: "2147483646, 2147483647"; empty if there are too many to name.
std::string keys_beside(Description const& table)
{
  constexpr std::uint64_t most = 4;
  NumberCode const code = table.key.code();
  auto const first = static_cast<std::uint64_t>(*table.beside_from);
  std::uint64_t const last = code.all();
  if (table.key.bits > 64 || first > last || last - first >= most) { return {}; }
  std::string text;
  for (std::uint64_t i = 0; i <= last - first; ++i) {
    text += (text.empty() ? "" : ", ") + number_text(code, first + i);
  }
  return text;
}

std::string on_keys(Part const& key)
{
  switch (key.meaning) {
    case Meaning::fingerprint:
      return tr(
          "The keys in the slots are fingerprints: hashes of the table's keys, which are stored elsewhere. A key "
          "cannot be recovered from its fingerprint, so keys cannot be looked up here.");
    case Meaning::bytes:
      return tr("Keys are objects of the program, each shown and typed as the whole number that has the same bits.");
    case Meaning::nothing:
    case Meaning::row: return tr("The keys in the slots are row numbers; the rows are stored elsewhere.");
    case Meaning::itself: break;
  }
  if (!key.is_float) { return {}; }
  return tr("Keys are floating-point numbers, each shown and typed as the whole number that has the same bits.");
}

std::string on_values(Part const& value)
{
  switch (value.meaning) {
    case Meaning::fingerprint: return tr("The values in the slots are hashes of data that is stored elsewhere.");
    case Meaning::bytes:
      return tr("Values are objects of the program, each shown as the whole number that has the same bits.");
    case Meaning::row: return tr("The values in the slots are the numbers of the rows that hold keys and values.");
    case Meaning::nothing:
    case Meaning::itself: break;
  }
  return {};
}

}  // namespace

std::vector<std::string> words_explained(Description const& table)
{
  std::vector<std::string> sentences;
  auto const add = [&](std::string sentence) {
    if (!sentence.empty()) { sentences.push_back(std::move(sentence)); }
  };
  add(on_keys(table.key));
  if (table.value) { add(on_values(*table.value)); }
  std::string const beside = table.beside_from ? keys_beside(table) : std::string();
  if (!beside.empty()) {
    add(
        tr("The table keeps these keys outside its slots, where they are neither shown nor counted: {}. In a slot, "
           "their bit patterns have another meaning.",
           beside));
  }
  return sentences;
}

}  // namespace slotscape::watch

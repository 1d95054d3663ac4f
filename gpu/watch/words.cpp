#include "gpu/base/number_code.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/watch/description.hpp"

#include <fmt/format.h>

namespace slotscape::watch {
namespace {

/// The keys that lie beside the slots: "2147483646, 2147483647"; empty if they are too many to be named.
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
          "The keys in the slots are fingerprints: hashes that the table makes of its keys, which lie elsewhere. "
          "No key follows from them, so none can be looked up here.");
    case Meaning::bytes:
      return tr("Keys are objects of the program, each shown and typed as the whole number that is its word.");
    case Meaning::nothing:
    case Meaning::row: return tr("The keys in the slots are the numbers of rows, which lie elsewhere.");
    case Meaning::itself: break;
  }
  if (!key.is_float) { return {}; }
  return tr("Keys are floating-point numbers, each shown and typed as the whole number that its bits are.");
}

std::string on_values(Part const& value)
{
  switch (value.meaning) {
    case Meaning::fingerprint: return tr("The values in the slots are hashes of something that lies elsewhere.");
    case Meaning::bytes:
      return tr("Values are objects of the program, each shown as the whole number that is its word.");
    case Meaning::row: return tr("The values in the slots are the numbers of rows, where keys and values lie.");
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
    add(tr(
        "The table keeps these keys beside its slots, where they are neither shown nor counted: {}. Slots have another "
        "use for their words.",
        beside));
  }
  return sentences;
}

}  // namespace slotscape::watch

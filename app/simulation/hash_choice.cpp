#include "app/simulation/hash_choice.hpp"

#include "app/base/text.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/tables/hash_formula.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace slotscape {
namespace {

constexpr std::array<EnumName<HashReduction>, 5> reductions{{
    {HashReduction::usual, "usual", "default"},
    {HashReduction::mask, "mask", "low bits"},
    {HashReduction::modulo, "modulo", "modulo m"},
    {HashReduction::multiply_high, "multiply_high", "high bits of hash · m"},
    {HashReduction::prime, "prime", "modulo a prime"},
}};

/// The hash function with this name, except for formulas.
HashKind kind_named(std::string_view name)
{
  auto const kind = from_text<HashKind>(name);
  if (!kind) { throw Error(tr("'{}' is unknown; {}", name, suggest(name, enum_texts<HashKind>()))); }
  if (*kind == HashKind::formula) {
    throw Error(tr("a formula is missing: write it after a colon, as in 'formula: (7*k + 3) % 11'"));
  }
  return *kind;
}

/// Calls `read`, and adds the position in the file to its errors.
HashChoice or_fail(JsonNode const& node, auto const& read)
{
  try {
    return read();
  } catch (Error const& error) {
    node.fail(error.what());
  }
}

}  // namespace

template <>
std::span<EnumName<HashReduction> const> enum_names()
{
  return reductions;
}

std::string to_text(HashChoice const& hash)
{
  std::string text(to_text(hash.kind));
  if (hash.reduction != HashReduction::usual) { text += fmt::format("/{}", to_text(hash.reduction)); }
  return hash.formula ? text + ": " + hash.formula->text : text;
}

HashChoice hash_from_text(std::string const& text)
{
  std::size_t const colon = text.find(':');
  std::string_view const head = trimmed(std::string_view(text).substr(0, colon));
  std::size_t const slash = head.find('/');
  std::string_view const name = trimmed(head.substr(0, slash));
  bool const is_formula = colon != std::string::npos && name == to_text(HashKind::formula);
  HashChoice hash = is_formula ? with_formula({}, std::string(trimmed(std::string_view(text).substr(colon + 1))))
                               : HashChoice(kind_named(name));
  if (slash == std::string_view::npos) { return hash; }
  std::string_view const reduction = trimmed(head.substr(slash + 1));
  auto const known = from_text<HashReduction>(reduction);
  if (!known) { throw Error(tr("'{}' is unknown; {}", reduction, suggest(reduction, enum_texts<HashReduction>()))); }
  hash.reduction = *known;
  return hash;
}

std::string words_of(HashChoice const& hash)
{
  std::string function = hash.formula ? hash.formula->text : translated(to_label(hash.kind));
  if (hash.reduction == HashReduction::usual) { return function; }
  return tr("{}, {}", function, translated(to_label(hash.reduction)));
}

HashChoice read_hash(JsonNode const& node)
{
  HashChoice hash;
  if (node.is_text() && node.text().find_first_of(":/") != std::string::npos) {
    return or_fail(node, [&] { return hash_from_text(node.text()); });
  }
  if (!node.is_object()) {
    static auto const names = [] {
      std::vector<std::string_view> all = enum_texts<HashKind>();
      all.pop_back();  // in JSON, a formula is an object
      return all;
    }();
    hash.kind = enum_names<HashKind>()[node.one_of(names, "hash")].value;
    return hash;
  }
  node.expect_fields({"formula", "function", "reduction"});
  auto const formula = node.find("formula");
  if (auto const function = node.find("function")) {
    if (formula) { function->fail("there is a formula, too; leave one of them out"); }
    hash = read_hash(*function);
  } else {
    JsonNode const text = node.at("formula");
    hash = or_fail(text, [&] { return with_formula(hash, text.text()); });
  }
  if (auto const reduction = node.find("reduction")) { hash.reduction = reduction->one_of<HashReduction>("reduction"); }
  return hash;
}

Json hash_json(HashChoice const& hash)
{
  if (hash.is_compiled_in()) { return to_text(hash.kind); }
  Json json = hash.formula ? Json{{"formula", hash.formula->text}} : Json{{"function", to_text(hash.kind)}};
  if (hash.reduction != HashReduction::usual) { json["reduction"] = to_text(hash.reduction); }
  return json;
}

HashChoice with_kind(HashChoice hash, HashKind kind)
{
  if (kind == HashKind::formula) { return hash.formula ? hash : with_formula(std::move(hash), "k % m"); }
  hash.kind = kind;
  hash.formula.reset();
  return hash;
}

HashChoice with_formula(HashChoice hash, std::string const& formula)
{
  HashReduction const reduction = hash.reduction;
  hash = HashChoice(parse_hash_formula(formula));
  hash.reduction = reduction;
  return hash;
}

SettingRange hash_range()
{
  SettingRange range{SettingRange::Kind::choice};
  for (EnumName<HashKind> const& name : enum_names<HashKind>()) {
    range.texts.emplace_back(name.text);
    range.labels.emplace_back(name.label);
  }
  range.texts.back() = "formula: FORMULA";
  range.high = static_cast<double>(range.texts.size()) - 1.0;
  return range;
}

void read_hash_option(std::string_view option, std::string const& typed, HashChoice& into)
{
  if (typed.empty()) { return; }
  try {
    into = hash_from_text(typed);
  } catch (Error const& error) {
    throw Error(tr("{}: {}", option, error.what()));
  }
}

}  // namespace slotscape

#include "app/base/catalogue.hpp"

#include "app/base/encoding.hpp"
#include "app/base/text.hpp"
#include "gpu/base/error.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <span>
#include <utility>

namespace slotscape {
namespace {

constexpr std::size_t max_rule = 1000;  ///< characters; the rules of all languages are shorter
constexpr std::size_t max_forms = 10;

/// Evaluates a C expression in one variable, n, as used by plural rules, while parsing it.
class PluralExpression {
public:
  PluralExpression(std::string_view text, std::uint64_t n) : text_(text), n_(n) {}

  std::uint64_t value()
  {
    std::uint64_t const value = choice();
    if (!rest().empty()) { fail(); }
    return value;
  }

private:
  using Operators = std::span<std::string_view const>;
  static constexpr std::array<std::string_view, 1> either{"||"};
  static constexpr std::array<std::string_view, 1> both{"&&"};
  static constexpr std::array<std::string_view, 2> equal{"==", "!="};
  static constexpr std::array<std::string_view, 4> order{"<=", ">=", "<", ">"};
  static constexpr std::array<std::string_view, 2> sums{"+", "-"};
  static constexpr std::array<std::string_view, 3> products{"*", "/", "%"};
  static constexpr std::array<Operators, 6> levels{either, both, equal, order, sums, products};

  [[noreturn]] void fail() const { throw Error(fmt::format("'{}' is not understood", printable(std::string(text_)))); }

  std::string_view rest()
  {
    text_.remove_prefix(std::min(text_.find_first_not_of(" \t"), text_.size()));
    return text_;
  }
  bool take(std::string_view sign)
  {
    if (!rest().starts_with(sign)) { return false; }
    text_.remove_prefix(sign.size());
    return true;
  }

  std::uint64_t choice()
  {
    std::uint64_t const condition = joined(0);
    if (!take("?")) { return condition; }
    std::uint64_t const if_so = choice();
    if (!take(":")) { fail(); }
    std::uint64_t const if_not = choice();
    return condition != 0 ? if_so : if_not;
  }

  /// Combines the operands at a precedence level from left to right.
  std::uint64_t joined(std::size_t level)
  {
    if (level == levels.size()) { return operand(); }
    std::uint64_t value = joined(level + 1);
    while (true) {
      auto const sign = std::ranges::find_if(levels[level], [this](std::string_view each) { return take(each); });
      if (sign == levels[level].end()) { return value; }
      value = result(*sign, value, joined(level + 1));
    }
  }

  static std::uint64_t result(std::string_view sign, std::uint64_t left, std::uint64_t right)
  {
    if (sign == "||") { return left != 0 || right != 0 ? 1 : 0; }
    if (sign == "&&") { return left != 0 && right != 0 ? 1 : 0; }
    if (sign == "==") { return left == right ? 1 : 0; }
    if (sign == "!=") { return left != right ? 1 : 0; }
    if (sign == "<=") { return left <= right ? 1 : 0; }
    if (sign == ">=") { return left >= right ? 1 : 0; }
    if (sign == "<") { return left < right ? 1 : 0; }
    if (sign == ">") { return left > right ? 1 : 0; }
    if (sign == "+") { return left + right; }
    if (sign == "-") { return left - right; }
    if (sign == "*") { return left * right; }
    if (right == 0) { return 0; }
    return sign == "/" ? left / right : left % right;
  }

  std::uint64_t operand()
  {
    if (take("!")) { return operand() == 0 ? 1 : 0; }
    if (take("n")) { return n_; }
    if (take("(")) {
      std::uint64_t const value = choice();
      if (!take(")")) { fail(); }
      return value;
    }
    std::string_view const digits = rest().substr(0, rest().find_first_not_of("0123456789"));
    auto const number = parse_number<std::uint64_t>(digits);
    if (!number) { fail(); }
    text_.remove_prefix(digits.size());
    return *number;
  }

  std::string_view text_;
  std::uint64_t n_;
};

/// The text between `name` and the next semicolon.
std::string_view part_of(std::string_view plural_forms, std::string_view name)
{
  std::size_t const at = plural_forms.find(name);
  if (at == std::string_view::npos) { throw Error(fmt::format("'{}' is missing in Plural-Forms", name)); }
  std::string_view const rest = plural_forms.substr(at + name.size());
  return rest.substr(0, rest.find(';'));
}

/// One entry of a file while it is being read.
struct Entry {
  std::size_t line = 0;
  bool fuzzy = false;
  std::string context;
  std::optional<std::string> id;
  std::optional<std::string> plural;
  std::vector<std::string> forms;
};

/// Reads a file line by line.
class CatalogueReader {
public:
  CatalogueReader(std::string_view po, std::string const& name) : po_(po), name_(name) {}

  Catalogue read()
  {
    if (!is_utf8(po_)) { throw Error(fmt::format("{}: it must be in UTF-8", name_)); }
    while (!po_.empty()) {
      ++line_;
      std::size_t const end = po_.find('\n');
      std::string_view line = po_.substr(0, end);
      po_.remove_prefix(end == std::string_view::npos ? po_.size() : end + 1);
      if (line.ends_with('\r')) { line.remove_suffix(1); }
      take(line);
    }
    finish();
    if (catalogue_.language.empty()) { fail("the header is missing: an entry with msgid \"\" that has 'Language:'"); }
    return std::move(catalogue_);
  }

private:
  [[noreturn]] void fail(std::string_view why) const { throw Error(fmt::format("{}, line {}: {}", name_, line_, why)); }

  void take(std::string_view line)
  {
    if (line.find_first_not_of(" \t") == std::string_view::npos) { return finish(); }
    if (line.starts_with('#')) { return comment(line); }
    if (line.starts_with('"')) {
      if (text_ == nullptr) { fail("a text must follow msgctxt, msgid or msgstr"); }
      *text_ += quoted(line);
      return;
    }
    std::size_t const space = std::min(line.find(' '), line.size());
    begin(line.substr(0, space), line.substr(std::min(space + 1, line.size())));
  }

  void comment(std::string_view line)
  {
    if (entry_.id && !entry_.forms.empty()) { finish(); }
    if (line.starts_with("#,") && line.find("fuzzy") != std::string_view::npos) { entry_.fuzzy = true; }
  }

  void begin(std::string_view keyword, std::string_view text)
  {
    bool const opens = keyword == "msgctxt" || (keyword == "msgid" && (!entry_.id || !entry_.forms.empty()));
    if (opens && !entry_.forms.empty()) { finish(); }
    if (entry_.line == 0) { entry_.line = line_; }
    if (keyword == "msgctxt" && !entry_.id && entry_.context.empty()) {
      text_ = &entry_.context;
    } else if (keyword == "msgid" && !entry_.id) {
      text_ = &entry_.id.emplace();
    } else if (keyword == "msgid_plural" && entry_.id && !entry_.plural) {
      text_ = &entry_.plural.emplace();
    } else if (entry_.id && keyword == form_keyword()) {
      text_ = &entry_.forms.emplace_back();
    } else {
      fail(fmt::format("'{}' is not expected here", printable(std::string(keyword))));
    }
    *text_ = quoted(text);
  }

  std::string form_keyword() const
  {
    if (entry_.plural) { return fmt::format("msgstr[{}]", entry_.forms.size()); }
    return entry_.forms.empty() ? "msgstr" : "";
  }

  /// Removes the quotes and resolves backslashes.
  std::string quoted(std::string_view text) const
  {
    std::size_t const end = text.find_last_not_of(" \t");
    text = text.substr(0, end == std::string_view::npos ? 0 : end + 1);
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') { fail("a text must be in double quotes"); }
    text = text.substr(1, text.size() - 2);
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '"') { fail("a double quote within a text must be written \\\""); }
      if (text[i] != '\\') {
        plain += text[i];
        continue;
      }
      constexpr std::string_view written = "nt\\\"";
      constexpr std::string_view meant = "\n\t\\\"";
      std::size_t const which = ++i < text.size() ? written.find(text[i]) : std::string_view::npos;
      if (which == std::string_view::npos) { fail("a backslash must be one of \\n, \\t, \\\\ and \\\""); }
      plain += meant[which];
    }
    return plain;
  }

  void finish()
  {
    text_ = nullptr;
    Entry const entry = std::exchange(entry_, {});
    if (entry.line == 0) { return; }
    if (!entry.id || entry.forms.empty()) { fail("the entry before has no msgid or no msgstr"); }
    if (entry.id->empty() && entry.context.empty()) { return header(entry.forms.front()); }
    if (catalogue_.language.empty()) { fail("the header must come first: an entry with msgid \"\""); }
    if (entry.plural && entry.forms.size() != forms_) {
      fail(fmt::format("the entry before has {} forms, and the language has {}", entry.forms.size(), forms_));
    }
    bool const is_done = std::ranges::none_of(entry.forms, &std::string::empty);
    if (entry.fuzzy || !is_done) { return; }
    bool const is_new = catalogue_.texts.try_emplace(catalogue_key(entry.context, *entry.id), entry.forms).second;
    if (!is_new) { fail(fmt::format("'{}' is translated twice", printable(*entry.id))); }
  }

  void header(std::string const& text)
  {
    if (!catalogue_.language.empty()) { fail("the header is there twice"); }
    auto const field = [&](std::string_view name) {
      std::size_t const at = text.find(name);
      if (at == std::string::npos) { return std::string(); }
      std::string_view value = std::string_view(text).substr(at + name.size());
      value = value.substr(0, value.find('\n'));
      value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
      return std::string(value);
    };
    catalogue_.language = field("Language:");
    if (catalogue_.language.empty()) { fail("the header must have 'Language:', such as 'Language: de'"); }
    catalogue_.name = field("X-Language-Name:");
    if (catalogue_.name.empty()) { catalogue_.name = catalogue_.language; }
    try {
      set_plural_forms(catalogue_, field("Plural-Forms:"));
    } catch (Error const& error) {
      fail(error.what());
    }
    forms_ = parse_number<std::size_t>(part_of(catalogue_.plural_forms, "nplurals=")).value_or(0);
  }

  std::string_view po_;
  std::string const& name_;
  std::size_t line_ = 0;
  std::size_t forms_ = 0;  ///< number of plural forms
  Catalogue catalogue_;
  Entry entry_;
  std::string* text_ = nullptr;  ///< the text that a quoted line continues
};

}  // namespace

Catalogue read_catalogue(std::string_view po, std::string const& name)
{
  return CatalogueReader(po, name).read();
}

void set_plural_forms(Catalogue& catalogue, std::string_view plural_forms)
{
  if (plural_forms.size() > max_rule) { throw Error("Plural-Forms is too long"); }
  auto const forms = parse_number<std::size_t>(part_of(plural_forms, "nplurals="));
  if (!forms || *forms == 0 || *forms > max_forms) {
    throw Error(fmt::format("nplurals in Plural-Forms must be a number from 1 to {}", max_forms));
  }
  std::string const rule(part_of(plural_forms, "plural="));
  constexpr std::uint64_t tried = 1000;
  for (std::uint64_t n = 0; n <= tried; ++n) {
    if (PluralExpression(rule, n).value() >= *forms) {
      throw Error(fmt::format("the rule in Plural-Forms must lead to less than nplurals; for n = {} it does not", n));
    }
  }
  catalogue.plural_forms = plural_forms;
  catalogue.form_of = [rule](std::uint64_t count) {
    return static_cast<std::size_t>(PluralExpression(rule, count).value());
  };
}

}  // namespace slotscape

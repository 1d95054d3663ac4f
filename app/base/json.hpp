#pragma once

#include "app/base/enum_names.hpp"

#include <nlohmann/json.hpp>

#include <any>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// Keeps fields in the order in which they were written.
using Json = nlohmann::ordered_json;

/// Throws Error with `name`, line and column if the text is not JSON or an object has a field twice.
Json parse_json(std::string const& text, std::string const& name);

/// Indented text that is easy to read: short values and lists of numbers stay on one line. Throws Error that names the
/// path of a number that JSON cannot represent (infinity or NaN).
std::string format_json(Json const& document);

/// The files that a document may name.
enum class Reach : std::uint8_t {
  folder,   ///< those in its own folder and below, with symbolic links resolved; files and folders only
  anywhere  ///< any file: a person has allowed it, or the program wrote the document
};

/// Where a JSON document comes from, and the state that its readers share.
struct JsonSource {
  std::string name;                            ///< in error messages
  std::filesystem::path folder = {};           ///< the folder that paths in the document are relative to
  std::vector<std::string>* losses = nullptr;  ///< if set, missing files are skipped and reported here,
                                               ///< else they are errors
  std::map<std::string, std::any> files = {};  ///< files read so far, by absolute path
  Reach reach = Reach::folder;
};

/// One value of a JSON document and its path in it ("steps[2].count"). Errors of all members name the path and say what
/// is expected. The document must outlive the node.
class JsonNode {
public:
  JsonNode(Json const& value, std::string document, std::filesystem::path folder = {});
  JsonNode(Json const& value, std::shared_ptr<JsonSource> source, std::string path = "");

  JsonSource& source() const { return *source_; }
  Json const& json() const { return *value_; }
  bool is_object() const { return value_->is_object(); }
  bool is_list() const { return value_->is_array(); }
  bool is_text() const { return value_->is_string(); }
  bool is_null() const { return value_->is_null(); }

  /// Throws if this is not an object or has a field of another name.
  void expect_fields(std::span<std::string_view const> names) const;
  void expect_fields(std::initializer_list<std::string_view> names) const;
  std::optional<JsonNode> find(std::string_view field) const;
  JsonNode at(std::string_view field) const;
  std::vector<JsonNode> elements() const;

  std::string text() const;
  /// The absolute path of the file or folder that this text names, relative to the document's folder. Throws
  /// OutsideFile.
  std::filesystem::path file() const;
  /// Throws OutsideFile if the document may not name this file.
  void require_reach(std::filesystem::path const& file) const;
  bool flag() const;
  double number(double low, double high) const;
  double positive_number() const;
  std::uint64_t whole_number(std::uint64_t low = 0,
                             std::uint64_t high = std::numeric_limits<std::uint64_t>::max()) const;
  /// The value if it is a whole number below 0; otherwise nullopt.
  std::optional<std::int64_t> negative() const;
  std::uint64_t power_of_two(std::uint64_t low, std::uint64_t high) const;

  /// One of these numbers; the error message says `why` no others are allowed.
  std::uint32_t choice(std::span<std::uint32_t const> choices, std::string_view why = "") const;

  /// The index of this text in `names`; `what` says what the names stand for: "hash".
  std::size_t one_of(std::span<std::string_view const> names, std::string_view what) const;
  template <class Enum>
  Enum one_of(std::string_view what) const
  {
    return enum_names<Enum>()[one_of(enum_texts<Enum>(), what)].value;
  }

  [[noreturn]] void fail(std::string_view what) const;
  /// Throws an error such as "1000 is invalid: " followed by what is expected.
  [[noreturn]] void fail_with_value(std::string_view right) const;

private:
  Json const* value_;
  std::shared_ptr<JsonSource> source_;
  std::string path_;
};

/// A summary of times: `count`, `median_ms` and `p99_ms`.
Json times_json(std::vector<double> seconds);

}  // namespace slotscape

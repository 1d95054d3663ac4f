#include "app/scenario/key_stream_json.hpp"

#include "app/files/key_file.hpp"
#include "app/files/relative_name.hpp"
#include "gpu/error.hpp"

namespace slotscape {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t largest_power = std::uint64_t{1} << 31;

Json changed_fields(KeySettings const& keys, KeySettings const& base)
{
  Json fields = Json::object();
  if (keys.stride != base.stride) { fields["stride"] = keys.stride; }
  if (keys.zipf_exponent != base.zipf_exponent) { fields["zipf_exponent"] = keys.zipf_exponent; }
  if (keys.cluster_length != base.cluster_length) { fields["cluster_length"] = keys.cluster_length; }
  return fields;
}

void check_has_file(KeySettings const& keys)
{
  if (keys.distribution == KeyDistribution::file && keys.file_name.empty()) {
    throw Error("keys from a file need the file's name to be written into a scenario");
  }
}

}  // namespace

void KeyFiles::read_into(KeySettings& keys, std::string const& name)
{
  std::string const file = fs::absolute(folder_ / name).lexically_normal().string();
  auto& content = read_[file];
  if (!content) { content = read_key_file(file); }
  keys.file_keys = content;
  keys.file_name = file;
}

KeySettings read_key_settings(JsonNode const& node, KeySettings const& base, KeyFiles& files)
{
  KeySettings keys = base;
  if (node.is_text()) {
    keys.distribution = node.one_of<KeyDistribution>("distribution of keys");
  } else {
    node.expect_fields({"distribution", "stride", "zipf_exponent", "cluster_length", "file"});
    auto const stride = node.find("stride");
    auto const exponent = node.find("zipf_exponent");
    auto const cluster_length = node.find("cluster_length");
    auto const file = node.find("file");
    auto const distribution = node.find("distribution");
    if (stride) { keys.stride = static_cast<std::uint32_t>(stride->power_of_two(1, largest_power)); }
    if (exponent) { keys.zipf_exponent = exponent->positive_number(); }
    if (cluster_length) {
      keys.cluster_length = static_cast<std::uint32_t>(cluster_length->power_of_two(1, largest_power));
    }
    if (file) {
      files.read_into(keys, file->text());
      keys.distribution = KeyDistribution::file;
    }
    if (distribution) { keys.distribution = distribution->one_of<KeyDistribution>("distribution of keys"); }
  }
  if (keys.distribution == KeyDistribution::file && !keys.file_keys) {
    node.fail(R"(keys from a file need its name: { "file": "keys.txt" })");
  }
  return keys;
}

Json key_settings_json(KeySettings const& keys, fs::path const& folder)
{
  check_has_file(keys);
  Json json;
  json["distribution"] = to_text(keys.distribution);
  json["stride"] = keys.stride;
  json["zipf_exponent"] = keys.zipf_exponent;
  json["cluster_length"] = keys.cluster_length;
  if (!keys.file_name.empty()) { json["file"] = relative_name(keys.file_name, folder); }
  return json;
}

Json key_settings_json(KeySettings const& keys, KeySettings const& base, fs::path const& folder)
{
  check_has_file(keys);
  bool const other_file = keys.file_name != base.file_name && !keys.file_name.empty();
  Json const changed = changed_fields(keys, base);
  if (changed.empty() && !other_file) { return to_text(keys.distribution); }
  Json json;
  bool const implied = other_file && keys.distribution == KeyDistribution::file;
  if (!implied) { json["distribution"] = to_text(keys.distribution); }
  json.update(changed);
  if (other_file) { json["file"] = relative_name(keys.file_name, folder); }
  return json;
}

bool same_stream(KeySettings const& left, KeySettings const& right)
{
  return left.distribution == right.distribution && left.stride == right.stride &&
         left.zipf_exponent == right.zipf_exponent && left.cluster_length == right.cluster_length &&
         left.file_name == right.file_name;
}

}  // namespace slotscape

#pragma once

#include "app/scenario/json_node.hpp"
#include "gpu/workloads/settings.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace slotscape {

/// The key files that one document names, relative to its folder, each read once.
class KeyFiles {
public:
  explicit KeyFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// Puts the file's keys and its absolute name into `keys`. Throws Error where it cannot be read.
  void read_into(KeySettings& keys, std::string const& name);

private:
  std::filesystem::path folder_;
  std::map<std::string, std::shared_ptr<std::vector<Key> const>> read_;
};

/// The settings of a key stream: the name of a distribution, or an object with any of `distribution`, `stride`,
/// `zipf_exponent`, `cluster_length` and `file`. What is not said is as in `base`.
KeySettings read_key_settings(JsonNode const& node, KeySettings const& base, KeyFiles& files);

/// All of it, for `read_key_settings` with any base. Key files in or under `folder` are named relative to it.
Json key_settings_json(KeySettings const& keys, std::filesystem::path const& folder);
/// Only what differs from `base`: often just the name of the distribution.
Json key_settings_json(KeySettings const& keys, KeySettings const& base, std::filesystem::path const& folder);

/// Whether both give the same stream for the same seed.
bool same_stream(KeySettings const& left, KeySettings const& right);

}  // namespace slotscape

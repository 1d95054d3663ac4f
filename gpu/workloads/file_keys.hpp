#pragma once

#include "gpu/execution/executor.hpp"
#include "gpu/workloads/key_stream.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace slotscape {

/// The keys of a file in the memory of a device, for streams that go through them.
template <exec::Executor Exec, PairFormat Format>
class FileKeys {
  using Key = typename Format::Key;

public:
  /// Gives the stream the file's keys. Throws Error if there are none.
  void load(Exec& exec, KeySettings const& settings, KeyStream<Format>& stream)
  {
    if (!settings.file_keys || settings.file_keys->empty()) { throw Error("The key file holds no keys."); }
    std::vector<Key> keys(settings.file_keys->size());
    std::ranges::transform(*settings.file_keys, keys.begin(), Format::narrow);
    keys_ = Buffer(exec, keys.size());
    sorted_ = Buffer(exec, keys.size());
    exec.upload(keys_.data(), std::span<Key const>(keys));
    exec.upload(sorted_.data(), std::span<Key const>(keys));
    exec.sort(sorted_.data(), keys.size());
    stream.file_keys = keys_.data();
    stream.sorted_file_keys = sorted_.data();
    stream.file_count = keys.size();
  }

private:
  using Buffer = typename Exec::template Buffer<Key>;
  Buffer keys_;
  Buffer sorted_;
};

}  // namespace slotscape

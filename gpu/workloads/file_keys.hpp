#pragma once

#include "gpu/execution/executor.hpp"
#include "gpu/workloads/key_stream.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

namespace slotscape {

namespace file_keys {

/// Distinguishes the first of equal keys from the others, in sorted keys.
template <class Key>
struct IsFirst {
  Key const* sorted;
  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    return i == 0 || sorted[i] != sorted[i - 1] ? Outcome::inserted : Outcome::updated;
  }
};

}  // namespace file_keys

/// The keys of a file in device memory, for streams that iterate over them.
template <exec::Executor Exec, PairFormat Format>
class FileKeys {
  using Key = typename Format::Key;

public:
  /// Gives the stream the file's keys, which are copied to the device once. Throws Error if there are none.
  void load(Exec& exec, KeySettings const& settings, KeyStream<Format>& stream)
  {
    if (!settings.file_keys || settings.file_keys->empty()) { throw Error("The key file holds no keys."); }
    if (loaded_ != settings.file_keys) { bring(exec, settings.file_keys); }
    stream.file_keys = keys_.data();
    stream.sorted_file_keys = sorted_.data();
    stream.file_count = keys_.size();
  }

  /// The number of different keys among those loaded last.
  std::uint64_t different(Exec& exec) const
  {
    return exec.tally(sorted_.size(), file_keys::IsFirst<Key>{sorted_.data()})[Outcome::inserted];
  }

private:
  using Buffer = typename Exec::template Buffer<Key>;
  using Shared = std::shared_ptr<std::vector<slotscape::Key> const>;

  void bring(Exec& exec, Shared const& file)
  {
    loaded_ = nullptr;
    std::vector<Key> keys(file->size());
    std::ranges::transform(*file, keys.begin(), Format::narrow);
    keys_ = Buffer(exec, keys.size());
    sorted_ = Buffer(exec, keys.size());
    exec.upload(keys_.data(), std::span<Key const>(keys));
    exec.upload(sorted_.data(), std::span<Key const>(keys));
    exec.sort(sorted_.data(), keys.size());
    loaded_ = file;
  }

  Shared loaded_;
  Buffer keys_;
  Buffer sorted_;
};

}  // namespace slotscape

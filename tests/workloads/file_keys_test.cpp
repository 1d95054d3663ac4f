#include "gpu/workloads/file_keys.hpp"

#include "gpu/execution/cpu.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace slotscape {
namespace {

KeySettings settings_of(std::vector<Key> keys)
{
  KeySettings settings;
  settings.distribution = KeyDistribution::file;
  settings.file_keys = std::make_shared<std::vector<Key> const>(std::move(keys));
  return settings;
}

TEST(FileKeys, AreBroughtToTheDeviceOnce)
{
  exec::Cpu exec;
  FileKeys<exec::Cpu, Narrow> keys;
  KeySettings const settings = settings_of({9, 7, 9, 8});
  KeyStream<Narrow> first{};
  KeyStream<Narrow> second{};
  keys.load(exec, settings, first);
  keys.load(exec, settings, second);
  EXPECT_EQ(first.file_keys, second.file_keys);
  EXPECT_EQ(first.sorted_file_keys, second.sorted_file_keys);
  EXPECT_EQ(first.file_count, 4u);
  EXPECT_EQ(first.file_keys[2], 9u);
  EXPECT_EQ(first.sorted_file_keys[0], 7u);
  EXPECT_EQ(keys.different(exec), 3u);

  keys.load(exec, settings_of({1, 2}), first);
  EXPECT_EQ(first.file_count, 2u);
  EXPECT_EQ(first.file_keys[0], 1u);
  EXPECT_EQ(keys.different(exec), 2u);
}

TEST(FileKeys, AreRefusedIfThereAreNone)
{
  exec::Cpu exec;
  FileKeys<exec::Cpu, Wide> keys;
  KeyStream<Wide> stream{};
  EXPECT_THROW(keys.load(exec, settings_of({}), stream), Error);
  EXPECT_THROW(keys.load(exec, {}, stream), Error);
}

}  // namespace
}  // namespace slotscape

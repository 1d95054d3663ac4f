// Functions without __device__ where the GPU needs them: library_test.sh expects nvcc to refuse each.

#include <slotscape/cuda_table.cuh>

namespace families = slotscape::families;

struct HostHash {
  std::uint64_t operator()(float key) const { return static_cast<std::uint64_t>(key); }
};
struct HostEqual {
  bool operator()(float a, float b) const { return a == b; }
};
struct DeviceHash {
  __device__ std::uint64_t operator()(float key) const { return static_cast<std::uint64_t>(key); }
};
struct DeviceEqual {
  __device__ bool operator()(float a, float b) const { return a == b; }
};
struct HostPredicate {
  bool operator()(int key, float) const { return key == 0; }
};
struct DevicePredicate {
  __device__ bool operator()(int key, float) const { return key == 0; }
};
struct HostArray {
  int operator[](std::uint64_t i) const { return static_cast<int>(i); }
};
struct DeviceArray {
  __device__ int operator[](std::uint64_t i) const { return static_cast<int>(i); }
};
struct HostUpdate {
  float operator()(float value) const { return value + 1.0f; }
};
struct DeviceUpdate {
  __device__ float operator()(float value) const { return value + 1.0f; }
};

using Table = slotscape::CudaTable<families::linear_probing, int, float>;
template <class Hash, class Equal>
using ByHash = slotscape::CudaTable<families::linear_probing, float, int, slotscape::HashedBy<Hash, Equal>>;

__global__ void update(Table::MutableView table)
{
  table.update(1, HostUpdate{});
  table.update(1, DeviceUpdate{});
}

void use(Table& table, float const* values)
{
  ByHash<HostHash, DeviceEqual> host_hash({.slots = 64});
  ByHash<DeviceHash, HostEqual> host_equal({.slots = 64});
  ByHash<DeviceHash, DeviceEqual> device({.slots = 64});
  table.erase_if(HostPredicate{});
  table.erase_if(DevicePredicate{});
  table.insert(HostArray{}, values, 1).or_throw();
  table.insert(DeviceArray{}, values, 1).or_throw();
  update<<<1, 1>>>(table.mutable_view());
}

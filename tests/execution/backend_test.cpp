#include "gpu/execution/backend.hpp"

#include "gpu/base/error.hpp"

#if SLOTSCAPE_HAS_CUDA
#include "gpu/execution/cuda_error.hpp"
#endif

#include <gmock/gmock.h>

namespace slotscape {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Backends, TheCpuIsAlwaysListedLast)
{
  std::vector<DeviceInfo> const devices = list_devices();
  ASSERT_FALSE(devices.empty());
  EXPECT_EQ(devices.back().backend, Backend::cpu);
  EXPECT_EQ(devices.size() > 1, why_no_cuda().empty());
}

TEST(Backends, ADeviceThatIsNotThereIsNamed)
{
  if (why_no_cuda().empty()) { GTEST_SKIP() << "it would be chosen for all other tests, too"; }
  try {
    choose_cuda_device(3);
    ADD_FAILURE() << "chosen";
  } catch (Error const& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("--device 3"), HasSubstr("slotscape devices")));
  }
}

TEST(Backends, AMissingDriverIsNotCalledOld)
{
  EXPECT_THAT(why_no_cuda(), Not(HasSubstr("insufficient")));
#if SLOTSCAPE_HAS_CUDA
  // What CUDA answers to both: without a driver its version is 0.
  EXPECT_EQ(exec::describe_failure(cudaErrorInsufficientDriver, 0), "no NVIDIA driver is installed");
  EXPECT_THAT(exec::describe_failure(cudaErrorInsufficientDriver, 11040), HasSubstr("11.4 is too old"));
  EXPECT_THAT(exec::describe_failure(cudaErrorNoDevice, 12040), HasSubstr("there is no CUDA device"));
#endif
}

}  // namespace
}  // namespace slotscape

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
    choose_cuda_devices({0, 3});
    ADD_FAILURE() << "chosen";
  } catch (Error const& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("--device 0,3"), HasSubstr("slotscape devices")));
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

#if SLOTSCAPE_HAS_CUDA
std::string said_of(cudaError_t status)
{
  try {
    exec::check_cuda(status, "cudaSomething()", "a.cu", 7);
  } catch (DeviceLost const& lost) {
    return std::string("lost: ") + lost.what();
  } catch (Error const& error) {
    return error.what();
  }
  return "nothing";
}

/// No device is needed: these are words.
TEST(CudaErrors, SayWhatToDo)
{
  EXPECT_EQ(said_of(cudaSuccess), "nothing");
  EXPECT_THAT(said_of(cudaErrorMemoryAllocation), AllOf(HasSubstr("cudaSomething() (a.cu:7)"), HasSubstr("smaller")));
  EXPECT_THAT(said_of(cudaErrorUnsupportedPtxVersion), HasSubstr("update the driver"));
  EXPECT_THAT(said_of(cudaErrorNoKernelImageForDevice), HasSubstr("no code for this GPU"));
  EXPECT_THAT(said_of(cudaErrorInvalidValue), Not(HasSubstr("lost")));
}

TEST(CudaErrors, TellALostDeviceFromOneThatGoesOn)
{
  for (cudaError_t const status : {cudaErrorIllegalAddress, cudaErrorLaunchFailure, cudaErrorLaunchTimeout,
                                   cudaErrorAssert, cudaErrorECCUncorrectable}) {
    EXPECT_THAT(said_of(status), AllOf(HasSubstr("lost: "), HasSubstr("start it again"))) << status;
  }
}
#endif

}  // namespace
}  // namespace slotscape

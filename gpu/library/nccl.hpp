#pragma once

#include "gpu/base/error.hpp"

#include <dlfcn.h>

#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

/// NCCL, opened on first use: programs are built without it. The part of its interface declared here has been stable
/// since version 2.14.
namespace slotscape::nccl {

inline constexpr int success = 0;
inline constexpr int in_progress = 7;  ///< the call continues in the background
inline constexpr int bytes = 1;        ///< ncclUint8
inline constexpr int min_version = 21400;

/// ncclUniqueId: identifies a communicator to its ranks.
struct UniqueId {
  char internal[128];
};

/// ncclConfig_t as of version 2.17. Newer versions accept it by its version number.
struct Config {
  std::size_t size = sizeof(Config);
  unsigned magic = 0xcafebeef;
  unsigned version = 21700;
  int blocking = 0;
  int cluster_size = INT_MIN;  ///< NCCL's default, here and below
  int min_blocks = INT_MIN;
  int max_blocks = INT_MIN;
  char const* net_name = nullptr;
};

/// NCCL's functions. A communicator (ncclComm_t) is passed as void*, a stream as the type behind cudaStream_t.
class Library {
public:
  using Communicator = void*;

  /// Throws Error, with advice, if NCCL is missing or too old.
  static Library const& get()
  {
    static Library const library;
    return library;
  }

  int (*get_unique_id)(UniqueId*) = nullptr;
  int (*init_rank)(Communicator*, int ranks, UniqueId, int rank, Config*) = nullptr;
  int (*count)(Communicator, int*) = nullptr;
  int (*user_rank)(Communicator, int*) = nullptr;
  int (*finalize)(Communicator) = nullptr;
  int (*destroy)(Communicator) = nullptr;
  int (*abort)(Communicator) = nullptr;
  int (*get_async_error)(Communicator, int*) = nullptr;
  int (*group_start)() = nullptr;
  int (*group_end)() = nullptr;
  int (*send)(void const*, std::size_t count, int type, int to, Communicator, void* stream) = nullptr;
  int (*receive)(void*, std::size_t count, int type, int from, Communicator, void* stream) = nullptr;

  /// For example, 22703 is 2.27.3.
  int version() const { return version_; }
  /// For example, "unhandled cuda error (Failed to find a device)".
  std::string describe(int result) const
  {
    std::string text = get_error_string_(result);
    char const* const more = get_last_error_ == nullptr ? nullptr : get_last_error_(nullptr);
    if (more != nullptr && *more != '\0') { text += std::string(" (") + more + ')'; }
    return text;
  }
  /// Throws Error unless the call succeeded or continues in the background.
  void check(int result, char const* call) const
  {
    if (result == success || result == in_progress) { return; }
    throw Error(std::string("NCCL: ") + describe(result) + " in " + call + ". NCCL_DEBUG=INFO has it say more.");
  }

private:
  Library()
  {
    // NVLink multicast does not help an exchange, and a program that dies while using it can put GPUs out of service.
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    char const* const named = std::getenv("SLOTSCAPE_NCCL");
    char const* const path = named == nullptr || *named == '\0' ? "libnccl.so.2" : named;
    library_ = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) {
      throw Error(std::string("NCCL was not found (") + dlerror() +
                  "). Install it (the package libnccl2 of NVIDIA, or pip install nvidia-nccl-cu13), and have the "
                  "environment's SLOTSCAPE_NCCL say where libnccl.so.2 is if the system does not find it.");
    }
    find(get_version_, "ncclGetVersion");
    find(get_error_string_, "ncclGetErrorString");
    check(get_version_(&version_), "ncclGetVersion");
    if (version_ < min_version) {
      throw Error("NCCL " + std::to_string(version_) + " (" + path + ") is too old: install 2.14 or newer.");
    }
    find(get_unique_id, "ncclGetUniqueId");
    find(init_rank, "ncclCommInitRankConfig");
    find(count, "ncclCommCount");
    find(user_rank, "ncclCommUserRank");
    find(finalize, "ncclCommFinalize");
    find(destroy, "ncclCommDestroy");
    find(abort, "ncclCommAbort");
    find(get_async_error, "ncclCommGetAsyncError");
    find(group_start, "ncclGroupStart");
    find(group_end, "ncclGroupEnd");
    find(send, "ncclSend");
    find(receive, "ncclRecv");
    find(get_last_error_, "ncclGetLastError");
  }

  template <class Function>
  void find(Function& function, char const* name)
  {
    void* const symbol = dlsym(library_, name);
    if (symbol == nullptr) {
      throw Error(std::string("The library that was found as NCCL has no ") + name + ": install NCCL 2.14 or newer.");
    }
    function = reinterpret_cast<Function>(symbol);
  }

  void* library_ = nullptr;  ///< stays open: NCCL's threads may outlive its users
  int version_ = 0;
  int (*get_version_)(int*) = nullptr;
  char const* (*get_error_string_)(int) = nullptr;
  char const* (*get_last_error_)(Communicator) = nullptr;
};

}  // namespace slotscape::nccl

// watched_program.cpp with its table in the memory of a CUDA device, of every kind there is. It uses the driver alone,
// so that it runs with the one of fake_cuda.cpp, too.

#include "gpu/library/watch.hpp"

#include <chrono>
#include <csignal>
#include <iostream>
#include <sstream>
#include <string>

namespace {

using Address = unsigned long long;
using Clock = std::chrono::steady_clock;

struct Slot {
  std::uint64_t key;
  std::uint64_t value;
};

/// CUmemPoolProps and CUmemAllocationProp, as far as they matter here: both begin alike.
struct Properties {
  int type = 1;    // pinned
  int handle = 1;  // POSIX file descriptors
  int location_type = 1;
  int location = 0;
  unsigned char rest[240] = {};
};

class Driver {
public:
  Driver() : library_(dlopen("libcuda.so.1", RTLD_NOW))
  {
    if (library_ == nullptr || call<int(unsigned)>("cuInit", 0u) != 0) { return; }
    int device = 0;
    void* context = nullptr;
    is_there_ = call<int(int*, int)>("cuDeviceGet", &device, 0) == 0 &&
                call<int(void**, int)>("cuDevicePrimaryCtxRetain", &context, device) == 0 &&
                call<int(void*)>("cuCtxPushCurrent_v2", context) == 0;
  }
  bool is_there() const { return is_there_; }

  template <class Signature, class... Arguments>
  int call(char const* name, Arguments... arguments) const
  {
    auto* const function = reinterpret_cast<Signature*>(dlsym(library_, name));
    return function == nullptr ? -1 : function(arguments...);
  }

  /// 0 if it cannot be had.
  Address allocate(std::string const& kind, std::size_t bytes) const
  {
    Address memory = 0;
    int status = -1;
    if (kind == "malloc") { status = call<int(Address*, std::size_t)>("cuMemAlloc_v2", &memory, bytes); }
    if (kind == "managed") {
      constexpr unsigned global = 1;
      status = call<int(Address*, std::size_t, unsigned)>("cuMemAllocManaged", &memory, bytes, global);
    }
    if (kind == "pool") {
      status = call<int(Address*, std::size_t, void*)>("cuMemAllocAsync", &memory, bytes, nullptr);
    }
    if (kind == "shared_pool") {
      Properties const properties;
      void* pool = nullptr;
      status = call<int(void**, Properties const*)>("cuMemPoolCreate", &pool, &properties);
      if (status == 0) {
        status =
            call<int(Address*, std::size_t, void*, void*)>("cuMemAllocFromPoolAsync", &memory, bytes, pool, nullptr);
      }
    }
    if (kind == "created") { status = create(memory, bytes); }
    synchronize();
    return status == 0 ? memory : 0;
  }
  void free(std::string const& kind, Address memory, std::size_t bytes) const
  {
    synchronize();
    if (kind != "created") {
      call<int(Address)>("cuMemFree_v2", memory);
      return;
    }
    call<int(Address, std::size_t)>("cuMemUnmap", memory, whole(bytes));
    call<int(Address, std::size_t)>("cuMemAddressFree", memory, whole(bytes));
  }
  void upload(Address to, void const* from, std::size_t bytes) const
  {
    call<int(Address, Address, std::size_t, void*)>("cuMemcpyAsync", to, reinterpret_cast<std::uintptr_t>(from), bytes,
                                                    nullptr);
    synchronize();
  }
  void synchronize() const { call<int(void*)>("cuStreamSynchronize", nullptr); }

private:
  /// Memory of cuMemCreate comes in pieces of 2 MiB.
  static std::size_t whole(std::size_t bytes)
  {
    constexpr std::size_t piece = std::size_t{2} << 20;
    return (bytes + piece - 1) / piece * piece;
  }
  int create(Address& memory, std::size_t bytes) const
  {
    Properties const properties;
    slotscape::watch_link::Cuda::Access const access{1, 0, 3};
    Address handle = 0;
    int status = call<int(Address*, std::size_t, Properties const*, Address)>("cuMemCreate", &handle, whole(bytes),
                                                                              &properties, Address{0});
    if (status != 0) { return status; }
    status =
        call<int(Address*, std::size_t, std::size_t, Address, Address)>("cuMemAddressReserve", &memory, whole(bytes),
                                                                        std::size_t{0}, Address{0}, Address{0});
    if (status != 0) { return status; }
    status = call<int(Address, std::size_t, std::size_t, Address, Address)>("cuMemMap", memory, whole(bytes),
                                                                            std::size_t{0}, handle, Address{0});
    if (status != 0) { return status; }
    call<int(Address)>("cuMemRelease", handle);
    return call<int(Address, std::size_t, slotscape::watch_link::Cuda::Access const*, std::size_t)>(
        "cuMemSetAccess", memory, whole(bytes), &access, std::size_t{1});
  }

  void* library_;
  bool is_there_ = false;
};

class Program {
public:
  /// False after the last command.
  bool obey(std::string const& line)
  {
    std::istringstream words(line);
    std::string command;
    words >> command;
    if (command == "quit") { return false; }
    if (command == "device") { return answer(driver_.is_there() ? "done" : "there is no CUDA device"); }
    if (command == "watch") { return watch(words); }
    if (command == "insert") { insert(words); }
    if (command == "move") { return move(words); }
    if (command == "end") { return end(); }
    if (command == "viewers") { return answer(std::to_string(watch_->viewers())); }
    if (command == "snapshot") { watch_->snapshot(); }
    if (command == "kill") { raise(SIGKILL); }
    return answer("done");
  }

private:
  static bool answer(std::string const& text)
  {
    std::cout << text << std::endl;
    return true;
  }
  static std::string milliseconds_since(Clock::time_point start)
  {
    return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count());
  }
  static slotscape::WatchLayout layout_of(std::size_t slots)
  {
    auto layout = slotscape::WatchLayout::pairs<std::uint64_t, std::uint64_t>(slots);
    layout.empty_key = 0;
    return layout;
  }
  std::size_t bytes() const { return slots_.size() * sizeof(Slot); }
  bool make(std::size_t slots)
  {
    slots_.assign(slots, Slot{});
    memory_ = driver_.allocate(kind_, bytes());
    if (memory_ != 0) { driver_.upload(memory_, slots_.data(), bytes()); }
    return memory_ != 0;
  }
  Slot const* memory() const
  {
    return reinterpret_cast<Slot const*>(memory_);  // NOLINT(performance-no-int-to-ptr): CUDA has it as a number
  }

  /// watch NAME SLOTS KIND [snapshots] [fast]
  bool watch(std::istringstream& words)
  {
    std::string name;
    std::size_t count = 0;
    words >> name >> count >> kind_;
    slotscape::WatchOptions options;
    for (std::string word; words >> word;) {
      if (word == "snapshots") { options.snapshots = true; }
      if (word == "fast") { options.copies_per_second = 100.0; }
    }
    if (!make(count)) { return answer("there is no memory of this kind"); }
    watch_ = std::make_unique<slotscape::Watch>(name, memory(), count, layout_of(count), options);
    return answer(watch_->problem().empty() ? "done" : watch_->problem());
  }
  void insert(std::istringstream& words)
  {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    words >> first >> count;
    for (std::uint64_t key = first; key < first + count; ++key) { slots_[key] = {key, 10 * key}; }
    driver_.upload(memory_, slots_.data(), bytes());
  }
  /// Says how many milliseconds `moved` took.
  bool move(std::istringstream& words)
  {
    std::size_t count = 0;
    words >> count;
    Address const old = memory_;
    std::size_t const old_bytes = bytes();
    if (!make(count)) { return answer("there is no memory"); }
    auto const start = Clock::now();
    watch_->moved(memory(), count, layout_of(count));
    std::string const took = milliseconds_since(start);
    driver_.free(kind_, old, old_bytes);
    return answer(took);
  }
  bool end()
  {
    auto const start = Clock::now();
    watch_.reset();
    std::string const took = milliseconds_since(start);
    driver_.free(kind_, memory_, bytes());
    return answer(took);
  }

  Driver driver_;
  std::string kind_;
  std::vector<Slot> slots_;
  Address memory_ = 0;
  std::unique_ptr<slotscape::Watch> watch_;
};

}  // namespace

int main()
{
  Program program;
  std::string line;
  while (std::getline(std::cin, line) && program.obey(line)) {}
}

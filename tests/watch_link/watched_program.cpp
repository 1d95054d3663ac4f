// A program that knows nothing of Slotscape but one header. It does what its standard input says, line by line, and
// answers each with a line.

#include "gpu/library/watch.hpp"

#include <sys/wait.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

namespace {

struct Slot {
  std::uint64_t key;
  std::uint64_t value;
};

/// Memory that is gone when it is freed.
template <class T>
struct MappedAllocator {
  using value_type = T;
  T* allocate(std::size_t count)
  {
    void* const memory = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) { throw std::bad_alloc(); }
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) { munmap(memory, count * sizeof(T)); }
};

/// Linear probing, as one writes it in an afternoon.
template <class Allocator>
class Table {
public:
  explicit Table(std::size_t slots) : slots_(slots, Slot{0, 0}) {}

  void insert(std::uint64_t key, std::uint64_t value)
  {
    std::size_t at = (key * 0x9e3779b97f4a7c15u) & (slots_.size() - 1);
    while (slots_[at].key != 0 && slots_[at].key != key) { at = (at + 1) & (slots_.size() - 1); }
    slots_[at] = {key, value};
  }
  Slot const* data() const { return slots_.data(); }
  std::size_t size() const { return slots_.size(); }

private:
  std::vector<Slot, Allocator> slots_;
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
    if (command == "watch") { return watch(words); }
    if (command == "insert") { return insert(words); }
    if (command == "move") { return move(words); }
    if (command == "free") { return free_table(); }
    if (command == "end") { return end(); }
    if (command == "viewers") { return answer(std::to_string(watch_->viewers())); }
    if (command == "fork") { return fork_child(); }
    if (command == "throughput") { return measure(words); }
    if (command == "kill") { raise(SIGKILL); }
    if (command == "snapshot") { watch_->snapshot(); }
    if (command == "mark") {
      std::string text;
      std::getline(words >> std::ws, text);
      watch_->mark(text);
    }
    return answer("done");
  }

private:
  using Plain = Table<MappedAllocator<Slot>>;
  using Shared = Table<slotscape::watch_allocator<Slot>>;

  static bool answer(std::string const& text)
  {
    std::cout << text << std::endl;
    return true;
  }

  static slotscape::WatchLayout layout_of(std::size_t slots)
  {
    auto layout = slotscape::WatchLayout::pairs<std::uint64_t, std::uint64_t>(slots);
    layout.empty_key = 0;
    layout.hash = {"fibonacci", 0, "mask", {}};
    layout.probing = "linear";
    return layout;
  }
  void make(std::size_t slots, bool shared)
  {
    if (shared) {
      shared_ = std::make_unique<Shared>(slots);
    } else {
      plain_ = std::make_unique<Plain>(slots);
    }
  }
  Slot const* slots() const { return shared_ ? shared_->data() : plain_->data(); }
  std::size_t size() const { return shared_ ? shared_->size() : plain_->size(); }
  void put(std::uint64_t key) { shared_ ? shared_->insert(key, 10 * key) : plain_->insert(key, 10 * key); }

  /// watch NAME SLOTS [shared] [snapshots] [unreadable]
  bool watch(std::istringstream& words)
  {
    std::string name;
    std::size_t count = 0;
    words >> name >> count;
    slotscape::WatchOptions options;
    bool shared = false;
    for (std::string word; words >> word;) {
      if (word == "shared") { shared = true; }
      if (word == "snapshots") { options.snapshots = true; }
      if (word == "unreadable") { options.may_be_read = false; }
      if (word == "fast") { options.copies_per_second = 100.0; }
    }
    make(count, shared);
    watch_ = std::make_unique<slotscape::Watch>(name, slots(), size(), layout_of(count), options);
    return answer(watch_->problem().empty() ? "done" : watch_->problem());
  }
  /// insert FIRST COUNT
  bool insert(std::istringstream& words)
  {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    words >> first >> count;
    for (std::uint64_t key = first; key < first + count; ++key) { put(key); }
    return answer("done");
  }
  /// move SLOTS TEXT
  bool move(std::istringstream& words)
  {
    std::size_t count = 0;
    std::string text;
    words >> count;
    std::getline(words >> std::ws, text);
    auto const old_plain = std::move(plain_);
    auto const old_shared = std::move(shared_);
    make(count, old_shared != nullptr);
    watch_->moved(slots(), size(), layout_of(count), text);
    return answer("done");
  }
  /// Without telling anybody.
  bool free_table()
  {
    plain_.reset();
    shared_.reset();
    return answer("done");
  }
  /// Says how many milliseconds the end of the watch took.
  bool end()
  {
    auto const start = std::chrono::steady_clock::now();
    watch_.reset();
    auto const passed = std::chrono::steady_clock::now() - start;
    return answer(std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(passed).count()));
  }
  /// A child that outlives nothing: its watch must do nothing, and its own must work.
  bool fork_child()
  {
    pid_t const child = fork();
    if (child == 0) {
      watch_->mark("from the child");
      watch_.reset();
      slotscape::Watch const own("of_the_child", slots(), size(), layout_of(size()));
      _exit(own.problem().empty() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return answer(std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : -1));
  }
  /// throughput MILLISECONDS: insertions in a second of this thread's own time, which others on the machine take none
  /// of.
  bool measure(std::istringstream& words)
  {
    int milliseconds = 0;
    words >> milliseconds;
    auto const end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    std::uint64_t done = 0;
    std::uint64_t const keys = size() / 2;
    double const start = thread_seconds();
    while (std::chrono::steady_clock::now() < end) {
      for (int i = 0; i < 1000; ++i, ++done) { put(done % keys + 1); }
    }
    return answer(std::to_string(static_cast<double>(done) / (thread_seconds() - start)));
  }

  static double thread_seconds()
  {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  }

  std::unique_ptr<Plain> plain_;
  std::unique_ptr<Shared> shared_;
  std::unique_ptr<slotscape::Watch> watch_;
};

}  // namespace

int main()
{
  Program program;
  std::string line;
  while (std::getline(std::cin, line) && program.obey(line)) {}
}

// A hash table as one writes it in an afternoon, which can be looked at while the program runs.

#include <slotscape/watch.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

struct Slot {
  std::uint64_t key = 0;  // 0: empty
  std::uint64_t value = 0;
};

class Table {
public:
  explicit Table(std::size_t slots) : slots_(slots) {}

  void insert(std::uint64_t key, std::uint64_t value)
  {
    std::size_t at = hash(key) & (slots_.size() - 1);
    while (slots_[at].key != 0 && slots_[at].key != key) { at = (at + 1) & (slots_.size() - 1); }
    if (slots_[at].key == 0) { ++keys_; }
    slots_[at] = {key, value};
  }
  std::size_t keys() const { return keys_; }
  Slot const* data() const { return slots_.data(); }
  std::size_t slots() const { return slots_.size(); }

private:
  // The finaliser of MurmurHash3.
  static std::uint64_t hash(std::uint64_t x)
  {
    x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
    x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
    return x ^ (x >> 33);
  }

  // The allocator is for viewers, who can map its memory. Without it, they read or copy the table.
  std::vector<Slot, slotscape::watch_allocator<Slot>> slots_;
  std::size_t keys_ = 0;
};

}  // namespace

/// own_table [SECONDS]
int main(int count, char** arguments)
{
  int const seconds = count > 1 ? std::atoi(arguments[1]) : 60;
  Table table(1 << 20);

  auto layout = slotscape::WatchLayout::pairs<std::uint64_t, std::uint64_t>(table.slots());
  layout.empty_key = 0;
  layout.hash.function = "murmur3";
  layout.hash.reduction = "mask";
  layout.probing = "linear";
  slotscape::Watch watch("customers", table.data(), table.slots(), layout);

  auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  for (std::uint64_t customer = 1; std::chrono::steady_clock::now() < end; ++customer) {
    if (table.keys() < table.slots() * 9 / 10) { table.insert(customer, customer * customer); }
    if (customer % 4096 == 0) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
    if (customer % 1000000 == 0) { watch.mark(std::to_string(customer) + " customers"); }
  }
  std::printf("%zu customers\n", table.keys());
  return watch.problem().empty() ? 0 : 1;
}

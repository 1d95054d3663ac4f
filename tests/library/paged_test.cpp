// Tables in pages on the CPU: in order, and with copies that are made as late as the table allows.

#include "tests/library/on_cpu.hpp"
#include "tests/library/paged_cases.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

namespace slotscape {

/// The CPU, with copies that wait until somebody waits for them: what forgets to wait gets the wrong bytes.
class LateCpu : public exec::Cpu {
public:
  using Cpu::Cpu;
  static inline bool arrays_are_on_device = false;  ///< those that are passed to calls
};

namespace exec {

template <>
class CopyStream<LateCpu> {
public:
  class Mark {
    friend CopyStream;
    CopyStream* stream_ = nullptr;
    std::size_t place_ = 0;
  };

  explicit CopyStream(LateCpu&) {}

  void copy(void* to, void const* from, std::uint64_t bytes)
  {
    if (bytes == 0) { return; }
    submitted_.emplace_back([=] { std::memcpy(to, from, bytes); });
  }
  void record(Mark& mark)
  {
    mark.stream_ = this;
    mark.place_ = submitted_.size();
  }
  void wait_for(Mark const& mark)
  {
    submitted_.emplace_back([mark] { finish(mark); });
  }
  void wait() { do_until(submitted_.size()); }

  static void record(LateCpu&, Mark& mark) { mark.stream_ = nullptr; }  // work is done when it is submitted
  static void wait_for(LateCpu&, Mark const& mark) { finish(mark); }
  static double seconds(Mark const&, Mark const& to)
  {
    finish(to);
    return 0.0;
  }
  static bool is_on_device(void const*) { return LateCpu::arrays_are_on_device; }
  static std::uint64_t free_memory() { return std::uint64_t{1} << 28; }

private:
  static void finish(Mark const& mark)
  {
    if (mark.stream_ != nullptr) { mark.stream_->do_until(mark.place_); }
  }
  void do_until(std::size_t place)
  {
    while (done_ < place) {
      auto const next = submitted_[done_++];
      next();
    }
  }

  std::vector<std::function<void()>> submitted_;
  std::size_t done_ = 0;
};

}  // namespace exec

namespace {

template <class Family, class Key>
class LatePagedTable final : public BasicPagedTable<Family, LateCpu, FormatOf<Key>> {
  using Base = BasicPagedTable<Family, LateCpu, FormatOf<Key>>;

public:
  LatePagedTable(TableOptions const& options, PagingOptions const& how)
      : Base(options, how, std::make_unique<LateCpu>(exec::Memories(options.memory, options.scratch)))
  {
  }
};
template <bool arrays_are_on_device>
struct OnLateCpu : OnCpu {
  static constexpr bool host_arrays_are_copied = !arrays_are_on_device;
  template <class Family, class Key>
  using PagedTable = LatePagedTable<Family, Key>;
  template <class Family, class Key>
  PagedTable<Family, Key> make_paged(TableOptions const& options, PagingOptions const& how)
  {
    LateCpu::arrays_are_on_device = arrays_are_on_device;
    return PagedTable<Family, Key>(options, how);
  }
};

using PagedCases =
    testing::Types<Case<OnCpu, families::linear_probing, std::uint64_t>,
                   Case<OnCpu, families::segmented_cuckoo, std::uint32_t>,
                   Case<OnCpu, families::graveyard, std::uint32_t>, Case<OnCpu, families::sorted_array, std::uint64_t>>;
INSTANTIATE_TYPED_TEST_SUITE_P(OnTheCpu, LibraryPages, PagedCases);
using LateCases = testing::Types<Case<OnLateCpu<false>, families::segmented_cuckoo, std::uint64_t>,
                                 Case<OnLateCpu<true>, families::segmented_cuckoo, std::uint64_t>>;
INSTANTIATE_TYPED_TEST_SUITE_P(WithLateCopies, LibraryPages, LateCases);

TEST(LibraryPagesThemselves, LeaveTheHomesOfAPageSpread)
{
  constexpr std::uint32_t pages = 256;
  constexpr std::uint32_t ranges = 16;
  constexpr std::uint64_t slots = std::uint64_t{1} << 25;  // of a page of 2^33 slots
  auto const layout = families::linear_probing::layout<Narrow>(
      {.family = "linear_probing", .slots = slots, .key_bits = 32, .parameters = {}});
  for (std::uint32_t const page : {0u, 101u, pages - 1}) {
    std::array<std::uint64_t, ranges> homes{};
    std::uint64_t count = 0;
    for (std::uint32_t key = 0; key < (1u << 22); ++key) {
      if (ShardOf{pages}.segment(key) != page) { continue; }
      ++homes[layout.home(key) / (slots / ranges)];
      ++count;
    }
    double const mean = static_cast<double>(count) / ranges;
    for (std::uint64_t const of_range : homes) {
      EXPECT_NEAR(static_cast<double>(of_range), mean, 5.0 * std::sqrt(mean)) << "page " << page;
    }
  }
}

}  // namespace
}  // namespace slotscape

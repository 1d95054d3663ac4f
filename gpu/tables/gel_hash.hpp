#pragma once

#include "gpu/tables/chains.hpp"
#include "gpu/tables/groups.hpp"
#include "gpu/tables/table_parts.hpp"

#include <array>
#include <string_view>

namespace slotscape {

/// GEL-HASH (Gao, Xu, Xu, Wang, Yang, Luan & Qian 2019, Towards a General and Efficient Linked-List Hash Table on
/// GPUs): a linked list for each bucket; groups of operations that take effect together; and operations executed by one
/// thread each or by several together, whichever is faster for the application's workload.
///
/// The paper is not freely available. From its abstract, and from Shortt 2020, 2.3: collisions are resolved by linked
/// lists, whose structure suits GPUs; a readers-writer lock for each bucket makes operations, and groups of them,
/// atomic, for instance for database transactions; an operation is executed by a thread or by a warp, and both are
/// combined; a benchmark of the application's operations, run beforehand, decides between them. It is faster than
/// SlabHash up to about 2^17 pairs. Unknown to us: how a node is laid out, how nodes are allocated and freed, how and
/// in which order locks are taken, what a group does if one of its operations fails, and how the benchmark decides.
///
/// So our choices are:
/// - A node is eight words, seven pairs and a link, taken from a pool as in `Chains`. With 32-bit pairs that is 64
///   bytes: half a slab, so that lists of few pairs waste less, and a single thread reads a node in four accesses to
///   neighbouring addresses.
/// - There are no locks. A thread that waits for a lock may keep the lock's holder in the same warp from proceeding,
///   and
///   all threads that insert one hot key would wait for each other. A single operation is lock-free: see
///   `WindowProbing`. Groups are batches whose operations take effect in their order: they are sorted by list, stably,
///   and one thread applies the operations of a list, one after another (`GroupTable`). Lists do not depend on each
///   other, so the whole batch behaves as if one thread had run it, and any consecutive operations are a group. No
///   thread waits for another. An operation that finds no room does not undo the others of its group.
/// - The execution level is chosen from the times of the application's own batches (`LevelChoice`), while they run.
struct GelHash : Chains<GelHash, 8> {
  SLOTSCAPE_HOST_DEVICE static constexpr char const* node() { return "node"; }
  static constexpr PoolWords in_words{
      translatable("Node {} of the pool (slots {} to {}) is in no chain yet: it becomes part of this one"),
      translatable("Node {} of the pool (slots {} to {}) now follows node {}"),
      translatable("Node {} of the pool (slots {} to {}) follows node {} already")};

  static constexpr std::array<std::uint32_t, 3> pool_choices{50, 100, 200};
  static constexpr std::array<std::uint32_t, 3> level_choices{static_cast<std::uint32_t>(ExecutionLevel::thread),
                                                              static_cast<std::uint32_t>(ExecutionLevel::adaptive),
                                                              static_cast<std::uint32_t>(ExecutionLevel::warp)};
  static constexpr std::array<std::string_view, 3> level_names{"one thread each", "adaptive", "together"};
  static constexpr std::array<std::uint32_t, 2> group_choices{0, 1};
  static constexpr std::array<std::string_view, 2> group_names{"no", "yes"};
  static constexpr std::array parameters{
      Parameter{.name = "pool",
                .title = "Pool, %",
                .help =
                    "Spare nodes for growing lists, per 100 lists. Once all are used, full lists accept no more keys.",
                .fallback = 100,
                .choices = pool_choices},
      Parameter{.name = "execution",
                .title = "Execution",
                .help =
                    "Who reads the nodes of an operation: its own thread, or neighbouring threads together. Adaptive: "
                    "large batches of each kind are timed, and later ones run the faster way.",
                .fallback = static_cast<std::uint32_t>(ExecutionLevel::adaptive),
                .choices = level_choices,
                .choice_names = level_names,
                .is_tuned = false},
      Parameter{.name = "groups",
                .title = "Groups",
                .help = "A batch takes effect in order, so that neighbouring operations in it take effect together. "
                        "One thread then applies all operations on a list, so hot keys take longer.",
                .fallback = 0,
                .choices = group_choices,
                .choice_names = group_names,
                .is_tuned = false}};

  /// Relative to all slots for pairs, including those of the pool, at its smallest size: 12 α keys per list, while half
  /// of the lists have only seven slots. Lower for few lists, which vary more.
  static constexpr double safe_load(std::uint64_t slots) { return slots < 4096 ? 0.5 : 0.55; }
  static constexpr Guarantees guarantees(TableSettings const& settings)
  {
    bool const reuses = settings.deletion == Deletion::tombstone_reuse;
    Concurrency const concurrency = reuses ? Concurrency::erases_apart : Concurrency::mixed;
    return {.concurrency = unless_combining(concurrency, settings.combine),
            .erase_frees_bucket = reuses,
            .safe_load = safe_load(settings.slots)};
  }
  static constexpr FamilyInfo info{
      .name = "gel_hash",
      .title = "GEL-Hash",
      .source = "Gao et al. 2019, Towards a General and Efficient Linked-List Hash Table on GPUs",
      .idea =
          "A bucket is a linked list of nodes of 7 slots. Operations run one by one or in groups that take effect "
          "together, each by one thread or by several.",
      .guarantees = guarantees,
      .deletes_two_ways = true,
      .paths_end = true,
      .wide = true,
      .parameters = parameters,
      .measure = {"Nodes", "nodes passed"},
      .groups = {"List length", "nodes in a list"},
      .keys_per_group_unit = link_lane,
      .theory = TheoryOf::poisson_groups,
      .steps = {.next = ", the next node of its list",
                .ends = "Its list ends here",
                .links = "Slot {} now links to a new node"}};

  template <class Layout>
  SLOTSCAPE_HOST_DEVICE static bool keeps_keys(Layout const& layout)
  {
    return layout.deletion == Deletion::empty_value;
  }
  template <PairFormat Format>
  SLOTSCAPE_HOST_DEVICE static constexpr typename Format::Word erased_word()
  {
    return Format::tombstone_word;
  }

  /// Whether batches take effect in their order.
  static bool takes_groups(TableSettings const& settings) { return parameter_of(info, settings, "groups") != 0; }
  static ExecutionLevel level(TableSettings const& settings)
  {
    return static_cast<ExecutionLevel>(parameter_of(info, settings, "execution"));
  }

  static TableParts parts(TableSettings const& settings)
  {
    Layout<Narrow> const shape = layout<Narrow>(settings);
    std::uint64_t const first_of_pool = std::uint64_t{shape.buckets} * size;
    return {{"lists", 0, first_of_pool}, {"pool", static_cast<Slot>(first_of_pool), shape.slots() - first_of_pool}};
  }
};

namespace families {
using gel_hash = GelHash;
}

}  // namespace slotscape

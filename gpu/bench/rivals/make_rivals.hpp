#pragma once

#include "gpu/bench/join_bench.hpp"

namespace slotscape::bench {

std::unique_ptr<TableBench> make_standard_bench(Rival const& rival, TableCase const& subject);
std::unique_ptr<TableBench> make_tbb_bench(Rival const& rival, TableCase const& subject);
/// Null if the library was not found when the program was built.
std::unique_ptr<TableBench> make_abseil_bench(Rival const& rival, TableCase const& subject);
std::unique_ptr<TableBench> make_boost_bench(Rival const& rival, TableCase const& subject);
std::unique_ptr<TableBench> make_libcuckoo_bench(Rival const& rival, TableCase const& subject);

/// For a case with a rival, which must be one of `row_rivals`. Throws Error if it is not compiled in.
std::unique_ptr<JoinBench> make_rival_join_bench(JoinCase const& subject);
std::unique_ptr<GroupBench> make_rival_group_bench(GroupCase const& subject);

}  // namespace slotscape::bench

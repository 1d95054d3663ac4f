#pragma once

#include "gpu/bench/rivals.hpp"

namespace slotscape::bench {

std::unique_ptr<TableBench> make_standard_bench(Rival const& rival, TableCase const& subject);
std::unique_ptr<TableBench> make_tbb_bench(Rival const& rival, TableCase const& subject);
/// Null if the library was not there when the program was built.
std::unique_ptr<TableBench> make_abseil_bench(Rival const& rival, TableCase const& subject);
std::unique_ptr<TableBench> make_boost_bench(Rival const& rival, TableCase const& subject);
std::unique_ptr<TableBench> make_libcuckoo_bench(Rival const& rival, TableCase const& subject);

}  // namespace slotscape::bench

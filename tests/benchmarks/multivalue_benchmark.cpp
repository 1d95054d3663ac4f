#include "tests/benchmarks/multivalue_benchmark.hpp"

#include "gpu/execution/cpu.hpp"

namespace slotscape::multivalue {
namespace {

bool const added = [] {
  add_constructions<exec::Cpu>("cpu", {std::uint64_t{1} << 20});
  return true;
}();

}  // namespace
}  // namespace slotscape::multivalue

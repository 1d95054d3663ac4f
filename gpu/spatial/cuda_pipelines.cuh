#pragma once

#include "gpu/execution/cuda.cuh"
#include "gpu/spatial/pipeline.hpp"

namespace slotscape::spatial {

/// Each function has its own translation unit, so that nvcc compiles them in parallel.
std::unique_ptr<Pipeline<exec::Cuda>> make_linear_probing_pipeline(exec::Cuda& exec, bool wide);
std::unique_ptr<Pipeline<exec::Cuda>> make_formula_pipeline(exec::Cuda& exec, bool wide);
std::unique_ptr<Pipeline<exec::Cuda>> make_two_level_cuckoo_pipeline(exec::Cuda& exec);

}  // namespace slotscape::spatial

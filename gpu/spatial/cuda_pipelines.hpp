#pragma once

#include "gpu/spatial/pipeline.hpp"

namespace slotscape::exec {
class Cuda;
}

namespace slotscape::spatial {

/// One translation unit each, as nvcc takes its time.
std::unique_ptr<Pipeline<exec::Cuda>> make_linear_probing_pipeline(exec::Cuda& exec, bool wide);
std::unique_ptr<Pipeline<exec::Cuda>> make_two_level_cuckoo_pipeline(exec::Cuda& exec);

}  // namespace slotscape::spatial

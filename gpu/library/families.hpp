#pragma once

/// The families that a table can be of: `families::linear_probing` and so on. docs/families.md describes them.
#include "gpu/tables/cuckoo.hpp"
#include "gpu/tables/double_hashing.hpp"
#include "gpu/tables/hash_graph.hpp"
#include "gpu/tables/hopscotch.hpp"
#include "gpu/tables/linear_probing.hpp"
#include "gpu/tables/perfect_hash.hpp"
#include "gpu/tables/quadratic.hpp"
#include "gpu/tables/robin_hood.hpp"
#include "gpu/tables/segmented_cuckoo.hpp"
#include "gpu/tables/simple_hash.hpp"
#include "gpu/tables/slab.hpp"
#include "gpu/tables/sorted_array.hpp"
#include "gpu/tables/swiss.hpp"
#include "gpu/tables/two_choice.hpp"
#include "gpu/tables/two_level_cuckoo.hpp"
#include "gpu/tables/warp_cooperative.hpp"

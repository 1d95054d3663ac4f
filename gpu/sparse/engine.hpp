#pragma once

#include "gpu/base/progress.hpp"
#include "gpu/engine/inspected_table.hpp"
#include "gpu/sparse/sites.hpp"
#include "gpu/tables/settings.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::sparse {

/// Which sites are in the output of a convolution.
enum class Mode : std::uint8_t {
  submanifold,  ///< those of the input (Graham & van der Maaten 2017): they stay sparse, however many layers there are
  sparse,       ///< every site that reads an active input, even outside the input's box; coarser with a stride
  transposed    ///< from the outputs of a strided convolution back to its inputs
};

/// The order in which rows are numbered, which determines what is adjacent in memory.
enum class Order : std::uint8_t {
  given,      ///< in the order of the given sites
  row_major,  ///< by flattened index
  morton      ///< along the Z-order curve, which keeps neighbours close in all directions
};

/// How the kernel map is computed.
enum class Search : std::uint8_t {
  each,       ///< one lookup per output and offset
  symmetric,  ///< lookups for half of the offsets: if b is a's neighbour, a is b's at the opposite offset
  shared      ///< along z, with rows in row-major order, an existing site determines its next neighbour
};

/// The row number in a kernel map if there is no input.
inline constexpr std::uint32_t no_row = 0xffffffffu;

struct SparseSettings {
  std::string family = "linear_probing";  ///< one of `table_families`
  double load_factor = 0.5;               ///< sites / slots: `min_load_factor` to `max_load_factor`
  HashChoice hash = {};
  int kernel = 3;    ///< sites along each axis: 1 to `max_kernel`
  int stride = 1;    ///< 1 to `max_stride`; 1 if the mode is submanifold
  int dilation = 1;  ///< 1 to `max_dilation`
  Mode mode = Mode::submanifold;
  Order order = Order::row_major;
  Search search = Search::each;
  friend bool operator==(SparseSettings const&, SparseSettings const&) = default;
};

inline constexpr double min_load_factor = 0.05;
inline constexpr double max_load_factor = 0.95;
inline constexpr int max_kernel = 7;
inline constexpr int max_stride = 8;
inline constexpr int max_dilation = 8;
inline constexpr std::uint64_t max_sites = 1u << 27;
inline constexpr std::uint64_t max_map_entries = std::uint64_t{1} << 33;  ///< output rows x offsets
inline constexpr std::array<std::string_view, 4> table_families{"linear_probing", "two_level_cuckoo",
                                                                "segmented_cuckoo", "cuckoo"};

/// Throws Error, with advice, if the settings are invalid.
void validate(SparseSettings const& settings);
/// The kernel of these settings over a tensor with these extents; flat if the tensor is.
Kernel kernel_of(SparseSettings const& settings, Extents const& extents);

/// The stages of a convolution whose times are measured, in order.
inline constexpr std::array<std::string_view, 3> stage_names{"Outputs", "Table", "Kernel map"};

struct SparseSnapshot {
  std::uint64_t sites = 0;    ///< rows of the input
  std::uint64_t outputs = 0;  ///< rows of the output
  std::uint64_t pairs = 0;    ///< pairs of an input and an output row, over all offsets
  std::vector<std::uint64_t> pairs_per_offset;
  std::uint64_t lookups = 0;                               ///< in the table, for the kernel map
  std::uint64_t map_bytes = 0;                             ///< of the kernel map
  int key_bits = 32;                                       ///< of the table: 64 if flattened indices need them
  std::array<double, stage_names.size()> stage_seconds{};  ///< by CUDA events, or by wall clock on the CPU
};

/// An input row and an output row that reads it.
struct RowPair {
  std::uint32_t in;
  std::uint32_t out;
  friend bool operator==(RowPair const&, RowPair const&) = default;
};

/// A sparse tensor's sites and their table, in the memory of one device, and the kernel map of a convolution: for every
/// output row and offset the input row, or none. The table maps flattened coordinates to row numbers, as in
/// 'Submanifold Convolution, part 2: Hash Table' (2026); but neighbours are only looked up within the extents, so none
/// wraps round into the next row. Call it from one thread; each call blocks until its result is ready.
class SparseEngine {
public:
  virtual ~SparseEngine() = default;

  virtual Backend backend() const = 0;
  virtual std::string device_name() const = 0;

  /// Sets from 1 to `max_sites` sites within the extents. Repeated sites are left out; returns their number. The lowest
  /// corner of the extents does not affect rows, pairs and slots. Throws Error, and changes nothing, if a site is
  /// outside, or if flattened indices do not fit in 64 bits.
  virtual std::uint64_t set_sites(std::span<Site const> sites, Extents const& extents) = 0;
  virtual Extents const& extents() const = 0;

  /// Builds the table and the kernel map. Returns nullopt if cancelled; then, and after an Error, there are no results.
  virtual std::optional<SparseSnapshot> update(SparseSettings const& settings, Progress const& progress = {}) = 0;
  /// Runs up to `count` layers one after another, each on the outputs of the previous one, until a layer does not fit
  /// or the call is cancelled. Throws Error if the first does not fit. There are no results afterwards.
  virtual std::vector<SparseSnapshot> layers(SparseSettings const& settings, int count,
                                             Progress const& progress = {}) = 0;

  /// --- Results of the last `update`.
  ///
  /// Maps flattened input sites to row numbers; if the mode is transposed, those of the coarse sites.
  virtual InspectedTable& table() = 0;
  /// In row order.
  virtual std::vector<Site> const& inputs() const = 0;
  virtual std::vector<Site> const& outputs() const = 0;
  virtual Extents const& input_extents() const = 0;
  virtual Extents const& output_extents() const = 0;
  virtual Kernel const& kernel() const = 0;
  /// The input row that an output reads at each offset, or `no_row`.
  virtual std::vector<std::uint32_t> neighbours(std::uint32_t output) = 0;
  /// The pairs of one offset, by output row: a part of the so-called rulebook.
  virtual std::vector<RowPair> pairs(std::uint32_t offset) = 0;
};

/// Throws Error if the backend is unavailable.
std::unique_ptr<SparseEngine> make_sparse_engine(Backend backend);

}  // namespace slotscape::sparse

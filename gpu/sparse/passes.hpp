#pragma once

#include "gpu/base/pair_format.hpp"
#include "gpu/execution/atomics.hpp"
#include "gpu/execution/stretches.hpp"
#include "gpu/sparse/engine.hpp"

namespace slotscape::sparse {

/// A part of a kernel map: some offsets of all output rows, or some rows of one offset. Its entries are numbered as in
/// the map, row after row within each offset.
struct Part {
  std::uint64_t rows;  ///< number of output rows
  std::uint32_t first_offset;
  std::uint32_t offsets;
  std::uint64_t first_row;
  std::uint64_t row_count;

  SLOTSCAPE_HOST_DEVICE std::uint64_t size() const { return row_count * offsets; }
  /// The number of its first entry in the map.
  SLOTSCAPE_HOST_DEVICE std::uint64_t first() const { return first_offset * rows + first_row; }
};

/// Writes the flattened index of every site.
template <PairFormat Format>
struct FlattenSites {
  Site const* sites;
  Extents extents;
  typename Format::Key* keys;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    keys[i] = static_cast<typename Format::Key>(extents.flatten(sites[i]));
  }
};
template <PairFormat Format>
struct UnflattenSites {
  typename Format::Key const* keys;
  Extents extents;
  Site* sites;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { sites[i] = extents.site_of(keys[i]); }
};

/// Numbers the rows.
template <class Value>
struct NumberRows {
  std::uint64_t first;
  Value* values;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { values[i] = static_cast<Value>(first + i); }
};

/// Extracts the keys of live words.
template <PairFormat Format>
struct KeysOfWords {
  typename Format::Word const* words;
  typename Format::Key* keys;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { keys[i] = key_of(words[i]); }
};

/// Writes the keys of the outputs that read sites at offsets: candidates, most of which occur several times. Entry i is
/// site i / offsets. If there is no such output, the key is reserved, and tables leave it out.
template <PairFormat Format>
struct ReachOutputs {
  Site const* sites;
  Kernel kernel;
  Extents extents;  ///< of all outputs that read a site
  std::uint64_t first;
  typename Format::Key* keys;
  typename Format::Value* values;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint64_t const entry = first + i;
    Site out;
    bool const reached =
        kernel.output(sites[entry / kernel.offsets()], static_cast<std::uint32_t>(entry % kernel.offsets()), out);
    keys[i] = reached ? static_cast<typename Format::Key>(extents.flatten(out)) : Format::empty_key;
    values[i] = 0;
  }
};

/// Writes the keys that an output row reads at the offsets of a part. If the site is outside the tensor, or already
/// known (`Search::shared`), the key is reserved, and is not looked up.
template <PairFormat Format>
struct KeysToFind {
  Site const* outputs;
  Kernel kernel;
  Extents extents;  ///< of the input
  bool transposed;
  Part part;
  std::uint32_t const* map;  ///< includes the previous offset, if known entries are left out; or null
  typename Format::Key* keys;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint64_t const row = part.first_row + i;
    Site const out = outputs[row];
    for (std::uint32_t k = 0; k < part.offsets; ++k) {
      std::uint32_t const offset = part.first_offset + k;
      Site in;
      bool wanted = kernel.reads(transposed, out, offset, in);
      wanted = wanted && extents.contain(in) && (map == nullptr || map[(offset - 1) * part.rows + row] == no_row);
      keys[k * part.row_count + i] =
          wanted ? static_cast<typename Format::Key>(extents.flatten(in)) : Format::empty_key;
    }
  }
};

/// If the previous input along z exists, the rows in row-major order show whether this one does: it would be the next
/// row.
template <PairFormat Format>
struct ShareNeighbours {
  Site const* outputs;
  Kernel kernel;
  Extents extents;
  std::uint32_t offset;
  std::uint64_t rows;
  typename Format::Key const* input_keys;  ///< ascending
  std::uint64_t inputs;
  std::uint32_t* map;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t row) const
  {
    std::uint32_t const before = map[(offset - 1) * rows + row];
    if (before == no_row) { return; }
    std::uint32_t const next = before + 1;
    Site const in = kernel.input(outputs[row], offset);
    bool const there = extents.contain(in) && next < inputs &&
                       input_keys[next] == static_cast<typename Format::Key>(extents.flatten(in));
    map[offset * rows + row] = there ? next : no_row;
  }
};

/// Converts the wide values of wide tables.
template <PairFormat Format>
struct NarrowRows {
  typename Format::Value const* values;
  std::uint32_t* rows;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    rows[i] = values[i] == Format::empty_value ? no_row : static_cast<std::uint32_t>(values[i]);
  }
};

/// Fills in the other half of a map whose outputs are its inputs: the opposite of offset d is `offsets` - 1 - d.
struct MirrorMap {
  std::uint64_t rows;
  std::uint32_t offsets;
  std::uint32_t* map;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t entry) const
  {
    std::uint32_t const in = map[entry];
    if (in == no_row) { return; }
    std::uint64_t const opposite = offsets - 1 - entry / rows;
    map[opposite * rows + in] = static_cast<std::uint32_t>(entry % rows);
  }
};

/// Counts the pairs of every offset. Item i is a stretch of rows of one offset.
struct CountPairs {
  std::uint32_t const* map;
  std::uint64_t rows;
  std::uint64_t* pairs;  ///< one number per offset

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile) const
  {
    std::uint64_t const stretches = exec::stretches_of(rows);
    std::uint64_t const offset = item / stretches;
    std::uint32_t found = 0;
    exec::for_each_in_stretch(item % stretches, rows, tile,
                              [&](std::uint64_t row) { found += map[offset * rows + row] != no_row ? 1 : 0; });
    found = tile.sum(found);
    if (tile.rank() == 0 && found != 0) { exec::fetch_add(pairs[offset], std::uint64_t{found}); }
  }
};

/// Gathers the entries of one output row.
struct GatherRow {
  std::uint32_t const* map;
  std::uint64_t rows;
  std::uint64_t row;
  std::uint32_t* out;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t offset) const { out[offset] = map[offset * rows + row]; }
};

}  // namespace slotscape::sparse

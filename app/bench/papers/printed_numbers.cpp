#include "app/bench/papers/printed_numbers.hpp"

#include <algorithm>
#include <array>

namespace slotscape {
namespace {

constexpr double million = 1048576.0;  ///< Farrell counts in binary: 64 million keys are 2^26
constexpr double none = -1.0;          ///< no load factor

// Farrell 2020, a web page without page numbers: cited by section.

constexpr std::string_view table_of_loads = "table 'Time to insert 4194304 items'";
constexpr std::string_view below_load_factors = "text below the table of load factors";
constexpr std::string_view comparison = "section on performance, below its picture";

constexpr PrintedNumber insert_4m(double load, double milliseconds)
{
  return {"insert_at_load", "time", "ms", Better::lower, milliseconds, 4.0 * million, load, table_of_loads};
}

constexpr std::array farrell_numbers{
    PrintedNumber{"insert_and_delete", "insert", "ms", Better::lower, 210.0, 64.0 * million, 0.5, "first paragraph",
                  "about 210"},
    PrintedNumber{"insert_and_delete", "delete half", "ms", Better::lower, 64.0, 32.0 * million, 0.5, "first paragraph",
                  "about 64"},
    PrintedNumber{"insert_and_delete", "both", "ms", Better::lower, 271.0, 96.0 * million, 0.5, comparison},
    PrintedNumber{"insert_and_delete", "both, with copies and allocation", "ms", Better::lower, 984.0, 96.0 * million,
                  0.5, comparison},
    PrintedNumber{"unordered_map", "insert, delete half and free", "ms", Better::lower, 70691.0, 96.0 * million, none,
                  comparison},
    insert_4m(0.00, 11.608448),
    insert_4m(0.03, 11.751424),
    insert_4m(0.06, 11.942592),
    insert_4m(0.09, 12.081120),
    insert_4m(0.12, 12.242560),
    insert_4m(0.16, 12.396448),
    insert_4m(0.19, 12.533024),
    insert_4m(0.22, 12.703328),
    insert_4m(0.25, 12.884512),
    insert_4m(0.28, 13.033472),
    insert_4m(0.31, 13.239296),
    insert_4m(0.34, 13.392448),
    insert_4m(0.37, 13.624000),
    insert_4m(0.41, 13.875520),
    insert_4m(0.44, 14.126528),
    insert_4m(0.47, 14.399328),
    insert_4m(0.50, 14.690304),
    insert_4m(0.53, 15.039136),
    insert_4m(0.56, 15.478656),
    insert_4m(0.59, 15.985664),
    insert_4m(0.62, 16.668673),
    insert_4m(0.66, 17.587200),
    insert_4m(0.69, 18.690048),
    insert_4m(0.72, 20.278816),
    insert_4m(0.75, 22.545408),
    insert_4m(0.78, 26.053312),
    insert_4m(0.81, 31.895008),
    insert_4m(0.84, 42.103294),
    insert_4m(0.87, 61.849056),
    insert_4m(0.90, 105.695999),
    insert_4m(0.94, 240.204636),
    PrintedNumber{"probe_length", "mean", "slots", Better::neither, 0.4774, 64.0 * million, 0.50, below_load_factors},
    PrintedNumber{"probe_length", "maximum", "slots", Better::neither, 60.0, 64.0 * million, 0.50, below_load_factors},
    PrintedNumber{"probe_length", "mean", "slots", Better::neither, 10.1757, 124.0 * million, 0.97, below_load_factors},
    PrintedNumber{"probe_length", "maximum", "slots", Better::neither, 6474.0, 124.0 * million, 0.97,
                  below_load_factors},
};
constexpr std::array<std::string_view, 1> farrell_not_repeated{
    "450 instead of 500 million deletions a second through a volatile pointer: no table here reads through one"};
constexpr std::array<std::string_view, 0> farrell_pictures{};

// Alcantara et al. 2009, ACM Transactions on Graphics 28, 5, article 154: pages are 154:1 and so on.

constexpr std::string_view abstract = "abstract, p. 1";
constexpr std::string_view restarts = "section 7, 'Restarts', p. 8";
constexpr std::string_view table_1 = "table 1, p. 8";

constexpr std::array alcantara_numbers{
    PrintedNumber{"random_pairs", "build", "ms", Better::lower, 35.7, 5e6, 0.71, abstract},
    PrintedNumber{"random_pairs", "retrieve all", "ms", Better::lower, 15.3, 5e6, 0.71, abstract},
    PrintedNumber{"random_pairs", "memory", "times the pairs", Better::lower, 1.42, 5e6, 0.71, abstract},
    PrintedNumber{"sorted_pairs", "radix sort", "ms", Better::lower, 36.6, 5e6, none, abstract},
    PrintedNumber{"sorted_pairs", "binary search of all", "ms", Better::lower, 79.5, 5e6, none, abstract},
    PrintedNumber{"crossover", "pairs from which hashing beats sorting", "pairs", Better::neither, 300e3, 0.0, none,
                  "section 5, 'Voxelized Lucy', p. 5", "around 300k"},
    PrintedNumber{"perfect_spatial_hash", "memory", "times the pairs", Better::lower, 1.16, 0.0, none,
                  "section 5, p. 5"},
    PrintedNumber{"build_trials", "mean build", "ms", Better::lower, 9.78, 1e6, 0.71, restarts},
    PrintedNumber{"build_trials", "mean build with a restart", "ms", Better::lower, 14.7, 1e6, 0.71, restarts},
    PrintedNumber{"build_trials", "builds with a restart", "%", Better::neither, 0.088, 1e6, 0.71, restarts,
                  "22 of 25000"},
    PrintedNumber{"build_trials", "rounds of a bucket", "rounds", Better::neither, 5.5, 1e6, 0.71, "section 4.1, p. 4"},
    PrintedNumber{"build_trials", "mean build", "ms", Better::lower, 35.7, 5e6, 0.71, restarts},
    PrintedNumber{"build_trials", "mean build with a restart", "ms", Better::lower, 49.4, 5e6, 0.71, restarts},
    PrintedNumber{"build_trials", "builds with a restart", "%", Better::neither, 0.5, 5e6, 0.71, restarts,
                  "125 of 25000"},
    PrintedNumber{"build_trials", "rounds of a bucket", "rounds", Better::neither, 5.5, 5e6, 0.71, "section 4.1, p. 4"},
    PrintedNumber{"multivalue", "build, 18 values a key", "ms", Better::lower, 44.0, 3.02e6, none,
                  "section 6, 'Geometric hashing', p. 8"},
    PrintedNumber{"intersection", "intersect and flood-fill", "ms", Better::lower, 17.0, 160e3, none,
                  "section 6, 'Spatial hashing', p. 7", "15 to 19"},
    PrintedNumber{"intersection", "whole frames", "frames a second", Better::higher, 27.0, 160e3, none,
                  "section 6, 'Spatial hashing', p. 7", "25 to 29"},
    PrintedNumber{"matching", "hashing", "ms", Better::lower, 2377.0, 3e6, none, table_1},
    PrintedNumber{"matching", "binary search", "ms", Better::lower, 2858.0, 3e6, none, table_1},
    PrintedNumber{"matching", "hashing", "ms", Better::lower, 3025.0, 4e6, none, table_1},
    PrintedNumber{"matching", "binary search", "ms", Better::lower, 4969.0, 4e6, none, table_1},
    PrintedNumber{"matching", "hashing", "ms", Better::lower, 1437.0, 440e3, none, table_1},
    PrintedNumber{"matching", "binary search", "ms", Better::lower, 1735.0, 440e3, none, table_1},
    PrintedNumber{"matching", "hashing", "ms", Better::lower, 1721.0, 550e3, none, table_1},
    PrintedNumber{"matching", "binary search", "ms", Better::lower, 2095.0, 550e3, none, table_1},
};
constexpr std::array<std::string_view, 1> alcantara_not_repeated{
    "a load of 75 % with buckets of 1024 pairs, 'preliminary' (section 7, p. 8): buckets here have 512, as in the "
    "rest"};
constexpr std::array<std::string_view, 4> alcantara_pictures{
    "figure 3: times for voxels of the Lucy model", "figure 4: times for random voxels, with perfect spatial hashing",
    "figure 5: steps of the construction", "figure 6: multi-value hashing by values of a key"};

// Shortt 2020, a project report; the copy used here has no page numbers.

constexpr double items(int power)
{
  return static_cast<double>(1 << power);
}
constexpr std::string_view summary = "abstract";
constexpr std::string_view of_simple_hash = "section 5.2";
constexpr std::string_view of_hopscotch = "section 5.3";
constexpr std::string_view of_slabs = "section 5.1";
constexpr std::string_view table_of_others = "table 1, section 2.1";

constexpr std::array shortt_numbers{
    PrintedNumber{"mean_rate", "hopscotch: search", "G/s", Better::higher, 6.5, 0.0, none, summary},
    PrintedNumber{"mean_rate", "slab: search", "G/s", Better::higher, 3.9, 0.0, none, summary},
    PrintedNumber{"rate", "slab: insert", "G/s", Better::higher, 2.5, items(18), 0.60, of_simple_hash},
    PrintedNumber{"rate", "slab: search", "G/s", Better::higher, 5.1, items(18), 0.60, of_simple_hash},
    PrintedNumber{"rate", "simple_hash: insert", "G/s", Better::higher, 3.5, items(18), 0.60, of_simple_hash},
    PrintedNumber{"rate", "simple_hash: search", "G/s", Better::higher, 10.2, items(18), 0.60, of_simple_hash},
    PrintedNumber{"rate", "hopscotch: search", "G/s", Better::higher, 7.4, items(18), 0.80, of_hopscotch},
    PrintedNumber{"rate", "slab: search", "G/s", Better::higher, 5.0, items(18), 0.80, of_hopscotch},
    PrintedNumber{"rate", "simple_hash: search", "G/s", Better::higher, 5.0, items(18), 0.80, of_hopscotch},
    PrintedNumber{"rate", "hopscotch: search", "G/s", Better::higher, 11.2, items(17), 0.60, of_hopscotch,
                  "11.2 before the load reduces it"},
    PrintedNumber{"slab_by_load", "search: spread over loads", "%", Better::neither, 2.0, items(20), none, of_slabs},
    PrintedNumber{"slab_by_load", "insert: spread over loads", "%", Better::neither, 8.0, items(20), none, of_slabs},
    PrintedNumber{"slab_by_size", "search: spread over sizes", "%", Better::neither, 50.0, 0.0, none, of_slabs,
                  "as large as 50"},
    PrintedNumber{"slab_by_size", "insert: spread over sizes", "%", Better::neither, 100.0, 0.0, none, of_slabs,
                  "as large as 100"},
    PrintedNumber{"others", "slab: insert", "G/s", Better::higher, 0.512, 0.0, none, table_of_others},
    PrintedNumber{"others", "slab: search", "G/s", Better::higher, 0.937, 0.0, none, table_of_others},
    PrintedNumber{"others", "warp_cooperative: insert", "G/s", Better::higher, 1.6, 0.0, none, table_of_others},
    PrintedNumber{"others", "warp_cooperative: search", "G/s", Better::higher, 4.3, 0.0, none, table_of_others},
    PrintedNumber{"others", "hash_graph: insert", "G/s", Better::higher, 2.5, 0.0, none, table_of_others},
    PrintedNumber{"others", "hash_graph: search", "G/s", Better::higher, 2.0, 0.0, none, table_of_others},
};
constexpr std::array<std::string_view, 2> shortt_not_repeated{
    "GelHash (table 1: 800 M insertions and 2.5 G searches a second): there is no such table here",
    "HashFight (table 1: 700 M insertions and 2.5 G searches a second): there is no such table here"};
constexpr std::array<std::string_view, 3> shortt_pictures{"figures 2 and 3: SlabHash by load factor and size",
                                                          "figures 4 and 5: Simple Hash by load factor and size",
                                                          "figures 6 and 7: Hopscotch Hash by load factor and size"};

constexpr PrintedPaper farrell{"farrell",
                               "Farrell 2020, A Simple GPU Hash Table (nosferalatu.com)",
                               "NVIDIA GTX 1060 of a laptop",
                               farrell_numbers,
                               farrell_not_repeated,
                               farrell_pictures};
constexpr PrintedPaper alcantara{"alcantara",
                                 "Alcantara et al. 2009, Real-Time Parallel Hashing on the GPU",
                                 "EVGA GeForce GTX 280 SSC",
                                 alcantara_numbers,
                                 alcantara_not_repeated,
                                 alcantara_pictures};
constexpr PrintedPaper shortt{"shortt",
                              "Shortt 2020, Dynamic Hopscotch Hash Tables on the GPU",
                              "NVIDIA Titan V",
                              shortt_numbers,
                              shortt_not_repeated,
                              shortt_pictures};

}  // namespace

PrintedPaper const& farrell_2020()
{
  return farrell;
}

PrintedPaper const& alcantara_2009()
{
  return alcantara;
}

PrintedPaper const& shortt_2020()
{
  return shortt;
}

std::span<PrintedNumber const> numbers_of(PrintedPaper const& paper, std::string_view experiment)
{
  auto const is_of = [=](PrintedNumber const& number) { return number.experiment == experiment; };
  auto const first = std::ranges::find_if(paper.numbers, is_of);
  auto const last = std::find_if_not(first, paper.numbers.end(), is_of);
  return {first, last};
}

}  // namespace slotscape

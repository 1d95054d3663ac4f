# The families of hash tables. Each is one header, gpu/tables/NAME.hpp; this line gives it both backends, the slot map,
# statistics, scenarios and the tests.
set(SLOTSCAPE_FAMILIES linear_probing simple_hash double_hashing quadratic robin_hood hopscotch warp_cooperative slab
    gel_hash cuckoo segmented_cuckoo two_choice swiss iceberg funnel elastic graveyard two_level_cuckoo perfect_hash
    hash_graph hash_fight sorted_array separate_chaining coalesced linear_hashing extendible
    cpu_unordered_map)

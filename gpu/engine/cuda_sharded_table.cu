#include "gpu/engine/sharded_table.hpp"
#include "gpu/execution/cuda.cuh"

namespace slotscape {

template std::unique_ptr<BatchTable<exec::Cuda, Narrow>> make_table(exec::Cuda&, TableSettings const&,
                                                                    MakeTable<exec::Cuda, Narrow>);
template std::unique_ptr<BatchTable<exec::Cuda, Wide>> make_table(exec::Cuda&, TableSettings const&,
                                                                  MakeTable<exec::Cuda, Wide>);
template std::unique_ptr<BatchTable<exec::Cuda, NarrowSet>> make_table(exec::Cuda&, TableSettings const&,
                                                                       MakeTable<exec::Cuda, NarrowSet>);
template std::unique_ptr<BatchTable<exec::Cuda, WideSet>> make_table(exec::Cuda&, TableSettings const&,
                                                                     MakeTable<exec::Cuda, WideSet>);

}  // namespace slotscape

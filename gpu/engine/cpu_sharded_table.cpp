#include "gpu/engine/sharded_table.hpp"
#include "gpu/execution/cpu.hpp"

namespace slotscape {

template std::unique_ptr<BatchTable<exec::Cpu, Narrow>> make_table(exec::Cpu&, TableSettings const&,
                                                                   MakeTable<exec::Cpu, Narrow>);
template std::unique_ptr<BatchTable<exec::Cpu, Wide>> make_table(exec::Cpu&, TableSettings const&,
                                                                 MakeTable<exec::Cpu, Wide>);
template std::unique_ptr<BatchTable<exec::Cpu, NarrowSet>> make_table(exec::Cpu&, TableSettings const&,
                                                                      MakeTable<exec::Cpu, NarrowSet>);
template std::unique_ptr<BatchTable<exec::Cpu, WideSet>> make_table(exec::Cpu&, TableSettings const&,
                                                                    MakeTable<exec::Cpu, WideSet>);

}  // namespace slotscape

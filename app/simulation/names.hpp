#pragma once

#include "app/base/enum_names.hpp"
#include "gpu/analysis/picture.hpp"
#include "gpu/execution/backend.hpp"
#include "gpu/interop/presenter.hpp"
#include "gpu/workloads/settings.hpp"

namespace slotscape {

template <>
std::span<EnumName<Deletion> const> enum_names();
template <>
std::span<EnumName<Combine> const> enum_names();
template <>
std::span<EnumName<HashKind> const> enum_names();
template <>
std::span<EnumName<KeyDistribution> const> enum_names();
template <>
std::span<EnumName<KeysStart> const> enum_names();
template <>
std::span<EnumName<ShardDevices> const> enum_names();
template <>
std::span<EnumName<TableMemory> const> enum_names();
template <>
std::span<EnumName<KeyChoice> const> enum_names();
template <>
std::span<EnumName<Operation> const> enum_names();
template <>
std::span<EnumName<SlotState> const> enum_names();
template <>
std::span<EnumName<Layout> const> enum_names();
template <>
std::span<EnumName<ColorBy> const> enum_names();
template <>
std::span<EnumName<Reduce> const> enum_names();
template <>
std::span<EnumName<Backend> const> enum_names();
template <>
std::span<EnumName<BackendChoice> const> enum_names();
template <>
std::span<EnumName<PresentPath> const> enum_names();
template <>
std::span<EnumName<PresentChoice> const> enum_names();

}  // namespace slotscape

#pragma once

#include "app/scenario/names.hpp"
#include "app/scenes/spatial/settings.hpp"

namespace slotscape {

template <>
std::span<EnumName<spatial::VoxelStatus> const> enum_names();
template <>
std::span<EnumName<spatial::Boolean> const> enum_names();
template <>
std::span<EnumName<spatial::PaintBy> const> enum_names();
template <>
std::span<EnumName<spatial::InstanceKind> const> enum_names();
template <>
std::span<EnumName<spatial::Stage> const> enum_names();
template <>
std::span<EnumName<Motion> const> enum_names();

}  // namespace slotscape

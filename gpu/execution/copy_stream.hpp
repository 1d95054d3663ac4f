#pragma once

namespace slotscape::exec {

/// Copies that run in order among themselves and concurrently with an executor's work. Marks in either order express
/// dependencies and measure time. `CopyStream<Cpu>` (cpu_copy_stream.hpp) documents the members.
template <class Exec>
class CopyStream;

}  // namespace slotscape::exec

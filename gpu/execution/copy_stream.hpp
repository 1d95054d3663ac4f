#pragma once

namespace slotscape::exec {

/// Copies that are made one after another, at the same time as an executor's work. Marks in either of them say what
/// waits for what, and when it was. `CopyStream<Cpu>` (cpu_copy_stream.hpp) documents the members.
template <class Exec>
class CopyStream;

}  // namespace slotscape::exec

#pragma once

namespace slotscape {

/// Has threads share a few heaps; call it before there are others. Otherwise glibc gives threads heaps of their own, up
/// to eight for each core, and what was freed in one of them is of no use to the others.
void share_heaps();

}  // namespace slotscape

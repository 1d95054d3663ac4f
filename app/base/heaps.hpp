#pragma once

namespace slotscape {

/// Makes all threads share a few heaps; call it before any thread starts. Otherwise, glibc creates up to eight heaps
/// per core, and memory freed in one heap cannot be reused by another.
void share_heaps();

}  // namespace slotscape

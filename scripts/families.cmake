# Instantiates every family's header for each backend, and lists the families for the code.

# slotscape_add_families(TARGET NAME...): one source per family and backend, and families.inc with a line
# SLOTSCAPE_FAMILY(NAME) for each.
function(slotscape_add_families target)
  set(folder "${PROJECT_BINARY_DIR}/families")
  set(list "")
  foreach(family IN LISTS ARGN)
    string(APPEND list "SLOTSCAPE_FAMILY(${family})\n")
    set(header "#include \"gpu/tables/${family}.hpp\"\n")
    file(GENERATE OUTPUT "${folder}/${family}_cpu.cpp" CONTENT
      "${header}#include \"gpu/engine/family_on_cpu.hpp\"\n\nSLOTSCAPE_DEFINE_FAMILY_ON_CPU(${family})\n")
    target_sources(${target} PRIVATE "${folder}/${family}_cpu.cpp")
    if(SLOTSCAPE_HAS_CUDA)
      file(GENERATE OUTPUT "${folder}/${family}_cuda.cu" CONTENT
      "${header}#include \"gpu/engine/family_on_cuda.cuh\"\n\nSLOTSCAPE_DEFINE_FAMILY_ON_CUDA(${family})\n")
      target_sources(${target} PRIVATE "${folder}/${family}_cuda.cu")
    endif()
  endforeach()
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/generated/families.inc" CONTENT "${list}")
endfunction()

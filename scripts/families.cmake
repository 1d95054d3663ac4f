# Instantiates every family's header for each backend, and lists the families for the code.

# slotscape_add_families(TARGET FOLDER NAME...): one source per family and backend, each from the header FOLDER/NAME.hpp,
# and families.inc with a line SLOTSCAPE_FAMILY(NAME) for each.
function(slotscape_add_families target folder)
  set(generated "${PROJECT_BINARY_DIR}/families/${target}")
  set(list "")
  foreach(family IN LISTS ARGN)
    string(APPEND list "SLOTSCAPE_FAMILY(${family})\n")
    set(header "#include \"${folder}/${family}.hpp\"\n")
    file(GENERATE OUTPUT "${generated}/${family}_cpu.cpp" CONTENT
      "${header}#include \"gpu/engine/family_on_cpu.hpp\"\n\nSLOTSCAPE_DEFINE_FAMILY_ON_CPU(${family})\n")
    target_sources(${target} PRIVATE "${generated}/${family}_cpu.cpp")
    if(SLOTSCAPE_HAS_CUDA)
      file(GENERATE OUTPUT "${generated}/${family}_cuda.cu" CONTENT
      "${header}#include \"gpu/engine/family_on_cuda.cuh\"\n\nSLOTSCAPE_DEFINE_FAMILY_ON_CUDA(${family})\n")
      target_sources(${target} PRIVATE "${generated}/${family}_cuda.cu")
    endif()
  endforeach()
  file(GENERATE OUTPUT "${generated}/families.inc" CONTENT "${list}")
  target_include_directories(${target} BEFORE PRIVATE "${generated}")
endfunction()

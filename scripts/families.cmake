# Instantiates every family's header for each backend and for races, and lists the families for the code.

# A source with what the text beside a family's header says; a family without one has no pseudocode.
function(slotscape_write_pseudocode source folder family)
  set(text "")
  if(EXISTS "${folder}/${family}.txt")
    file(READ "${folder}/${family}.txt" text)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/${family}.txt")
  endif()
  file(GENERATE OUTPUT "${source}" CONTENT "#include <string_view>

namespace slotscape {
std::string_view pseudocode_of_${family}()
{
  return R\"code(${text})code\";
}
}  // namespace slotscape
")
endfunction()

# slotscape_add_families(TARGET FOLDER NAME...): one source per family and backend, and one for races, each from the
# header FOLDER/NAME.hpp; and families.inc with a line SLOTSCAPE_FAMILY(NAME) for each.
function(slotscape_add_families target folder)
  set(generated "${PROJECT_BINARY_DIR}/families/${target}")
  set(list "")
  foreach(family IN LISTS ARGN)
    string(APPEND list "SLOTSCAPE_FAMILY(${family})\n")
    set(header "#include \"${folder}/${family}.hpp\"\n")
    file(GENERATE OUTPUT "${generated}/${family}_cpu.cpp" CONTENT
      "${header}#include \"gpu/engine/family_on_cpu.hpp\"\n\nSLOTSCAPE_DEFINE_FAMILY_ON_CPU(${family})\n")
    file(GENERATE OUTPUT "${generated}/${family}_races.cpp" CONTENT
      "${header}#include \"gpu/races/family_table.hpp\"\n\nSLOTSCAPE_DEFINE_FAMILY_FOR_RACES(${family})\n")
    target_sources(${target} PRIVATE "${generated}/${family}_cpu.cpp" "${generated}/${family}_races.cpp")
    slotscape_write_pseudocode("${generated}/${family}_pseudocode.cpp" "${PROJECT_SOURCE_DIR}/${folder}" ${family})
    target_sources(${target} PRIVATE "${generated}/${family}_pseudocode.cpp")
    if(SLOTSCAPE_HAS_CUDA)
      file(GENERATE OUTPUT "${generated}/${family}_cuda.cu" CONTENT
      "${header}#include \"gpu/engine/family_on_cuda.cuh\"\n\nSLOTSCAPE_DEFINE_FAMILY_ON_CUDA(${family})\n")
      target_sources(${target} PRIVATE "${generated}/${family}_cuda.cu")
    endif()
  endforeach()
  file(GENERATE OUTPUT "${generated}/families.inc" CONTENT "${list}")
  target_include_directories(${target} BEFORE PRIVATE "${generated}")
endfunction()

# Instantiates every family's header for each backend and for races, and lists the families for the code.

# Sets RESULT to what the text beside a family's header says; a family without one has no pseudocode.
function(slotscape_read_pseudocode result folder family)
  set(text "")
  if(EXISTS "${folder}/${family}.txt")
    file(READ "${folder}/${family}.txt" text)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/${family}.txt")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# slotscape_add_families(TARGET FOLDER [WITHOUT_RACES] NAME...): each family's table for each backend, and for races, from
# the header FOLDER/NAME.hpp; and the lists of them that gpu/engine/families.hpp and gpu/races/shared_table.hpp declare. A few
# families share a source, and all of them one for races: most of what a compiler does for one, it does for all.
function(slotscape_add_families target folder)
  set(generated "${PROJECT_BINARY_DIR}/families/${target}")
  set(together 1)
  if(SLOTSCAPE_UNITY_BUILD)
    set(together 4)
  endif()
  foreach(list IN ITEMS declared texts entries on_cpu shared declared_cuda on_cuda headers cpu cuda headers_for_races races)
    set(${list} "")
  endforeach()
  set(left ${ARGN})
  set(for_races ON)
  if("WITHOUT_RACES" IN_LIST left)
    list(REMOVE_ITEM left WITHOUT_RACES)
    set(for_races OFF)
  endif()
  set(families ${left})
  foreach(family IN LISTS families)
    list(POP_FRONT left)
    set(define "define_family<families::${family}")
    string(APPEND headers "#include \"${folder}/${family}.hpp\"\n")
    string(APPEND headers_for_races "#include \"${folder}/${family}.hpp\"\n")
    string(APPEND cpu
"FamilyInfo const& info_of_${family}() { return families::${family}::info; }
TableParts parts_of_${family}(TableSettings const& settings) { return family_parts<families::${family}>(settings); }
FamilyOn<exec::Cpu> ${family}_on_cpu() { return ${define}, exec::Cpu>(); }
")
    string(APPEND races "MakeSharedTable shared_${family}() { return shared_table_maker<families::${family}>(); }\n")
    string(APPEND cuda "FamilyOn<exec::Cuda> ${family}_on_cuda() { return ${define}, exec::Cuda>(); }\n")
    slotscape_read_pseudocode(text "${PROJECT_SOURCE_DIR}/${folder}" ${family})
    string(APPEND declared "FamilyInfo const& info_of_${family}();\n"
                           "TableParts parts_of_${family}(TableSettings const&);\nFamilyOn<exec::Cpu> ${family}_on_cpu();\n")
    if(for_races)
      string(APPEND declared "namespace races { MakeSharedTable shared_${family}(); }\n")
    endif()
    if(text)
      string(APPEND texts "constexpr std::string_view text_of_${family} = R\"code(${text})code\";\n")
    else()
      string(APPEND texts "constexpr std::string_view text_of_${family};\n")
    endif()
    string(APPEND entries "      {&info_of_${family}(), text_of_${family}, &parts_of_${family}},\n")
    string(APPEND on_cpu "      ${family}_on_cpu(),\n")
    string(APPEND shared "      {\"${family}\", shared_${family}()},\n")
    string(APPEND declared_cuda "FamilyOn<exec::Cuda> ${family}_on_cuda();\n")
    string(APPEND on_cuda "      ${family}_on_cuda(),\n")

    list(LENGTH left count)
    math(EXPR more "${count} % ${together}")
    if(NOT more EQUAL 0)
      continue()
    endif()
    file(GENERATE OUTPUT "${generated}/${family}_cpu.cpp" CONTENT
"${headers}#include \"gpu/engine/define_family.hpp\"
#include \"gpu/execution/cpu.hpp\"

namespace slotscape {
${cpu}}  // namespace slotscape
")
    target_sources(${target} PRIVATE "${generated}/${family}_cpu.cpp")
    set_source_files_properties("${generated}/${family}_cpu.cpp" PROPERTIES COMPILE_OPTIONS "${slotscape_options_of_families}")
    if(SLOTSCAPE_HAS_CUDA)
      set(list_on_cuda "")
      if(NOT left)  # the list is in the last one: to a source of its own, nvcc would have to read all headers again
        set(list_on_cuda
"${declared_cuda}
template <>
std::span<FamilyOn<exec::Cuda> const> families_on<exec::Cuda>()
{
  static FamilyOn<exec::Cuda> const families[] = {
${on_cuda}  };
  return families;
}
")
      endif()
      file(GENERATE OUTPUT "${generated}/${family}_cuda.cu" CONTENT
"${headers}#include \"gpu/engine/define_family.hpp\"
#include \"gpu/engine/families.hpp\"
#include \"gpu/execution/cuda.cuh\"

namespace slotscape {
${cuda}${list_on_cuda}}  // namespace slotscape
")
      target_sources(${target} PRIVATE "${generated}/${family}_cuda.cu")
    endif()
    foreach(list IN ITEMS headers cpu cuda)
      set(${list} "")
    endforeach()
  endforeach()
  set(include_for_races "")
  set(list_for_races "")
  if(for_races)
    target_sources(${target} PRIVATE "${generated}/races.cpp")
    file(GENERATE OUTPUT "${generated}/races.cpp" CONTENT
"${headers_for_races}#include \"gpu/races/family_table.hpp\"

namespace slotscape::races {
${races}}  // namespace slotscape::races
")
    set(include_for_races "#include \"gpu/races/shared_table.hpp\"\n")
    set(list_for_races
"std::span<races::SharedFamily const> races::shared_families()
{
  static SharedFamily const families[] = {
${shared}  };
  return families;
}
")
  endif()
  file(GENERATE OUTPUT "${generated}/families.cpp" CONTENT
"#include \"gpu/engine/families.hpp\"
#include \"gpu/execution/cpu.hpp\"
${include_for_races}
namespace slotscape {
${declared}
namespace {
${texts}}  // namespace

std::span<FamilyEntry const> family_entries()
{
  static FamilyEntry const entries[] = {
${entries}  };
  return entries;
}

template <>
std::span<FamilyOn<exec::Cpu> const> families_on<exec::Cpu>()
{
  static FamilyOn<exec::Cpu> const families[] = {
${on_cpu}  };
  return families;
}

${list_for_races}}  // namespace slotscape
")
  target_sources(${target} PRIVATE "${generated}/families.cpp")
endfunction()

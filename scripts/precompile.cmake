# Headers that most sources include and nobody here changes are compiled once for each target.
option(SLOTSCAPE_PRECOMPILED_HEADERS "Compile the libraries' headers once for each target" ON)

set(slotscape_standard_headers <algorithm> <array> <atomic> <chrono> <cmath> <cstdint> <filesystem> <functional> <map>
    <memory> <optional> <span> <string> <variant> <vector> <fmt/format.h>)
set(slotscape_app_headers ${slotscape_standard_headers} <glm/glm.hpp> <imgui.h> <nlohmann/json.hpp>)

# slotscape_precompile(TARGET HEADER...)
function(slotscape_precompile target)
  if(NOT SLOTSCAPE_PRECOMPILED_HEADERS)
    return()
  endif()
  list(TRANSFORM ARGN REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>" OUTPUT_VARIABLE headers)
  target_precompile_headers(${target} PRIVATE ${headers})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)  # for ccache
  endif()
endfunction()

# slotscape_precompile_as(TARGET MODEL): uses the headers that were compiled for a target of the same options.
function(slotscape_precompile_as target model)
  if(NOT SLOTSCAPE_PRECOMPILED_HEADERS)
    return()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${model})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
endfunction()

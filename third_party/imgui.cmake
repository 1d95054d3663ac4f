# slotscape::imgui: Dear ImGui with its GLFW backend, and ImPlot, compiled from their sources: those of the
# folders that SLOTSCAPE_IMGUI_SOURCE and SLOTSCAPE_IMPLOT_SOURCE name, or those in the source package of slimgui on PyPI,
# which carries both as their authors released them. Distributions have versions from 2021 on, and no ImPlot.
set(SLOTSCAPE_IMGUI_SOURCE "" CACHE PATH "A checkout of Dear ImGui 1.92 or newer; empty: from PyPI")
set(SLOTSCAPE_IMPLOT_SOURCE "" CACHE PATH "A checkout of ImPlot 1.0 or newer; empty: from PyPI")
set(slimgui_version 0.8.3)
set(slimgui_hash cff8dccbe3b6ba420348dc79e6cb10c6ecea379a68a463efa43705b657f043eb)

# Sets RESULT to the folder that has the package's `imgui` and `implot`.
function(slotscape_slimgui result)
  slotscape_source_package(folder slimgui ${slimgui_version} ${slimgui_hash} "Dear ImGui and ImPlot"
                           "*/src/c/imgui/*" "*/src/c/implot/*")
  # The one file that users of Dear ImGui are to change: the package's reports failed assertions to Python.
  set(configuration "${folder}/src/c/imgui/imconfig.h")
  file(READ "${configuration}" present)
  if(NOT present STREQUAL "#pragma once\n")
    file(WRITE "${configuration}" "#pragma once\n")
  endif()
  set(${result} "${folder}/src/c" PARENT_SCOPE)
endfunction()

# slotscape_source_folder(RESULT NAME HEADER): the folder of NAME's sources that the user named, or the package's.
function(slotscape_source_folder result name header)
  string(TOUPPER "SLOTSCAPE_${name}_SOURCE" variable)
  if(NOT ${variable})
    slotscape_slimgui(package)
    set(${variable} "${package}/${name}")
  endif()
  if(NOT EXISTS "${${variable}}/${header}")
    message(FATAL_ERROR "${${variable}} has no ${header}. Set ${variable} to a folder with the sources of ${name}.")
  endif()
  set(${result} "${${variable}}" PARENT_SCOPE)
endfunction()

slotscape_source_folder(imgui_folder imgui imgui.h)
slotscape_source_folder(implot_folder implot implot.h)
slotscape_version_in(imgui_version "${imgui_folder}/imgui.h" IMGUI_VERSION)
slotscape_version_in(implot_version "${implot_folder}/implot.h" IMPLOT_VERSION)
if(imgui_version VERSION_LESS 1.92 OR implot_version VERSION_LESS 1.0)
  message(FATAL_ERROR "Dear ImGui ${imgui_version} (${imgui_folder}) or ImPlot ${implot_version} (${implot_folder}) is too "
                      "old: 1.92 and 1.0 are needed. Leave SLOTSCAPE_IMGUI_SOURCE and SLOTSCAPE_IMPLOT_SOURCE empty to get "
                      "them from PyPI.")
endif()

add_library(dependency_imgui_sources STATIC
  "${imgui_folder}/imgui.cpp" "${imgui_folder}/imgui_draw.cpp" "${imgui_folder}/imgui_tables.cpp"
  "${imgui_folder}/imgui_widgets.cpp" "${imgui_folder}/misc/cpp/imgui_stdlib.cpp"
  "${imgui_folder}/backends/imgui_impl_glfw.cpp"
  "${implot_folder}/implot.cpp" "${implot_folder}/implot_items.cpp")
target_include_directories(dependency_imgui_sources SYSTEM PUBLIC "${imgui_folder}" "${imgui_folder}/misc/cpp" "${implot_folder}")
# GLFW without the headers of window systems.
target_compile_definitions(dependency_imgui_sources
  PRIVATE IMGUI_IMPL_GLFW_DISABLE_X11 IMGUI_IMPL_GLFW_DISABLE_WAYLAND
          "IMPLOT_CUSTOM_NUMERIC_TYPES=(double)")  # those that we plot; all of them take two minutes
target_compile_options(dependency_imgui_sources PRIVATE -w)  # their warnings are not ours to mend
if(SLOTSCAPE_SANITIZE MATCHES "undefined")  # AddressSanitizer sees what our calls do wrong; both take twice as long
  target_compile_options(dependency_imgui_sources PRIVATE -fno-sanitize=undefined)
endif()
target_link_libraries(dependency_imgui_sources PRIVATE slotscape::glfw)
slotscape_add_dependency(imgui "${imgui_version} with ImPlot ${implot_version} (${imgui_folder})" dependency_imgui_sources)

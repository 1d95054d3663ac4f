# slotscape::glad: the functions of OpenGL 3.3 core and OpenGL ES 3.0, generated at configure time with glad2 from its bundled
# specification. GL_ARB_clip_control keeps depths precise where there is more than OpenGL 3.3; GL_KHR_debug is for debugging.
# A Python that has glad2 is used as it is; otherwise glad2 is installed from PyPI.
set(glad_version 2.0.8)
set(glad_api gl:core=3.3,gles2=3.0)
set(glad_folder "${SLOTSCAPE_DOWNLOADS}/glad-${glad_version}-gl3.3-es3.0")  # build folders keep older ones

# Sets RESULT to a Python that can run glad2.
function(slotscape_glad_python result)
  find_package(Python3 COMPONENTS Interpreter REQUIRED)
  execute_process(COMMAND "${Python3_EXECUTABLE}" -c "import glad.generator.c"
                  RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(status EQUAL 0)
    set(${result} "${Python3_EXECUTABLE}" PARENT_SCOPE)
    return()
  endif()
  slotscape_pip("glad2 ${glad_version}" install glad2==${glad_version})
  slotscape_python(python)
  set(${result} "${python}" PARENT_SCOPE)
endfunction()

if(NOT EXISTS "${glad_folder}/src/gl.c")
  slotscape_glad_python(glad_python)
  execute_process(COMMAND "${glad_python}" -m glad --api ${glad_api} --merge
                          --extensions GL_ARB_clip_control,GL_KHR_debug --reproducible --quiet
                          --out-path "${glad_folder}" c
                  RESULT_VARIABLE status OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(NOT status EQUAL 0)
    file(REMOVE_RECURSE "${glad_folder}")
    message(FATAL_ERROR "glad2 could not generate the OpenGL functions:\n${log}")
  endif()
endif()
add_library(dependency_glad_functions STATIC "${glad_folder}/src/gl.c")
target_include_directories(dependency_glad_functions SYSTEM PUBLIC "${glad_folder}/include")
slotscape_add_dependency(glad "${glad_version} (OpenGL 3.3 core and ES 3.0)" dependency_glad_functions)

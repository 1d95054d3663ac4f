# What the configure step makes itself, for all build folders alike: presets set SLOTSCAPE_DOWNLOADS to one place.
set(SLOTSCAPE_DOWNLOADS "${PROJECT_BINARY_DIR}/third_party" CACHE PATH "Where downloaded and generated sources are kept")

# slotscape_python(RESULT): sets RESULT to the Python of a virtual environment with pip, made on first use.
function(slotscape_python result)
  set(environment "${SLOTSCAPE_DOWNLOADS}/python")
  set(${result} "${environment}/bin/python" PARENT_SCOPE)
  if(EXISTS "${environment}/complete")
    return()
  endif()
  find_package(Python3 COMPONENTS Interpreter REQUIRED)
  execute_process(COMMAND "${Python3_EXECUTABLE}" -m venv --clear "${environment}"
                  RESULT_VARIABLE status OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "Could not create a Python virtual environment. On Debian and Ubuntu: apt-get install "
                        "python3-venv\n${log}")
  endif()
  file(TOUCH "${environment}/complete")
endfunction()

# slotscape_pip(WHAT ARGUMENT...): runs pip in that environment; where it fails, says that WHAT is missing, and stops.
function(slotscape_pip what)
  slotscape_python(python)
  message(STATUS "Getting ${what} from PyPI")
  execute_process(COMMAND "${python}" -m pip --quiet --disable-pip-version-check ${ARGN}
                  RESULT_VARIABLE status OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "pip could not get ${what}. The first configure step needs PyPI: check the network "
                        "(HTTPS_PROXY, PIP_INDEX_URL), or see third_party/README.md for how to do without.\n${log}")
  endif()
endfunction()

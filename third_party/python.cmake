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

# slotscape_source_package(RESULT PACKAGE VERSION HASH WHAT PATTERN...): sets RESULT to the folder of a source package on
# PyPI, which it gets once; only what the patterns name is unpacked. HASH is the archive's SHA-256.
function(slotscape_source_package result package version hash what)
  set(folder "${SLOTSCAPE_DOWNLOADS}/${package}-${version}")
  set(${result} "${folder}" PARENT_SCOPE)
  if(EXISTS "${folder}/complete")
    return()
  endif()
  set(requirements "${SLOTSCAPE_DOWNLOADS}/${package}.txt")
  file(WRITE "${requirements}" "${package}==${version} --hash=sha256:${hash}\n")
  slotscape_pip("${what} (${package} ${version})" download --no-deps --no-binary ${package} --require-hashes
                --requirement "${requirements}" --dest "${SLOTSCAPE_DOWNLOADS}")
  file(ARCHIVE_EXTRACT INPUT "${folder}.tar.gz" DESTINATION "${SLOTSCAPE_DOWNLOADS}" PATTERNS ${ARGN})
  file(TOUCH "${folder}/complete")
endfunction()

# slotscape_version_in(RESULT HEADER MACRO): what the header defines MACRO as, without quotation marks.
function(slotscape_version_in result header macro)
  file(STRINGS "${header}" line REGEX "#define ${macro} +" LIMIT_COUNT 1)
  string(REGEX REPLACE ".*#define ${macro} +\"?([^\" ]*).*" "\\1" version "${line}")
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

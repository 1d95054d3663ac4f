# slotscape::warnings: the warnings of the project's own code, host and device.
add_library(slotscape_warnings INTERFACE)
add_library(slotscape::warnings ALIAS slotscape_warnings)
set(as_errors "")
set(cuda_as_errors "")
if(SLOTSCAPE_WARNINGS_AS_ERRORS)
  set(as_errors -Werror)
  set(cuda_as_errors ,-Werror)
endif()
target_compile_options(slotscape_warnings INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;${as_errors}>"
  # nvcc's generated code is not pedantic C++. 20011 and 20014 are host calls from `__host__ __device__` templates that
  # are only ever instantiated for the host.
  "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra${cuda_as_errors};-diag-suppress=20011,20014>")

# GCC 13 and newer take a reference into what lives as long as the program for one into an argument that does not.
target_compile_options(slotscape_warnings INTERFACE
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,13>>:-Wno-dangling-reference>)

# In what nvcc passes on, GCC 12 takes `"text" + std::string` for a copy onto itself, here and there (its bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(slotscape_warnings INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wno-restrict>)
endif()

# GCC sees uninitialised variants where a sanitizer's checks stand between; the sanitizers themselves know better. And it
# warns of every fence, of which ThreadSanitizer knows nothing: oneTBB has some.
if(SLOTSCAPE_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(slotscape_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized;-Wno-tsan>")
endif()

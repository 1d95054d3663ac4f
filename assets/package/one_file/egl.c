/* EGL is the machine's, like OpenGL. It is opened when it is first needed: where there is none, what draws nothing
 * works. */
#include <EGL/egl.h>
#include <dlfcn.h>
#include <stddef.h>

typedef __eglMustCastToProperFunctionPointerType Function;

static Function function_of(char const* name)
{
  static void* library = NULL; /* opening it once more does no harm */
  if (!library) { library = dlopen("libEGL.so.1", RTLD_NOW); }
  return library ? (Function)dlsym(library, name) : NULL;
}

/* Without a library, every function says no: EGL_FALSE, and nothing where something is asked for. */
#define FORWARD(RESULT, NAME, PARAMETERS, ARGUMENTS)                               \
  EGLAPI RESULT EGLAPIENTRY NAME PARAMETERS                                        \
  {                                                                                \
    RESULT(*const function) PARAMETERS = (RESULT(*) PARAMETERS)function_of(#NAME); \
    return function ? function ARGUMENTS : 0;                                      \
  }

FORWARD(EGLBoolean, eglBindAPI, (EGLenum api), (api))
FORWARD(EGLBoolean, eglChooseConfig,
        (EGLDisplay display, EGLint const* wanted, EGLConfig* configs, EGLint room, EGLint* count),
        (display, wanted, configs, room, count))
FORWARD(EGLContext, eglCreateContext, (EGLDisplay display, EGLConfig config, EGLContext shared, EGLint const* wanted),
        (display, config, shared, wanted))
FORWARD(EGLBoolean, eglDestroyContext, (EGLDisplay display, EGLContext context), (display, context))
FORWARD(EGLDisplay, eglGetDisplay, (EGLNativeDisplayType native), (native))
FORWARD(EGLint, eglGetError, (void), ())
FORWARD(Function, eglGetProcAddress, (char const* name), (name))
FORWARD(EGLBoolean, eglInitialize, (EGLDisplay display, EGLint* major, EGLint* minor), (display, major, minor))
FORWARD(EGLBoolean, eglMakeCurrent, (EGLDisplay display, EGLSurface drawn, EGLSurface read, EGLContext context),
        (display, drawn, read, context))
FORWARD(char const*, eglQueryString, (EGLDisplay display, EGLint name), (display, name))

#include <glibc.h>

/* The Swift runtime of Debian's package for arm64 was built with glibc 2.42, whose headers lead to functions that read numbers
   by the rules of C23: they also take binary ones, such as 0b1. The runtime asks for no binary numbers. */
#ifdef MSDK_RUNTIME_OF_DEBIAN
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }

long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }

int __isoc23_sscanf(const char *text, const char *format, ...) {
  va_list values;
  va_start(values, format);
  int count = vsscanf(text, format, values);
  va_end(values);
  return count;
}

/* The C++ library has this function since GCC 12. The wheel would need that library for this one symbol. */
void msdk_cxx_assertion_failed(const char *file, int line, const char *function, const char *condition) {
  fprintf(stderr, "%s:%d: %s: %s\n", file ? file : "", line, function ? function : "", condition ? condition : "");
  abort();
}
#endif

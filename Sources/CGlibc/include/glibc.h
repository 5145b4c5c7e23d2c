#ifndef MSDK_GLIBC_H
#define MSDK_GLIBC_H

/* Functions of the C library that everything that is shipped brings along, so that it loads with an older C library. They
   are hidden: other libraries of the process keep those of the system. */
__attribute__((visibility("hidden"))) float hypotf(float x, float y);

#ifdef MSDK_RUNTIME_OF_DEBIAN
__attribute__((visibility("hidden"))) long __isoc23_strtol(const char *text, char **end, int base);
__attribute__((visibility("hidden"))) long long __isoc23_strtoll(const char *text, char **end, int base);
__attribute__((visibility("hidden"))) int __isoc23_sscanf(const char *text, const char *format, ...);
/* std::__glibcxx_assert_fail(char const*, int, char const*, char const*) */
__attribute__((visibility("hidden"), noreturn)) void msdk_cxx_assertion_failed(
    const char *file, int line, const char *function, const char *condition) __asm__(
    "_ZSt21__glibcxx_assert_failPKciS0_S0_");
#endif

#endif

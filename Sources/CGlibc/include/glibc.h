#ifndef MSDK_GLIBC_H
#define MSDK_GLIBC_H

/* Functions of the C library that everything that is shipped brings along, so that it loads with an older C library. They
   are hidden: other libraries of the process keep those of the system. */
__attribute__((visibility("hidden"))) float hypotf(float x, float y);

#endif

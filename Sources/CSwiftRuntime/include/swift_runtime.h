#ifndef MSDK_SWIFT_RUNTIME_H
#define MSDK_SWIFT_RUNTIME_H

/* A part of libmsdk.so that no other code calls: forked.c mends the Swift runtime, which is linked into the library. */

#endif

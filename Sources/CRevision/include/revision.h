#ifndef MSDK_REVISION_H
#define MSDK_REVISION_H

/* "<version>+<seven hex digits of the source revision>", as the package manifest found them. */
extern const char *const build_version;

#endif

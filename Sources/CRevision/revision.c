#include "revision.h"

const char *const build_version = MSDK_VERSION "+" MSDK_REVISION;

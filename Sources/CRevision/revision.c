#include "revision.h"

const char *const msdk_build_version = MSDK_VERSION "+" MSDK_REVISION;

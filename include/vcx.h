/* For programs written for libvcx: the same interface under its other name. */
#ifndef MSDK_VCX_H
#define MSDK_VCX_H

#include "msdk.h"

#endif

#include <glibc.h>
#include <math.h>

/* Swift's runtime refers to hypotf, which has a new version since glibc 2.35: without this function, that one symbol would
   keep the library and the programs from loading with glibc 2.34. Squares of floats neither overflow nor vanish as doubles,
   so the result is the nearest float, or its neighbour. An infinite argument counts more than one that is not a number
   (C11, F.10.4.3). */
float hypotf(float x, float y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  return (float)__builtin_sqrt((double)x * x + (double)y * y);
}

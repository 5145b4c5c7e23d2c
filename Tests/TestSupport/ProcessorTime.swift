import Glibc

/// The time in nanoseconds that the calling thread has taken of a processor. A loaded machine does not change it.
package func processorTime() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

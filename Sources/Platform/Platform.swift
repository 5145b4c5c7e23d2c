// The C library of the system. Only this file names it: the other targets import this target. Only glibc was tried.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Bionic)
  @_exported public import Bionic
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif

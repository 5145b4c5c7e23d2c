// The C library of the system. This is the one file that names it: the others import this target. Only glibc has been tried.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Bionic)
  @_exported public import Bionic
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif

internal import Platform

/// Returns the time in seconds since 1970. Tests have clocks of their own.
package typealias Clock = @Sendable () -> Int64

/// The time of the system.
package let systemClock: Clock = { Int64(time(nil)) }

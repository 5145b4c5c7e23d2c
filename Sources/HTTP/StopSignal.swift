internal import Platform

/// A signal by which any thread ends all waiting for sockets, for good: a pair of sockets, of which one sees the end of
/// the other.
final class StopSignal: Sendable {
  private let watched: Int32
  private let raised: Int32

  /// Returns nil if the process can open no more files.
  init?() {
    var pair: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else { return nil }
    (watched, raised) = (pair[0], pair[1])
  }

  deinit {
    close(watched)
    close(raised)
  }

  func raise() { shutdown(raised, Int32(SHUT_RDWR)) }

  var isRaised: Bool {
    var entry = pollfd(fd: watched, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  /// Waits for an event of the socket, or for the signal. Returns false when the milliseconds have passed.
  func wait(for events: Int16, of socket: Int32, milliseconds: Int32) -> Bool {
    var entries = [
      pollfd(fd: socket, events: events, revents: 0), pollfd(fd: watched, events: Int16(POLLIN), revents: 0),
    ]
    // An interruption counts as an event: the caller looks again.
    return poll(&entries, 2, milliseconds) != 0
  }
}

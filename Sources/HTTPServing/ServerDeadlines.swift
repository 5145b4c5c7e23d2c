internal import Glibc
internal import Threading

/// The times by which connections must have done their next step. libmicrohttpd's own timeout begins anew with every
/// byte; a client that sends one byte a second would keep its connection for hours.
final class Deadlines: Sendable {
  private struct Entry {
    let socket: Int32
    var end: Int?
  }

  /// By the address of libmicrohttpd's connection. A connection is forgotten before its socket is closed, so a socket
  /// in the table belongs to its connection.
  private let entries = Locked<[UInt: Entry]>([:])

  func watch(_ connection: UInt, socket: Int32, seconds: Int) {
    let entry = Entry(socket: socket, end: monotonicSeconds() + seconds)
    entries.withLock { $0[connection] = entry }
  }

  func renew(_ connection: UInt, seconds: Int) {
    let end = monotonicSeconds() + seconds
    entries.withLock { $0[connection]?.end = end }
  }

  /// Gives the connection all the time in the world: now it is the server that must do something.
  func suspend(_ connection: UInt) { entries.withLock { $0[connection]?.end = nil } }

  func forget(_ connection: UInt) { entries.withLock { _ = $0.removeValue(forKey: connection) } }

  /// Cuts the connections whose time is over; libmicrohttpd notices and closes them.
  func enforce() {
    let now = monotonicSeconds()
    entries.withLock { entries in
      for (connection, entry) in entries {
        guard let end = entry.end, end <= now else { continue }
        shutdown(entry.socket, Int32(SHUT_RDWR))
        entries[connection]?.end = nil
      }
    }
  }
}

private func monotonicSeconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec
}

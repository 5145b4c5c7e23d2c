internal import CPostgreSQL
internal import Platform

/// A session that hears the notifications of a channel and sends some. One thread uses it; `interrupt` is for all.
package final class NotificationListener: Sendable {
  package let connection: PostgreSQLConnection
  private let channel: String
  private let wake: Interruption

  /// Connects to `target`, a connection's target, and listens to `channel`, an SQL name. Notifications that the session
  /// sends do not wait for the server's disk: they are lost with it.
  package init(_ target: String, channel: String, interruptedBy wake: Interruption) throws(PostgreSQLError) {
    connection = try PostgreSQLConnection(target)
    self.channel = channel
    self.wake = wake
    try connection.execute("SET synchronous_commit = off")
    try connection.execute("LISTEN \(channel)")
  }

  /// Sends a notification for each text to all other listeners of the channel. A text has less than 8000 bytes.
  package func notify(_ texts: [String]) throws(PostgreSQLError) {
    try connection.query("SELECT pg_notify($1, text) FROM unnest($2) AS text", .text(channel), .texts(texts))
  }

  /// The texts that other sessions have sent since the last call. Does not wait. Throws if the connection is lost.
  package func takeTexts() throws(PostgreSQLError) -> [String] {
    guard PQconsumeInput(connection.handle) == 1 else {
      throw PostgreSQLError(connecting: connection.handle)
    }
    var texts: [String] = []
    while let notification = PQnotifies(connection.handle) {
      if notification.pointee.be_pid != PQbackendPID(connection.handle), let text = notification.pointee.extra {
        texts.append(String(cString: text))
      }
      PQfreemem(notification)
    }
    return texts
  }

  /// Returns when something has come from the server, after an interruption, or when the time is over.
  package func wait(milliseconds: Int) { wake.wait(for: PQsocket(connection.handle), milliseconds: milliseconds) }
}

/// Ends the sleep of a thread that waits for a socket.
package final class Interruption: Sendable {
  private let ends: (reading: Int32, writing: Int32)

  package init() {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 {
      for end in ends {
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      }
    }
    self.ends = (ends[0], ends[1])
  }

  deinit {
    for end in [ends.reading, ends.writing] where end >= 0 { close(end) }
  }

  /// Ends the present sleep, or the next one.
  package func interrupt() {
    var byte: UInt8 = 0
    _ = write(ends.writing, &byte, 1)  // a full pipe interrupts too
  }

  /// Sleeps until the socket has something to read, an interruption comes, or the time is over. A negative socket has
  /// nothing to read.
  package func wait(for socket: Int32 = -1, milliseconds: Int) {
    var entries = [socket, ends.reading].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    poll(&entries, nfds_t(entries.count), Int32(clamping: milliseconds))
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(ends.reading, &bytes, bytes.count) == bytes.count {}
  }
}

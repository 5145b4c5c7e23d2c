internal import Glibc
internal import Threading

/// The connections of a server: by when each must have done its next step, and which one goes when there are too many.
///
/// libmicrohttpd's own timeout begins anew with every byte; a client that sends one byte a second would keep its
/// connection for hours. And where the table is full, it lets new clients wait: a few idle ones would keep all others out.
final class Connections: Sendable {
  fileprivate struct Entry {
    let socket: Int32
    /// Nil for an address that many clients share.
    let client: String?
    /// Nil while the client waits for the server, and once the connection is cut.
    var wait: Wait?
    var isCut = false
  }

  /// The server waits for the client: since when, in nanoseconds, and until when, in seconds.
  fileprivate struct Wait {
    let start = monotonicTime().nanoseconds
    let end: Int

    init(seconds: Int) { end = monotonicTime().seconds + seconds }
  }

  fileprivate struct State {
    /// By the address of libmicrohttpd's connection. A connection is forgotten before its socket is closed, so a socket
    /// in the table belongs to its connection.
    var entries: [UInt: Entry] = [:]

    /// Those that are not cut: all of them, and by client.
    var open = 0
    var byClient: [String: Int] = [:]
  }

  private let state = Locked(State())
  private let limit: Int
  private let limitPerClient: Int

  init(limit: Int, limitPerClient: Int) {
    self.limit = limit
    self.limitPerClient = limitPerClient
  }

  /// Watches a new connection. When there are too many, of its client or in all, the one goes for whose client the
  /// server has waited longest.
  func add(_ connection: UInt, socket: Int32, client: String?, seconds: Int) {
    state.withLock { state in
      state.entries[connection] = Entry(socket: socket, client: client, wait: Wait(seconds: seconds))
      state.open += 1
      if let client {
        state.byClient[client, default: 0] += 1
        if state.byClient[client] ?? 0 > limitPerClient { state.cutLongestWaiting { $0.client == client } }
      }
      if state.open > limit { state.cutLongestWaiting { _ in true } }
    }
  }

  /// The client whose connection it is; nil for an address that many share.
  func client(of connection: UInt) -> String? { state.withLock { $0.entries[connection]?.client } }

  func renew(_ connection: UInt, seconds: Int) {
    state.withLock { state in
      guard state.entries[connection]?.isCut == false else { return }
      state.entries[connection]?.wait = Wait(seconds: seconds)
    }
  }

  /// Gives the connection all the time in the world: now it is the server that must do something.
  func suspend(_ connection: UInt) { state.withLock { $0.entries[connection]?.wait = nil } }

  func forget(_ connection: UInt) {
    state.withLock { state in
      guard let entry = state.entries.removeValue(forKey: connection), !entry.isCut else { return }
      state.discount(entry)
    }
  }

  /// Cuts the connections whose time is over.
  func enforce() {
    let now = monotonicTime().seconds
    state.withLock { state in
      for (connection, entry) in state.entries {
        if let wait = entry.wait, wait.end <= now { state.cut(connection) }
      }
    }
  }
}

extension Connections.State {
  fileprivate mutating func cutLongestWaiting(among isMeant: (Connections.Entry) -> Bool) {
    let waiting = entries.compactMap { connection, entry in
      isMeant(entry) ? entry.wait.map { (connection: connection, start: $0.start) } : nil
    }
    if let longest = waiting.min(by: { $0.start < $1.start }) { cut(longest.connection) }
  }

  /// libmicrohttpd notices and closes it.
  fileprivate mutating func cut(_ connection: UInt) {
    guard var entry = entries[connection] else { return }
    shutdown(entry.socket, Int32(SHUT_RDWR))
    entry.isCut = true
    entry.wait = nil
    entries[connection] = entry
    discount(entry)
  }

  fileprivate mutating func discount(_ entry: Connections.Entry) {
    open -= 1
    guard let client = entry.client, let count = byClient[client] else { return }
    byClient[client] = count > 1 ? count - 1 : nil
  }
}

func monotonicTime() -> (seconds: Int, nanoseconds: Int) {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return (time.tv_sec, time.tv_sec * 1_000_000_000 + time.tv_nsec)
}

internal import Platform
internal import Threading

/// The connections of a server, each with the deadline of its next step. If there are too many, this type chooses the
/// connection to close.
///
/// libmicrohttpd's own timeout restarts with every byte; a client that sends one byte a second would keep its
/// connection for hours. If its table is full, it lets new clients wait: a few idle clients would keep all others out.
final class Connections: Sendable {
  fileprivate struct Entry {
    let socket: Int32
    /// The client; nil for an address that many clients share.
    let client: String?
    /// Nil while the client waits for the server, and after the connection is cut.
    var wait: Wait?
    var isCut = false
    /// Whether the client waits for a better answer. The server then does not count the connection.
    var isHeld = false

    var isCounted: Bool { !isCut && !isHeld }
  }

  /// The server waits for the client, from `start` until `end`.
  fileprivate struct Wait {
    let start = MonotonicTime.now
    let end: MonotonicTime

    init(seconds: Int) { end = start.after(milliseconds: seconds * 1000) }
  }

  fileprivate struct State {
    /// Keyed by the address of libmicrohttpd's connection. A connection is forgotten before its socket is closed, so a
    /// socket in the table belongs to its connection.
    var entries: [UInt: Entry] = [:]

    /// The number of counted connections, in all and by client.
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

  /// Watches a new connection. If its client or all clients together have too many, closes the connection whose client
  /// has kept the server waiting longest.
  func add(_ connection: UInt, socket: Int32, client: String?, seconds: Int) {
    state.withLock { state in
      let entry = Entry(socket: socket, client: client, wait: Wait(seconds: seconds))
      state.entries[connection] = entry
      state.count(entry)
      if let client, state.byClient[client] ?? 0 > limitPerClient { state.cutLongestWaiting { $0.client == client } }
      if state.open > limit { state.cutLongestWaiting { _ in true } }
    }
  }

  /// Stops counting the connection, because its client waits for a better answer. Returns its socket, which stays open
  /// until `release`; nil if the connection was cut.
  func hold(_ connection: UInt) -> Int32? {
    state.withLock { state in
      guard let entry = state.entries[connection], !entry.isCut else { return nil }
      state.discount(entry)
      state.entries[connection]?.isHeld = true
      return entry.socket
    }
  }

  /// Counts a held connection again. Cuts no other connection for it: many waiting clients may be answered at once, and
  /// each gets its answer. Returns its socket; nil if the connection was not held.
  func release(_ connection: UInt) -> Int32? {
    state.withLock { state in
      guard var entry = state.entries[connection], entry.isHeld else { return nil }
      entry.isHeld = false
      state.entries[connection] = entry
      if !entry.isCut { state.count(entry) }
      return entry.socket
    }
  }

  /// The client of the connection; nil for an address that many clients share.
  func client(of connection: UInt) -> String? { state.withLock { $0.entries[connection]?.client } }

  func renew(_ connection: UInt, seconds: Int) {
    state.withLock { state in
      guard state.entries[connection]?.isCut == false else { return }
      state.entries[connection]?.wait = Wait(seconds: seconds)
    }
  }

  /// Suspends the connection's deadline, because now the server must act.
  func suspend(_ connection: UInt) { state.withLock { $0.entries[connection]?.wait = nil } }

  func forget(_ connection: UInt) {
    state.withLock { state in
      guard let entry = state.entries.removeValue(forKey: connection), entry.isCounted else { return }
      state.discount(entry)
    }
  }

  /// Cuts the connections whose deadline has passed.
  func enforce() {
    let now = MonotonicTime.now
    state.withLock { state in
      for (connection, entry) in state.entries {
        if let wait = entry.wait, wait.end <= now { state.cut(connection) }
      }
    }
  }

  /// Cuts all connections. Returns when libmicrohttpd has closed them, at the latest after a second.
  func cutAll() {
    for _ in 0..<1000 {
      let isEmpty = state.withLock { state in
        for (connection, entry) in state.entries where !entry.isCut { state.cut(connection) }
        return state.entries.isEmpty
      }
      if isEmpty { return }
      usleep(1000)
    }
  }
}

extension Connections.State {
  fileprivate mutating func count(_ entry: Connections.Entry) {
    open += 1
    if let client = entry.client { byClient[client, default: 0] += 1 }
  }

  fileprivate mutating func cutLongestWaiting(among isMeant: (Connections.Entry) -> Bool) {
    let waiting = entries.compactMap { connection, entry in
      isMeant(entry) ? entry.wait.map { (connection: connection, start: $0.start) } : nil
    }
    if let longest = waiting.min(by: { $0.start < $1.start }) { cut(longest.connection) }
  }

  /// Cuts the connection. libmicrohttpd notices the end and closes the connection.
  fileprivate mutating func cut(_ connection: UInt) {
    guard var entry = entries[connection] else { return }
    cutOff(entry.socket)
    if entry.isCounted { discount(entry) }
    entry.isCut = true
    entry.wait = nil
    entries[connection] = entry
  }

  fileprivate mutating func discount(_ entry: Connections.Entry) {
    open -= 1
    guard let client = entry.client, let count = byClient[client] else { return }
    byClient[client] = count > 1 ? count - 1 : nil
  }
}

/// Ends both directions of a socket. The socket stays open.
func cutOff(_ socket: Int32) { shutdown(socket, Int32(SHUT_RDWR)) }

internal import CMicroHTTPD
internal import Platform

/// Watches the connections of waiting clients, whose sockets libmicrohttpd does not read: a client that has gone needs no
/// place any more.
final class Hangups: Sendable {
  private let poller = msdk_poller()

  deinit { if poller >= 0 { close(poller) } }

  func watch(_ socket: Int32, of connection: UInt) { msdk_poller_watch(poller, socket, UInt64(connection)) }

  func forget(_ socket: Int32) { msdk_poller_forget(poller, socket) }

  /// The connections whose clients have closed them since the last call. Names each connection once.
  func all() -> [UInt] {
    var all: [UInt] = []
    while true {
      let found = withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.batch) { keys in
        let count = msdk_poller_ended(poller, keys.baseAddress, Int32(Self.batch))
        return keys.prefix(Int(max(count, 0))).map { UInt($0) }
      }
      all += found
      if found.count < Self.batch { return all }
    }
  }

  private static let batch = 64
}

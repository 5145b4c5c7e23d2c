import Foundation
import HTTP
import Testing

/// Servers that are there and do not answer.
@Suite struct StallTests {
  /// A socket whose queue of connections is full: Linux leaves further ones without an answer.
  final class FullListener {
    private var sockets: [Int32] = []
    let port: UInt16

    init() throws {
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      try withUnsafeMutablePointer(to: &address) { pointer in
        try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          try #require(bind(listener, $0, length) == 0 && listen(listener, 0) == 0)
          try #require(getsockname(listener, $0, &length) == 0)
        }
      }
      port = UInt16(bigEndian: address.sin_port)
      sockets.append(listener)
      for _ in 0..<4 {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        withUnsafePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(client, $0, length) }
        }
        sockets.append(client)
      }
    }

    deinit { for socket in sockets { close(socket) } }
  }

  @Test func aConnectionThatIsNotTakenIsGivenUpLongBeforeTheExchange() throws {
    let listener = try FullListener()
    let start = Date()
    let error = #expect(throws: HTTPError.self) {
      try HTTPClient(timeout: 300, connectTimeout: 1, maximumBody: 1).get("http://127.0.0.1:\(listener.port)/")
    }
    #expect(error?.description.hasPrefix("no answer: http://127.0.0.1:\(listener.port): ") == true)
    #expect(Date().timeIntervalSince(start) < 200)
    #expect(HTTPClient.connectTimeout == 10)
  }
}

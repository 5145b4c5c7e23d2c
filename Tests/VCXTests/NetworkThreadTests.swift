import Foundation
import TestSupport
import Testing

@testable import VCX

/// Operations that wait for servers which never answer.
@Suite(.theAgent) struct NetworkThreadTests {
  /// A socket that takes connections and says nothing until it is closed.
  final class SilentListener: Sendable {
    private let socket: Int32
    let port: UInt16

    init() throws {
      socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      try withUnsafeMutablePointer(to: &address) { [socket] pointer in
        try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          try #require(bind(socket, $0, length) == 0 && listen(socket, 1000) == 0)
          try #require(getsockname(socket, $0, &length) == 0)
        }
      }
      port = UInt16(bigEndian: address.sin_port)
    }

    /// Ends the connections that nobody has taken, so that their other sides stop waiting.
    func close() { Foundation.close(socket) }
  }

  @Test func workWithoutTheNetworkGoesOnMeanwhile() throws {
    let listener = try SilentListener()
    let url = "http://127.0.0.1:\(listener.port)/"
    let silent = (0..<150).map { _ in strings.started { vcx_resolve_message_by_url($0, url, stringCallback) } }
    // As many again as the library has threads of each kind. None of them waits behind those above.
    for number in 0..<128 {
      let call = strings.started { vcx_extract_thread_id($0, #"{"@id":"\#(number)"}"#, stringCallback) }
      #expect(call.end().delivery?.value == "\(number)")
    }
    #expect(silent.allSatisfy { $0.ending == nil })
    listener.close()
    #expect(silent.allSatisfy { $0.end().delivery?.value == nil })
  }
}

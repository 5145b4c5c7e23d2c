internal import Foundation

/// A socket of this machine that takes connections and says nothing until it is closed.
package final class SilentListener: Sendable {
  private let socket: Int32
  private let port: UInt16

  package var endpoint: String { "http://127.0.0.1:\(port)/" }

  package struct NotOpened: Error {}

  package init() throws {
    socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafeMutablePointer(to: &address) { [socket] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && listen(socket, 1000) == 0 && getsockname(socket, $0, &length) == 0
      }
    }
    guard isOpen else { throw NotOpened() }
    port = UInt16(bigEndian: address.sin_port)
  }

  /// Ends the connections that nobody has taken, so that their other sides stop waiting.
  package func close() { Foundation.close(socket) }
}

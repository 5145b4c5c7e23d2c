internal import Foundation

/// A TCP connection to 127.0.0.1 that sends whatever it is told to: what an HTTP client would never send, or not so
/// slowly.
package final class RawConnection {
  private let socket: Int32

  package struct Failure: Error { package let errno: Int32 }

  package init(port: UInt16) throws {
    socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw Failure(errno: errno) }
  }

  deinit { close(socket) }

  /// Sends as much as the other side takes. False when it has closed the connection.
  @discardableResult
  package func send(_ bytes: some Sequence<UInt8>) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  @discardableResult
  package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Says that nothing more will come, and keeps reading.
  package func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

  /// Everything until the other side closes the connection; nil when that does not come within `seconds`.
  package func readToEnd(seconds: Int = 20) -> String? {
    var timeout = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      if count > 0 { received += buffer.prefix(count) }
      if count == 0 || (count < 0 && errno == ECONNRESET) { return String(decoding: received, as: UTF8.self) }
      if count < 0 { return nil }
    }
  }
}

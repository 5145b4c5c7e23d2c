internal import Foundation

/// A TCP connection to 127.0.0.1 that sends any bytes: an HTTP client would never send them, or not so slowly.
package final class RawConnection {
  private let socket: Int32

  package struct Failure: Error { package let errno: Int32 }

  /// Comes from 127.0.0.`client`: all of these are the machine's own. `receiving` is the size of the buffer for what has come
  /// and is not read yet; with nil, the system's choice.
  package init(port: UInt16, from client: UInt8 = 1, receiving: Int32? = nil) throws {
    socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var size = receiving { setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size)) }
    let bound = Self.withAddress(client, 0) { bind(socket, $0, $1) }
    let status = bound == 0 ? Self.withAddress(1, port) { connect(socket, $0, $1) } : bound
    guard status == 0 else { throw Failure(errno: errno) }
  }

  private static func withAddress(
    _ host: UInt8, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = (UInt32(0x7f00_0000) + UInt32(host)).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
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

  /// Whether something has come, or the other side has closed the connection.
  package var isReadable: Bool {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  /// The next piece of what comes; nil when the other side has closed the connection or nothing comes within `seconds`.
  package func read(seconds: Int = 20, atMost size: Int = 65536) -> String? {
    var timeout = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var buffer = [UInt8](repeating: 0, count: size)
    let count = recv(socket, &buffer, buffer.count, 0)
    return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
  }

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

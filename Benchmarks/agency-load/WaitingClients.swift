import AgencyWire
import Foundation

/// Connections whose requests wait for messages. The clients of the other figures need a thread each; these need none.
final class WaitingClients {
  private var sockets: [Int32] = []

  struct Failed: Error { let errno: Int32 }

  deinit { for socket in sockets { close(socket) } }

  /// Opens a connection to this machine's `port`, and sends the body of a request on it.
  func add(_ body: [UInt8], port: UInt16) throws {
    let header = "POST /agency/msg HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.count)\r\n\r\n"
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw Failed(errno: errno) }
    sockets.append(socket)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    let bytes = Array(header.utf8) + body
    guard status == 0, send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw Failed(errno: errno)
    }
  }
}

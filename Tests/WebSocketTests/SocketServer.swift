import Foundation
import Testing

@testable import WebSocket

/// A server on loopback that does with each connection what the test says, on a thread of its own.
final class SocketServer: Sendable {
  let port: UInt16
  private let listener: Int32

  var url: String { "ws://127.0.0.1:\(port)/socket" }

  init(_ serve: @escaping @Sendable (ServerConnection) -> Void) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        try #require(bind(listener, $0, length) == 0 && listen(listener, 8) == 0)
        try #require(getsockname(listener, $0, &length) == 0)
      }
    }
    self.listener = listener
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread {
      while true {
        let socket = accept(listener, nil, nil)
        if socket >= 0 {
          Thread.detachNewThread { serve(ServerConnection(socket)) }
        } else if errno == EINVAL {
          break
        }
      }
      // This thread closes the socket, because it uses the number, which another server may get next.
      close(listener)
    }
  }

  /// Ends the waiting for connections.
  deinit { shutdown(listener, Int32(SHUT_RDWR)) }
}

/// The server's side of a connection. It closes with the last reference.
final class ServerConnection: @unchecked Sendable {
  // One thread at a time uses it.
  private let socket: Int32

  init(_ socket: Int32) { self.socket = socket }

  deinit { close(socket) }

  /// Sends as much as the client takes.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// The next bytes; nil when the client has closed.
  func read(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var buffer = [UInt8](repeating: 0, count: count - bytes.count)
      let received = recv(socket, &buffer, buffer.count, 0)
      guard received > 0 else { return nil }
      bytes += buffer.prefix(received)
    }
    return bytes
  }

  /// Reads until the client closes.
  func readToEnd() { while read(1) != nil {} }

  /// The head of a request.
  func head() -> String {
    var bytes: [UInt8] = []
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8), let byte = read(1) { bytes += byte }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Answers the client's request as the standard says.
  func upgrade() {
    let key = head().split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }?.dropFirst(19)
    send(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: \(OpeningHandshake.proof(of: String(key ?? "")))\r\n\r\n")
  }

  struct Received: Equatable {
    let opcode: UInt8
    let payload: [UInt8]

    init(_ opcode: UInt8, _ payload: [UInt8] = []) { (self.opcode, self.payload) = (opcode, payload) }
  }

  /// The next frame of the client, which must be whole and masked; nil at the end.
  func frame() -> Received? {
    guard let head = read(2), head[0] & 0xf0 == 0x80, head[1] & 0x80 != 0 else { return nil }
    var count = Int(head[1] & 0x7f)
    if count >= 126 {
      guard let length = read(count == 126 ? 2 : 8) else { return nil }
      count = length.reduce(0) { $0 << 8 | Int($1) }
    }
    guard let mask = read(4), let payload = read(count) else { return nil }
    return Received(head[0] & 0x0f, payload.enumerated().map { $1 ^ mask[$0 % 4] })
  }
}

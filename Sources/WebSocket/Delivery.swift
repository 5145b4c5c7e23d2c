package import HTTP

extension WebSocketConnection {
  /// The milliseconds within which a server has to acknowledge the close, and with it the message before.
  private static let acknowledgement = 10_000

  /// Opens a socket, sends one binary message, and closes. Returns when the server has acknowledged the close: it has read the
  /// message then. Otherwise throws, and nobody knows whether it has.
  package static func deliver(
    _ message: [UInt8], to url: String, over client: HTTPClient
  ) throws(WebSocketError) {
    let limits = WebSocketLimits(closeMilliseconds: acknowledgement)
    let socket = try WebSocketConnection(to: url, over: client, limits: limits)
    defer { socket.cancel() }
    try socket.open()
    try socket.send(message)
    switch socket.close() {
    case .some(.closed(code: let code, reason: _)) where [1000, 1001, 1005].contains(code): break
    case .some(let reason): throw reason
    case nil: throw .silent
    }
  }
}

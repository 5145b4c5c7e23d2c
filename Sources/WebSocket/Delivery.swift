package import HTTP
internal import Platform
internal import Threading

extension WebSocketConnection {
  /// The milliseconds within which a server has to answer the ping behind the message, and then the close.
  private static let acknowledgement = 10_000
  /// The most bytes that a server may send in all. Nobody reads its messages.
  private static let maximumAnswers = 64 << 10

  /// Opens a socket, sends one binary message and a ping, and closes. Returns when the server has answered the ping,
  /// whose content nobody can guess, and the close frame: the server has then read the message. If it throws, the
  /// server may have read the message or not.
  package static func deliver(
    _ message: [UInt8], to url: String, over client: HTTPClient
  ) throws(WebSocketError) {
    let limits = WebSocketLimits(
      maximumMessage: maximumAnswers, maximumInAll: maximumAnswers, closeMilliseconds: acknowledgement)
    let socket = try WebSocketConnection(to: url, over: client, limits: limits)
    defer { socket.cancel() }
    try socket.open()
    try socket.send(message)
    try socket.confirm(until: .now.after(milliseconds: Deadline.milliseconds(atMost: acknowledgement)))
    switch socket.close() {
    case .some(.closed(code: let code, reason: _)) where [1000, 1001, 1005].contains(code): break
    case .some(let reason): throw reason
    case nil: throw .silent
    }
  }
}

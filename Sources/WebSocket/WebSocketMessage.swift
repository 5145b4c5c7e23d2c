package import HTTP

/// A message of a WebSocket, put together from its frames.
package struct WebSocketMessage: Equatable, Sendable {
  package enum Kind: Equatable, Sendable { case text, binary }

  package let kind: Kind
  /// The bytes of a text are valid UTF-8.
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8], as kind: Kind) {
    self.bytes = bytes
    self.kind = kind
  }
}

/// The sizes that a connection accepts, and the times that it waits. The time limit for opening and sending is the HTTP client's.
package struct WebSocketLimits: Sendable {
  /// The size limit of a received message, in bytes.
  package var maximumMessage: Int
  /// The size limit of all received messages together, in bytes; nil for no limit.
  package var maximumInAll: Int?
  /// The milliseconds of silence after which the client pings the server. After as many more milliseconds of silence,
  /// the connection counts as dead.
  package var pingMilliseconds: Int
  /// The milliseconds within which the server has to answer the client's close frame.
  package var closeMilliseconds: Int

  package init(
    maximumMessage: Int = 4 << 20, maximumInAll: Int? = nil, pingMilliseconds: Int = 20_000,
    closeMilliseconds: Int = 2_000
  ) {
    self.maximumMessage = maximumMessage
    self.maximumInAll = maximumInAll
    self.pingMilliseconds = pingMilliseconds
    self.closeMilliseconds = closeMilliseconds
  }
}

/// The reasons why a WebSocket cannot be used, or cannot be used any longer.
package enum WebSocketError: Error, Equatable, Sendable {
  /// The text is no ws or wss URL (RFC 6455, section 3), or it is one with a user or a fragment.
  case invalidURL
  /// The server could not be reached, or the connection broke.
  case connection(HTTPError)
  /// The server answers the request with another status than 101.
  case refused(status: Int)
  /// The server accepts the request in a way that RFC 6455 does not permit, for the given reason.
  case notWebSocket(String)
  /// The close handshake has begun. Code and reason are the server's. The code is 1005 if the server gave none, and
  /// 1006 if the connection ended without a close frame.
  case closed(code: Int, reason: String)
  /// The server broke the protocol or a limit, and the client closed with this code: 1002, 1007 or 1009.
  case violated(code: Int, reason: String)
  /// The server did not answer a ping, or the close frame after a delivery.
  case silent
  /// This side has cancelled or closed the connection.
  case cancelled
}

extension WebSocketError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .invalidURL: "not a ws or wss URL"
    case .connection(let error): "\(error)"
    case .refused(let status) where (300..<400).contains(status):
      "the server redirects the WebSocket (HTTP status \(status)), which msdk does not follow"
    case .refused(let status): "the server refuses the WebSocket with the HTTP status \(status)"
    case .notWebSocket(let reason): "the server does not speak the WebSocket protocol: \(reason)"
    case .closed(code: 1006, reason: _): "the server ended the connection without closing the WebSocket"
    case .closed(let code, let reason): "the WebSocket was closed with the code \(code)" + Self.quoted(reason)
    case .violated(let code, let reason): "the server broke the WebSocket protocol (\(code)): \(reason)"
    case .silent: "the server no longer answers on the WebSocket"
    case .cancelled: "the WebSocket was cancelled"
    }
  }

  private static func quoted(_ reason: String) -> String { reason.isEmpty ? "" : ": \(reason.debugDescription)" }
}

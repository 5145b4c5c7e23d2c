package import HTTP

/// A message of a WebSocket, put together from its frames.
package struct WebSocketMessage: Equatable, Sendable {
  package enum Kind: Equatable, Sendable { case text, binary }

  package let kind: Kind
  /// Of a text: valid UTF-8.
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8], as kind: Kind) {
    self.bytes = bytes
    self.kind = kind
  }
}

/// The sizes that a connection accepts, and the times that it waits. The time limit for opening and sending is the HTTP client's.
package struct WebSocketLimits: Sendable {
  /// The most bytes of a message that comes.
  package var maximumMessage: Int
  /// The most bytes that come in all; nil for no limit.
  package var maximumInAll: Int?
  /// The milliseconds without a sign of the server after which we ping. After as many more without one the connection is dead.
  package var pingMilliseconds: Int
  /// The milliseconds within which the server has to answer our close frame.
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

/// The reasons why a WebSocket cannot be used, or no longer.
package enum WebSocketError: Error, Equatable, Sendable {
  /// Not a ws or wss URL (RFC 6455, section 3), which has neither a user nor a fragment.
  case invalidURL
  /// The server could not be reached, or the connection broke.
  case connection(HTTPError)
  /// The server answers the request with another status than 101.
  case refused(status: Int)
  /// The server accepts the request in a way that RFC 6455 does not permit, for the given reason.
  case notWebSocket(String)
  /// The close handshake has begun, with this code and reason of the server: 1005 if it gave none, 1006 if the connection
  /// ended without it.
  case closed(code: Int, reason: String)
  /// The server broke the protocol or a limit, and we closed with this code: 1002, 1007 or 1009.
  case violated(code: Int, reason: String)
  /// The server did not answer a ping, such as the one behind a delivered message, or the close frame after a delivery.
  case silent
  /// This side called `cancel`, or closed.
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

public import CMSDKCalls
internal import CMSDK

/// A connection with a peer. The library's object is released with the last reference.
///
/// Calls on one connection run one at a time, in their order.
public final class Connection: Sendable {
  /// The states that a connection goes through.
  public enum State: UInt32, Sendable {
    /// One side ended the connection.
    case ended = 0
    /// An inviter without an invitation yet.
    case created = 1
    /// An invitee that has sent nothing, or an inviter whose invitation is made.
    case invited = 2
    /// The request, or the response, is sent.
    case requested = 3
    case completed = 4
    /// The peer goes on with another connection, in Evernym's older protocol.
    case redirected = 8
  }

  /// The options of ``connect(_:)``; nil leaves the choice to the library.
  public struct Options: Sendable, Encodable {
    public enum Handshake: String, Sendable, Encodable {
      case connections = "connections/1.0"
      case didExchange10 = "didexchange/1.0"
      case didExchange11 = "didexchange/1.1"
    }

    public enum DIDMethod: String, Sendable, Encodable {
      case unqualified
      case peer2 = "did:peer:2"
      case peer4 = "did:peer:4"
    }

    public var handshake: Handshake?
    public var didMethod: DIDMethod?

    public init(handshake: Handshake? = nil, didMethod: DIDMethod? = nil) {
      (self.handshake, self.didMethod) = (handshake, didMethod)
    }

    private enum CodingKeys: String, CodingKey {
      case handshake = "handshake_protocol"
      case didMethod = "use_did_method"
    }
  }

  /// The number of the object for functions of `CMSDK`.
  public let handle: UInt32

  public init(_ handle: UInt32) { self.handle = handle }

  deinit { _ = vcx_connection_release(handle) }
}

// MARK: - Making

extension Connection {
  /// Takes up an invitation: JSON text, the URL of one, or the public DID of an inviter. Nothing is sent before
  /// ``connect(_:)``.
  public static func accept(_ invitation: String, name: String) async throws(MSDKError) -> Connection {
    Connection(try await Call.number { msdk_connection_accept($0, name, invitation, $1) })
  }

  /// The inviter's side. ``connect(_:)`` makes the invitation and returns it.
  public static func invite(name: String, goal: String? = nil) async throws(MSDKError) -> Connection {
    Connection(try await Call.number { vcx_connection_create_outofband($0, name, nil, goal, true, nil, $1) })
  }

  /// An invitation that asks for an answer to the attached message, an offer or a proof request, and for no connection.
  /// ``connect(_:)`` makes it and returns it.
  public static func invite(
    name: String, attaching message: String, goal: String, goalCode: String? = nil
  ) async throws(MSDKError) -> Connection {
    Connection(
      try await Call.number { vcx_connection_create_outofband($0, name, goalCode, goal, false, message, $1) })
  }

  /// The inviter's side, with the next peer that asks for a connection at this agent's public DID. Call
  /// ``Session/publishPublicDID()`` once before, and ``connect(_:)`` after.
  public static func atPublicDID(name: String) async throws(MSDKError) -> Connection {
    Connection(try await Call.number { msdk_public_did_listen($0, name, $1) })
  }

  /// Restores a connection from the text of ``serialized()``, in this process or another with the same wallet.
  public static func restore(_ text: String) async throws(MSDKError) -> Connection {
    Connection(try await Call.number { vcx_connection_deserialize($0, text, $1) })
  }
}

// MARK: - Using

extension Connection {
  /// Makes a mailbox, and sends an invitee's request or makes an inviter's invitation. It can be repeated if it fails.
  ///
  /// - Returns: The invitation as JSON text.
  @discardableResult
  public func connect(_ options: Options = Options()) async throws(MSDKError) -> String {
    let text = JSONText.of(options)
    return try await Call.text { vcx_connection_connect($0, handle, text, $1) } ?? ""
  }

  /// Looks into the mailbox once, and applies at most one message to the connection.
  @discardableResult
  public func update() async throws(MSDKError) -> State {
    try Self.state(await Call.number { vcx_connection_update_state($0, handle, $1) })
  }

  public var state: State {
    get async throws(MSDKError) { try Self.state(await Call.number { vcx_connection_get_state($0, handle, $1) }) }
  }

  /// Updates the connection until it is completed or has ended. Throws `CancellationError` if the task is cancelled.
  public func completed(every pause: Duration = .milliseconds(300)) async throws -> State {
    try await reach([.completed, .ended], every: pause) { try await update() }
  }

  /// Sends a basic message, or JSON text of the program's own as it is.
  public func send(_ message: String) async throws(MSDKError) {
    _ = try await Call.text { vcx_connection_send_message($0, handle, message, "{}", $1) }
  }

  /// Sends a ping; the answer is a message of the kind `ping_response`.
  public func ping(comment: String? = nil) async throws(MSDKError) {
    try await Call.done { vcx_connection_send_ping($0, handle, comment, $1) }
  }

  /// This side's DID, which names the connection in downloaded messages; empty before ``connect(_:)``.
  public var pairwiseDID: String {
    get async throws(MSDKError) { try await Call.text { vcx_connection_get_pw_did($0, handle, $1) } ?? "" }
  }

  /// The facts about both sides, as JSON text.
  public var info: String {
    get async throws(MSDKError) { try await Call.text { vcx_connection_info($0, handle, $1) } ?? "" }
  }

  /// The keys that the peer has proven; none while the handshake is under way. ``Message/senderVerkey`` of the peer's messages
  /// is one of them. Throws 1103 for a connection of Evernym's proprietary protocol.
  public var peerKeys: [String] {
    get async throws(MSDKError) {
      // Until the handshake is over, `info` has the key of the invitation.
      guard try await ![.created, .invited, .requested].contains(state) else { return [] }
      return try await JSONText.read(Sides.self, info).their?.recipientKeys ?? []
    }
  }

  private struct Sides: Decodable {
    let their: Side?

    struct Side: Decodable { let recipientKeys: [String]? }
  }

  /// The id of the handshake's thread; before the request it is the id of the invitation.
  public var threadID: String {
    get async throws(MSDKError) { try await Call.text { msdk_connection_get_thread_id($0, handle, $1) } ?? "" }
  }

  /// The whole connection as text, without private keys: to be stored after each change.
  public func serialized() async throws(MSDKError) -> String {
    try await Call.text { vcx_connection_serialize($0, handle, $1) } ?? ""
  }

  /// Deletes the mailbox of the connection. The peer is not told.
  public func delete() async throws(MSDKError) {
    try await Call.done { vcx_connection_delete_connection($0, handle, $1) }
  }

  private static func state(_ number: UInt32) throws(MSDKError) -> State {
    guard let state = State(rawValue: number) else {
      throw MSDKError(code: VCX_INVALID_STATE.rawValue, details: "the library gave the state \(number)")
    }
    return state
  }
}

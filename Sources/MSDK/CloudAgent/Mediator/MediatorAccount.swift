package import Aries
internal import CloudAgent
package import DIDComm
internal import HTTP
internal import JSON
internal import WebSocket

/// A connection with a mediator that has granted mediation: the mediator's service, the client's key towards it, and the
/// address for peers.
package struct MediatorAccount: Sendable {
  package let mediator: Service
  package let own: VerKey
  package let grant: MediationGrant
  /// The URL of the mediator's WebSocket; nil if it has none.
  package let socket: String?

  init(_ enrolled: Enrolled) {
    (mediator, own, grant) = (enrolled.mediator, enrolled.own, enrolled.grant)
    socket = enrolled.socket
  }

  private static let service = "mediator_service"
  private static let granted = "mediator_grant"
  private static let live = "mediator_websocket"

  /// Returns nil if the configuration names no mediator.
  init?(_ config: SettingsReader) throws(SettingsError) {
    guard let service = try config.object(Self.service) else {
      guard try config.object(Self.granted) == nil, try config.string(Self.live) == nil else {
        throw .missing(Self.service)
      }
      return nil
    }
    guard let granted = try config.object(Self.granted) else { throw .missing(Self.granted) }
    guard let own = try config.verkey("sdk_to_remote_verkey") else { throw .missing("sdk_to_remote_verkey") }
    do { mediator = try Service(decorator: service) } catch {
      throw .invalidValue(Self.service, "a mediator's keys and endpoint: \(error)")
    }
    do { grant = try MediationGrant(granted) } catch {
      throw .invalidValue(Self.granted, "a mediator's grant: \(error)")
    }
    socket = try config.string(Self.live)
    guard socket.map(Service.isWebSocket) ?? true else { throw .invalidValue(Self.live, "a ws or wss URL") }
    self.own = own
  }

  /// The members of a configuration that name the mediator, besides the owner.
  var members: JSONObject {
    var members: JSONObject = [Self.service: mediator.decorator, Self.granted: .object(grant.stored)]
    if let socket { members[Self.live] = .string(socket) }
    return members
  }

  /// The size limit of a message over the WebSocket: a delivery has ten envelopes.
  private static let limits = WebSocketLimits(maximumMessage: Session.maximumAnswer)

  /// The Cloud Agent of the account.
  func client(keys: any KeyRing, filing: MessageFiling, over http: HTTPClient) -> MediatorClient {
    let channel = MediatorChannel(to: mediator, as: own, keys: keys, over: MediatorPosts(over: http))
    let openSocket = socket.map { url in
      { @Sendable in try WebSocketConnection(to: url, over: http, limits: Self.limits) }
    }
    return MediatorClient(channel: channel, grant: grant, directory: filing.book, over: openSocket) {
      try filing.file($0)
    }
  }
}

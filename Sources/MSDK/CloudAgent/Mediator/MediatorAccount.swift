package import Aries
internal import CloudAgent
package import DIDComm
internal import HTTP
internal import JSON

/// A connection with a mediator that has granted mediation: the mediator's service, the client's key towards it, and the
/// address for peers.
package struct MediatorAccount: Sendable {
  package let mediator: Service
  package let own: VerKey
  package let grant: MediationGrant

  init(_ enrolled: Enrolled) { (mediator, own, grant) = (enrolled.mediator, enrolled.own, enrolled.grant) }

  private static let (service, granted) = ("mediator_service", "mediator_grant")

  /// Returns nil if the configuration names no mediator.
  init?(_ config: SettingsReader) throws(SettingsError) {
    guard let service = try config.object(Self.service) else {
      guard try config.object(Self.granted) == nil else { throw .missing(Self.service) }
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
    self.own = own
  }

  /// The members of a configuration that name the mediator, besides the owner.
  var members: JSONObject { [Self.service: mediator.decorator, Self.granted: .object(grant.stored)] }

  /// The Cloud Agent of the account.
  func client(keys: any KeyRing, filing: MessageFiling, over http: HTTPClient) -> MediatorClient {
    let channel = MediatorChannel(to: mediator, as: own, keys: keys, over: MediatorPosts(over: http))
    return MediatorClient(channel: channel, grant: grant, directory: filing.book) { try filing.file($0) }
  }
}

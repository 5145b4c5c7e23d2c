import AgencyServer
import AgencyWire
import Aries
import DIDComm
import Foundation
import HTTP
import HTTPServing
import JSON
import MSDK
import Sodium
import TestSupport
import Threading

/// A real agency, a wallet on disk, and a scripted inviter that listens: what a connection needs around it.
final class World {
  let agent = Agent.ofTest
  let folder: TemporaryFolder
  let agency: AgencyServer
  let inviter: ScriptedInviter
  let config: String
  /// The Cloud Agent in place of the agency, if the test runs with another one.
  let cloudAgent: (any StandInCloudAgent)?

  /// `meter` makes what stands between the agency and the rest of the world. `answerBytes` is what an answer of the
  /// agency holds. With a `rate`, the agency counts requests by the address that it is told. Without a `cloudAgent`, the
  /// test's kind decides.
  init(
    answerBytes: Int? = nil, rate: Rate? = nil, at cloudAgent: (any StandInCloudAgent)? = nil,
    behind meter: (AgencyServer) throws -> Meter? = { _ in nil }
  ) throws {
    folder = try TemporaryFolder()
    var rules = Agency.Rules()
    if let answerBytes { rules.answerBytes = answerBytes }
    if let rate { (rules.rate, rules.trustedProxy) = (rate, "127.0.0.1") }
    agency = try AgencyServer(dataFolder: folder.path + "/agency", rules: rules)
    let endpoint = try meter(agency)?.endpoint ?? agency.endpoint
    inviter = try ScriptedInviter()
    let provisioning: JSON = [
      "agency_url": .string(endpoint), "agency_did": .string(agency.identity.did),
      "agency_verkey": .string(agency.identity.verkey.text), "wallet_name": "alice",
      "wallet_key": "G8r6kyQd2ToxoqMAa46UpgRSP7YhPsRTA5HE5Wxf71ca", "wallet_key_derivation": "RAW",
      "storage_config": ["path": .string(folder.path + "/wallets")], "name": "Alice", "protocol_type": "4.0",
    ]
    config = try Provisioning(parsing: provisioning.text).run()
    self.cloudAgent = try cloudAgent ?? CloudAgentKind.current.made()
    try start(config)
  }

  /// Starts the library, at the Cloud Agent of this world.
  func start(_ config: String) throws {
    let settings = try Settings(parsing: config)
    try agent.start(settings, at: settings.cloudAgent == nil ? nil : cloudAgent)
  }

  /// The number of agents that pass the messages of peers on.
  var hops: Int { cloudAgent?.hops ?? 2 }

  /// The URL that receives the messages of peers.
  var messageURL: String { cloudAgent?.endpoint ?? agency.endpoint + "/agency/msg" }

  deinit {
    agent.stop(deletingWallet: false)
    inviter.server.stop()
    agency.stop()
  }

  var session: MSDK.Session { get throws { try agent.running() } }

  /// A connection that has sent its request.
  func requested() throws -> Connection {
    var connection = try Connection(sourceID: "acme", connectionInvitation: inviter.invitation.text)
    try connection.connect(ConnectionOptions(parsing: nil), with: session)
    return connection
  }

  /// A connection that the inviter has answered.
  func completed() throws -> Connection {
    var connection = try requested()
    try inviter.respond()
    try connection.poll(with: session)
    return connection
  }
}

/// An inviter with a server of its own, which does just what a test tells it, well or badly.
final class ScriptedInviter: Sendable {
  let server: HTTPServer
  let invitationKey = KeyPair()
  let pairwiseKey = KeyPair()
  private let arrived: Locked<[[UInt8]]>
  private let status: Locked<Int>
  private let http = HTTPClient()

  init() throws {
    let (arrived, status) = (Locked<[[UInt8]]>([]), Locked(200))
    self.arrived = arrived
    self.status = status
    server = try HTTPServer { request in
      let status = status.withLock { $0 }
      if status == 200 { arrived.withLock { $0.append(request.body) } }
      return HTTPServer.Response(status: status)
    }
  }

  /// The endpoint's status from now on; messages arrive only with 200.
  func answer(_ newStatus: Int) { status.withLock { $0 = newStatus } }

  var invitation: JSON {
    [
      "@type": "https://didcomm.org/connections/1.0/invitation", "@id": "invitation-1", "label": "Acme",
      "recipientKeys": [.string(invitationKey.verkey.text)], "serviceEndpoint": .string(server.endpoint),
    ]
  }

  /// The messages that arrived, decrypted, each with its sender.
  func received() throws -> [(json: JSON, sender: VerKey?)] {
    try arrived.withLock { $0 }.map { bytes in
      let envelope = try Envelope(parsing: bytes)
      let opened = try (try? envelope.open(with: invitationKey)) ?? envelope.open(with: pairwiseKey)
      return (try JSON(parsing: opened.message), opened.sender)
    }
  }

  func request() throws -> ConnectionRequest {
    guard
      case .connectionRequest(let request) = try received().map({ try Message($0.json) }).last(where: {
        if case .connectionRequest = $0 { true } else { false }
      })
    else { throw MissingRequest() }
    return request
  }

  struct MissingRequest: Error {}

  /// The response to the last request, signed by the invitation's key unless another is given.
  func response(signedBy signer: KeyPair? = nil, thread: String? = nil) throws -> JSON {
    let service = Service(recipientKeys: [pairwiseKey.verkey], endpoint: server.endpoint)
    let document = DIDDocument(id: pairwiseKey.verkey.did.text, key: pairwiseKey.verkey, service: service)
    let connection: JSON = ["DID": .string(document.id), "DIDDoc": document.json.value]
    let signature = SignatureDecorator(signing: connection, with: signer ?? invitationKey, time: 1_700_000_000)
    let thread = Aries.Thread(thid: try thread ?? request().id)
    return ConnectionResponse(id: .randomUUID(), thread: thread, signature: signature).json
  }

  func respond() throws { try send(response()) }

  /// Sends a message to the invitee's mailbox, from the pairwise key unless another is given.
  func send(_ message: JSON, from sender: KeyPair? = nil) throws { try post(message, from: sender ?? pairwiseKey) }

  /// A message that shows nobody's key.
  func sendUnsigned(_ message: JSON) throws { try post(message, from: nil) }

  private func post(_ message: JSON, from sender: KeyPair?) throws {
    let service = try request().document.service
    let packed = try service.pack(message.bytes, from: sender)
    let response = try http.post(packed, to: service.endpoint, contentType: "application/didcomm-envelope-enc")
    guard response.status == 200 else { throw DeliveryError.refused(status: response.status) }
  }
}

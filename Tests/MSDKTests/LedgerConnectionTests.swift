import Aries
import DIDComm
import IndyVDR
import JSON
import Sodium
import TestSupport
import Testing

@testable import MSDK

extension SDKTests {
  /// Inviters whose keys and endpoints are on a ledger of one node.
  @Suite struct LedgerConnectionTests {
    let world: World
    private static let did = "WgWxqztrNooG92RXvxSTWv"

    init() throws { world = try World() }

    /// A ledger that has the inviter's DID, or none.
    private func ledger(hasInviter: Bool) throws -> LedgerProcess {
      guard hasInviter else { return try LedgerProcess(requests: []) }
      return try ledger(of: world.inviter.invitationKey.verkey, at: world.inviter.server.endpoint)
    }

    /// A ledger that has the DID with this key, and this endpoint or none.
    private func ledger(of key: VerKey, at endpoint: String?) throws -> LedgerProcess {
      var operations: [JSON] = [["type": "1", "dest": .string(Self.did), "verkey": .string(key.text)]]
      if let endpoint {
        let attribute: JSON = ["endpoint": ["endpoint": .string(endpoint)]]
        operations.append(["type": "100", "dest": .string(Self.did), "raw": .string(attribute.text)])
      }
      let requests = operations.map { operation -> JSON in
        ["identifier": .string(Self.did), "reqId": 1, "operation": operation]
      }
      return try LedgerProcess(requests: .array(requests))
    }

    private func connect(_ ledgers: [LedgerProcess], library: String = CredentialLibraries.indyVDR) throws {
      Agent.ofTest.ledgers.disconnect()
      Agent.ofTest.ledgers.connect(try ledgers.map { try connection(to: $0, library) })
    }

    private func connection(to ledger: LedgerProcess, _ library: String) throws -> LedgerConnection {
      LedgerConnection(try Genesis(ledger.genesis), names: ["sov"], library: library)
    }

    private func requested() throws -> Connection {
      let invitation: JSON = [
        "@type": "https://didcomm.org/out-of-band/1.1/invitation", "@id": "invitation-1",
        "handshake_protocols": ["https://didcomm.org/didexchange/1.0"], "services": [.string("did:sov:\(Self.did)")],
      ]
      var connection = try Connection(sourceID: "acme", outOfBandInvitation: invitation.text)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      return connection
    }

    /// The inviter answers with its public DID, which the key on the ledger proves.
    private func respond() throws {
      let request = try #require(try world.inviter.received().last).json
      let text = try #require(request["did_doc~attach"]?["data"]?["base64"]?.string)
      let document = try JSON(parsing: Base64.decodeAny(text))
      let service = try DIDDocument(document).service
      let response: JSON = [
        "@type": "https://didcomm.org/didexchange/1.0/response", "@id": "response",
        "~thread": ["thid": request["@id"] ?? .null], "did": .string("did:sov:\(Self.did)"),
      ]
      let envelope = try service.pack(response.bytes, from: world.inviter.invitationKey)
      _ = try world.session.post(envelope, to: service.endpoint)
    }

    /// The first ledger does not have the DID.
    @Test func theLedgersTellTheServiceOfAPublicDID() throws {
      let ledgers = [try ledger(hasInviter: false), try ledger(hasInviter: true)]
      try withExtendedLifetime(ledgers) {
        try connect(ledgers)
        var connection = try requested()
        #expect(connection.state.number == 3)
        #expect(try world.inviter.received().last?.json["~thread"]?["pthid"] == "invitation-1")
        try respond()
        try connection.poll(with: world.session)
        #expect(connection.state.number == 4)
        #expect(try connection.theirDID() == Self.did)
        #expect(try world.inviter.received().last?.json["@type"]?.string?.hasSuffix("/complete") == true)
      }
    }

    // MARK: Requesters

    /// This side's invitation, and a guest whose request presents the public DID without a document.
    private func asked() throws -> (connection: Connection, guest: ScriptedInvitee) {
      var connection = try Connection(sourceID: "guest", goalCode: nil, goal: nil, handshake: true, attaching: nil)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let invitation = try #require(connection.invitation)
      let guest = try ScriptedInvitee(invitation: invitation)
      let request: JSON = [
        "@type": "https://didcomm.org/didexchange/1.1/request", "@id": "request", "label": "Acme",
        "~thread": ["thid": "request", "pthid": .string(invitation.id)], "did": .string("did:sov:\(Self.did)"),
      ]
      try guest.post(request)
      return (connection, guest)
    }

    @Test func aRequesterIsResolvedOnTheLedger() throws {
      var (connection, guest) = try asked()
      let ledger = try ledger(of: guest.key.verkey, at: guest.server.endpoint)
      try withExtendedLifetime(ledger) {
        try connect([ledger])
        try connection.poll(with: world.session)
        #expect(connection.state.number == 3)
        #expect(try connection.theirDID() == Self.did)
        let response = try #require(try guest.received().last)
        #expect(response["@type"] == "https://didcomm.org/didexchange/1.1/response")
      }
    }

    @Test func aRequesterMustHaveTheKeyOnTheLedger() throws {
      var (connection, guest) = try asked()
      let ledger = try ledger(of: KeyPair().verkey, at: guest.server.endpoint)
      try withExtendedLifetime(ledger) {
        try connect([ledger])
        try connection.poll(with: world.session)
        #expect(connection.state.number == 2)
        #expect(try guest.received().isEmpty)
      }
    }

    /// A ledger is configured, so the error does not ask for one.
    @Test func aRequesterWithoutAnEndpointIsNamed() throws {
      var (connection, guest) = try asked()
      let ledger = try ledger(of: guest.key.verkey, at: nil)
      try withExtendedLifetime(ledger) {
        try connect([ledger])
        #expect(throws: PublicDIDError.noEndpoint("did:sov:\(Self.did)")) { try connection.poll(with: world.session) }
        #expect(connection.state.number == 2)
      }
    }

    // MARK: Connection invitations

    @Test func aConnectionInvitationMayNameAPublicDID() throws {
      let ledger = try ledger(hasInviter: true)
      try withExtendedLifetime(ledger) {
        try connect([ledger])
        let invitation: JSON = [
          "@type": "https://didcomm.org/connections/1.0/invitation", "@id": "invitation-1", "label": "Acme",
          "did": .string("did:sov:\(Self.did)"),
        ]
        var connection = try Connection(sourceID: "acme", connectionInvitation: invitation.text)
        connection = try Connection(serialized: connection.serialized(institutionDID: nil))
        try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
        #expect(connection.state.number == 3)
        let request = try #require(try world.inviter.received().last).json
        #expect(request["@type"]?.string?.hasSuffix("/connections/1.0/request") == true)
        let restored = try Connection(serialized: connection.serialized(institutionDID: nil))
        #expect(restored.machine == connection.machine)
      }
    }

    // MARK: Several ledgers

    /// Anybody may have written the DID on the second ledger, and the first one could tell.
    @Test func aLaterLedgerDoesNotDecideWhileAnEarlierOneIsAway() throws {
      let ledger = try ledger(hasInviter: true)
      try withExtendedLifetime(ledger) {
        let away = try connection(to: ledger, "/nowhere/libindy_vdr.so")
        let present = try connection(to: ledger, CredentialLibraries.indyVDR)
        Agent.ofTest.ledgers.disconnect()
        Agent.ofTest.ledgers.connect([away, present])
        #expect {
          try requested()
        } throws: { error in
          if case .unreachable? = error as? PublicDIDError { true } else { false }
        }
        Agent.ofTest.ledgers.disconnect()
        Agent.ofTest.ledgers.connect([present, away])
        #expect(try requested().state.number == 3)
      }
    }

    /// The inviter may write its DID after its response, and the program may name its ledger later.
    @Test func aResponseWaitsForALedgerWithItsDID() throws {
      let (empty, complete) = (try ledger(hasInviter: false), try ledger(hasInviter: true))
      try withExtendedLifetime([empty, complete]) {
        try connect([complete])
        var connection = try requested()
        try respond()
        try connect([empty])
        #expect(throws: PublicDIDError.notFound("did:sov:\(Self.did)")) { try connection.poll(with: world.session) }
        try connect([])
        #expect(throws: ConnectionError.needsLedger("did:sov:\(Self.did)")) {
          try connection.poll(with: world.session)
        }
        #expect(connection.state.number == 3)
        try connect([complete])
        try connection.poll(with: world.session)
        #expect(connection.state.number == 4)
      }
    }

    /// The response is applied once the ledger answers.
    @Test func aResponseWaitsForALedgerThatIsAway() throws {
      let ledgers = [try ledger(hasInviter: true)]
      try withExtendedLifetime(ledgers) {
        try connect(ledgers)
        var connection = try requested()
        try respond()
        try connect(ledgers, library: "/nowhere/libindy_vdr.so")
        #expect {
          try connection.poll(with: world.session)
        } throws: { error in
          if case .unreachable? = error as? PublicDIDError { true } else { false }
        }
        #expect(connection.state.number == 3)
        try connect(ledgers)
        try connection.poll(with: world.session)
        #expect(connection.state.number == 4)
      }
    }
  }
}

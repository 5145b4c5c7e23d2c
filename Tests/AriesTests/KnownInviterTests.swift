import Aries
import DIDComm
import JSON
import Sodium
import Testing

/// Which connections a new invitation's names lead to: those whose peer has proven the name.
@Suite struct KnownInviterTests {
  static let publicDID = "did:sov:9QjmAbQLX1BvBRtM4qDAry"

  /// Faber's invitation, with these members changed.
  static func invitation(of faber: Party, _ id: String = "1", _ members: JSONObject = [:]) -> JSON {
    var object: JSONObject = [
      "@type": "https://didcomm.org/out-of-band/1.1/invitation", "@id": .string(id), "label": "Faber",
      "handshake_protocols": ["https://didcomm.org/didexchange/1.1"],
      "services": [service(of: faber)],
    ]
    for (key, value) in members.members { object[key] = value }
    return .object(object)
  }

  static func service(of party: Party) -> JSON {
    [
      "id": "#inline", "type": "did-communication", "recipientKeys": [.string(party.own.key.verkey.didURL)],
      "routingKeys": JSON(party.own.service.routingKeys.map(\.didURL)),
      "serviceEndpoint": .string(party.own.service.endpoint),
    ]
  }

  /// A completed connection with the peer behind an invitation.
  func connected(
    _ invitation: JSON, _ faber: Party, presenting peer: DIDDocument? = nil, isConfirmed: Bool = false
  ) throws -> KnownInviter? {
    let document = peer ?? DIDDocument(id: faber.own.did, key: faber.own.key.verkey, service: faber.own.service)
    return KnownInviter(
      of: .completed(
        Completed(
          role: .invitee, peer: Peer(document: document, isConfirmed: isConfirmed), thread: Thread(thid: "t"),
          invitation: .outOfBand(try OutOfBandInvitation(invitation)))))
  }

  @Test func theKeyOfTheInvitationIsRecognisedInAnySpelling() throws {
    let faber = Party("faber")
    let known = try #require(try connected(Self.invitation(of: faber), faber))
    let plain: JSON = ["@id": "2", "recipientKeys": [.string(faber.own.key.verkey.text), "x"]]
    for other in [Self.invitation(of: faber, "2"), plain] {
      #expect(known.isInviter(of: InviterIdentity(of: other)) && !known.isOf(InviterIdentity(of: other)))
    }
    #expect(!known.isInviter(of: InviterIdentity(of: Self.invitation(of: Party("mallory"), "2"))))
  }

  /// A service that could not be used when the invitation arrived names nobody later.
  @Test(arguments: ["no key", "did:key:z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc"])
  func aStoredInvitationHasTheServiceThatWasUsed(routingKey: String) throws {
    let (faber, mallory) = (Party("faber"), Party("mallory"))
    let unusable = Self.service(of: faber).with(["routingKeys": [.string(routingKey)]])
    let json = Self.invitation(of: mallory, "1", ["services": [unusable, Self.service(of: mallory)]])
    let (arrived, stored) = (try OutOfBandInvitation(json), try OutOfBandInvitation(json, isStored: true))
    #expect(arrived.address == stored.address && Invitation.outOfBand(stored).service == mallory.own.service)
    let alone = Self.invitation(of: faber, "1", ["services": [unusable]])
    #expect(throws: InvitationError.self) { try OutOfBandInvitation(alone) }
    #expect(throws: Never.self) { try OutOfBandInvitation(alone, isStored: true) }
  }

  @Test func aPublicDIDThatAnInvitationClaimsDoesNotCount() throws {
    let mallory = Party("mallory")
    let claimed = Self.invitation(of: mallory, "1", ["public_did": .string(Self.publicDID)])
    let known = try #require(try connected(claimed, mallory))
    for faber in [
      Self.invitation(of: Party("faber"), "2", ["services": [.string(Self.publicDID)]]),
      Self.invitation(of: Party("faber"), "2", ["public_did": .string(Self.publicDID)]),
    ] { #expect(!known.isInviter(of: InviterIdentity(of: faber))) }
  }

  /// The ledger's key of the DID signs the response.
  @Test func aPublicDIDInPlaceOfAKeyIsProvenByTheHandshake() throws {
    let invitation = Self.invitation(of: Party("faber"), "1", ["services": [.string(Self.publicDID)]])
    let known = try #require(try connected(invitation, Party("faber")))
    for name in [Self.publicDID, "9QjmAbQLX1BvBRtM4qDAry"] {
      let other = Self.invitation(of: Party("faber"), "2", ["services": [.string(name)]])
      #expect(known.isInviter(of: InviterIdentity(of: other)))
    }
  }

  /// The owner of a derived DID may have replaced its key.
  @Test(arguments: ["", "did:sov:", "did:indy:sovrin:"])
  func aPresentedDIDOfALedgerCountsIfTheLedgerHasConfirmedIt(method: String) throws {
    let (faber, other) = (Party("faber"), Party("x"))
    let did = method + faber.own.did
    let document = DIDDocument(id: did, key: faber.own.key.verkey, service: faber.own.service)
    let published = InviterIdentity(
      of: Self.invitation(of: other, "2", ["services": [.string(method.isEmpty ? "did:sov:" + did : did)]]))
    for isConfirmed in [false, true] {
      let known = try connected(Self.invitation(of: other), faber, presenting: document, isConfirmed: isConfirmed)
      #expect(known?.isInviter(of: published) == isConfirmed)
    }
  }

  @Test func aPublicDIDBesideAKeyIsNotProven() throws {
    let mallory = Party("mallory")
    let services: JSON = [.string(Self.publicDID), Self.service(of: mallory)]
    let known = try #require(try connected(Self.invitation(of: mallory, "1", ["services": services]), mallory))
    let faber = Self.invitation(of: Party("faber"), "1", ["services": [.string(Self.publicDID)]])
    #expect(!known.isInviter(of: InviterIdentity(of: faber)) && !known.isOf(InviterIdentity(of: faber)))
  }

  /// An answer goes to the first usable service, and to no other.
  @Test func theServiceThatAnAnswerGoesToCounts() throws {
    let (faber, mallory) = (Party("faber"), Party("mallory"))
    let known = try #require(try connected(Self.invitation(of: faber), faber))
    func identity(_ services: JSON, _ id: String = "2") -> InviterIdentity {
      InviterIdentity(of: Self.invitation(of: faber, id, ["services": services]))
    }
    let unusable: [JSON] = [
      "did:example:x", ["serviceEndpoint": "http://x.example"], 7,
      Self.service(of: mallory).with(["serviceEndpoint": "ws://x.example"]),
    ]
    for first in unusable {
      #expect(known.isInviter(of: identity([first, Self.service(of: faber)])), "\(first)")
      #expect(known.isOf(identity([first, Self.service(of: faber)], "1")), "\(first)")
      #expect(!known.isInviter(of: identity([first, Self.service(of: mallory), Self.service(of: faber)])), "\(first)")
    }
    #expect(!known.isInviter(of: identity([Self.service(of: mallory), Self.service(of: faber)])))
    #expect(known.isInviter(of: identity([Self.service(of: faber), Self.service(of: mallory)])))
    // A DID that a ledger must resolve comes last.
    let behind: JSON = [.string(Self.publicDID), Self.service(of: mallory)]
    let published = try #require(
      try connected(Self.invitation(of: Party("x"), "1", ["services": [.string(Self.publicDID)]]), Party("x")))
    #expect(!published.isInviter(of: identity(behind)))
    #expect(published.isInviter(of: identity([.string(Self.publicDID)])))
    // The connection's own invitation is read in the same way.
    let services: JSON = ["did:example:x", Self.service(of: faber)]
    let second = try #require(try connected(Self.invitation(of: faber, "1", ["services": services]), faber))
    #expect(second.isOf(identity(services, "1")) && second.isInviter(of: identity([Self.service(of: faber)])))
  }

  /// The members of a connection invitation that name a party.
  private func members(of party: Party) -> JSONObject {
    [
      "recipientKeys": [.string(party.own.key.verkey.text)], "serviceEndpoint": .string(party.own.service.endpoint),
      "routingKeys": JSON(party.own.service.routingKeys.map(\.text)),
    ]
  }

  /// The members of a proprietary invitation that name a party, with full and with abbreviated names.
  private func proprietary(_ party: Party) -> [JSONObject] {
    let (did, key) = (JSON.string(party.own.did), JSON.string(party.own.key.verkey.text))
    return [
      [
        "connReqId": "1", "statusCode": "MS-102", "statusMsg": "x", "targetName": "t",
        "senderDetail": [
          "DID": did, "verKey": key, "name": "Faber",
          "agentKeyDlgProof": ["agentDID": "a", "agentDelegatedKey": "b", "signature": "c"],
        ],
        "senderAgencyDetail": ["DID": "x", "verKey": "y", "endpoint": "http://127.0.0.1:1"],
      ],
      [
        "id": "1", "sc": "MS-102", "sm": "x", "t": "t",
        "s": ["d": did, "v": key, "n": "Faber", "dp": ["d": "a", "k": "b", "s": "c"]],
        "sa": ["d": "x", "v": "y", "e": "http://127.0.0.1:1"],
      ],
    ]
  }

  /// An answer would go to Mallory, whose invitation has members of another form with Faber's key.
  @Test(arguments: [
    "https://didcomm.org/out-of-band/1.1/invitation", "https://didcomm.org/out-of-band/1.0/invitation", nil,
  ])
  func theMembersOfAnotherFormNameNobody(type: String?) throws {
    let (faber, mallory) = (Party("faber"), Party("mallory"))
    let known = try #require(try connected(Self.invitation(of: faber), faber))
    for id in ["1", "2"] {
      for foreign in [members(of: faber)] + proprietary(faber) {
        var mixed = try #require(Self.invitation(of: mallory, id, foreign).object)
        mixed["@type"] = type.map(JSON.string)
        let identity = InviterIdentity(of: .object(mixed))
        #expect(!known.isInviter(of: identity) && !known.isOf(identity))
        for name in ["services", "service"] {
          // A function for connection invitations would follow the other members.
          var reversed = try #require(
            JSON.object(members(of: mallory)).with(["@id": .string(id), "label": "x"]).object)
          reversed[name] = [Self.service(of: faber)]
          #expect(!known.isInviter(of: InviterIdentity(of: .object(reversed))))
        }
      }
      for foreign in proprietary(faber) {
        var mixed = JSONObject(foreign.members.map { ($0.key, $0.value) })
        for (name, value) in members(of: mallory).members { mixed[name] = value }
        (mixed["@id"], mixed["label"]) = (.string(id), "x")
        #expect(!known.isInviter(of: InviterIdentity(of: .object(mixed))))
      }
    }
  }

  /// Anybody can write a DID that another has proven beside the own service.
  @Test func aDIDBesideAServiceNamesNobody() throws {
    let (faber, mallory) = (Party("faber"), Party("mallory"))
    let did = PeerDID4(key: faber.own.key.verkey, service: faber.own.service)
    let known = try #require(try connected(Self.invitation(of: Party("x")), faber, presenting: did.resolved()))
    let ofServices = Self.invitation(of: mallory, "2", ["did": .string(did.long)])
    let ofKeys = JSON.object(members(of: mallory)).with(["@id": "2", "label": "x", "did": .string(did.long)])
    for other in [ofServices, ofKeys] { #expect(!known.isInviter(of: InviterIdentity(of: other))) }
    let alone = InviterIdentity(of: ["@id": "2", "label": "x", "did": .string(did.long)])
    #expect(known.isInviter(of: alone))
  }

  @Test func aPeerDIDIsProvenByTheKeysInIt() throws {
    let (faber, mallory) = (Party("faber"), Party("mallory"))
    let did = PeerDID4(key: faber.own.key.verkey, service: faber.own.service)
    let honest = try #require(try connected(Self.invitation(of: Party("x")), faber, presenting: did.resolved()))
    let other = InviterIdentity(of: Self.invitation(of: Party("y"), "2", ["services": [.string(did.long)]]))
    #expect(honest.isInviter(of: other))
    // A text of an older library may hold a document that its peer attached.
    var claim = try #require(try did.resolved().json.value.object)
    claim["service"] = [Self.service(of: mallory)]
    let lied = try #require(
      try connected(Self.invitation(of: Party("x")), mallory, presenting: DIDDocument(.object(claim))))
    #expect(!lied.isInviter(of: other))
  }

  @Test func theSameInvitationHasTheSameIDAndKey() throws {
    let faber = Party("faber")
    let known = try #require(try connected(Self.invitation(of: faber), faber))
    #expect(known.isOf(InviterIdentity(of: Self.invitation(of: faber))))
    #expect(!known.isOf(InviterIdentity(of: Self.invitation(of: Party("mallory")))))
    #expect(!known.isOf(InviterIdentity(of: ["@id": "1", "services": [.string(Self.publicDID)]])))
    let implied = InviterIdentity(
      of: Self.invitation(of: faber, Self.publicDID, ["services": [.string(Self.publicDID)]]))
    let impostor = try #require(
      try connected(Self.invitation(of: Party("mallory"), Self.publicDID), Party("mallory")))
    #expect(!impostor.isOf(implied))
  }

  /// Anybody can copy an invitation with another address.
  @Test func anotherAddressIsAnotherInvitation() throws {
    let faber = Party("faber")
    var service = Self.service(of: faber)
    service["serviceEndpoint"] = "http://mallory.example"
    let copy = Self.invitation(of: faber, "1", ["services": [service]])
    for (accepted, given) in [(Self.invitation(of: faber), copy), (copy, Self.invitation(of: faber))] {
      let known = try #require(try connected(accepted, faber))
      #expect(known.isOf(InviterIdentity(of: accepted)) && !known.isOf(InviterIdentity(of: given)))
    }
  }

  @Test func nobodyIsKnownByAnInvitationWithoutAHandshake() throws {
    let faber = Party("faber")
    let request: JSON = [["@id": "r", "data": ["json": ["@type": "https://didcomm.org/x/1.0/q", "@id": "q"]]]]
    let invitation = Self.invitation(of: faber, "1", ["handshake_protocols": [], "requests~attach": request])
    #expect(try connected(invitation, faber) == nil)
  }

  @Test func nobodyIsProvenBeforeTheHandshakeIsDone() throws {
    let conversation = try Conversation(by: .didExchange(.v1_1))
    let known = try #require(KnownInviter(of: conversation.invitee))
    let invitation = try #require(conversation.invitee.invitation)
    #expect(known.isOf(InviterIdentity(of: invitation.json.value)))
    #expect(!known.isInviter(of: InviterIdentity(of: invitation.json.value)))
    #expect(KnownInviter(of: conversation.inviter) == nil)
  }
}

import Aries
import DIDComm
import JSON
import Sodium
import Testing

/// Mallory writes names and keys of Bob's into her own messages, in unusual spellings. She is refused, or is herself.
@Suite struct BorrowedIdentityTests {
  static let alice = Party("alice")
  static let bob = Party("bob")
  static let mallory = Party("mallory")
  static let protocols = ["connections/1.0", "didexchange/1.0", "didexchange/1.1"]

  // MARK: DIDs

  /// Spellings of Bob's DIDs, and DIDs that a reader could take for one of his.
  static let borrowedDIDs: [String] = {
    let (did, key) = (bob.own.did, bob.own.key.verkey)
    let (mine, dot) = (mallory.own.key.verkey, ".")
    let peer2 = PeerDID2.encoding(key: key, service: bob.own.service)
    let peer4 = PeerDID4(key: key, service: bob.own.service)
    let my4 = PeerDID4(key: mine, service: mallory.own.service)
    return [
      did, key.text, key.text + ":ed25519", "did:sov:" + key.text, "did:sov:did:sov:" + did,
      "did:sov:" + mallory.own.did
        + ":" + did, "did:sov:testnet:" + did, "did:sov:" + did + "#1", "did:sov:" + did + "?x=1", "did:sov: " + did,
      "did:sov:1" + did, "did:indy:sovrin:" + did, "did:indy:" + did, "did:indy::" + did, "did:indy:a:b:" + did,
      "did:indy:sovrin:" + did + "#1", "DID:SOV:" + did, "did:Sov:" + did, did + " ", " " + did, did + "\u{200b}",
      did + "\u{0}", did + "\n", key.didKey, key.didURL, mine.didKey + "#" + key.multibase, mine.didURL,
      mine.didKey + "#", mine.didKey + "?" + key.multibase, mine.didKey + "/" + key.multibase, "did:key:" + key.text,
      "did:key:z", peer2, peer2 + ".", peer2 + "?x", peer2 + dot + "V" + mine.multibase, peer4.long, peer4.short,
      peer4.long + ":", peer4.short + ":", peer4.short + ":" + (my4.long.split(separator: ":").last ?? ""),
      peer4.short + "::" + (my4.long.split(separator: ":").last ?? ""),
      my4.short + ":"
        + (peer4.long.split(
          separator: ":"
        ).last ?? ""), "did:peer:0" + key.multibase, "did:peer:3" + key.multibase, "did:peer:5" + key.multibase,
      "did:peer:2" + peer2.dropFirst(10).uppercased(), "did:web:bob.example", "did:example:" + did, "did:", "did::", "",
    ]
  }()

  /// A document at Mallory's endpoint. `keys` are those of its service.
  static func document(_ did: String, keys: [VerKey] = [mallory.own.key.verkey]) -> JSON {
    DIDDocument(
      id: did, key: keys[0],
      service: Service(
        recipientKeys: keys, routingKeys: mallory.own.service.routingKeys, endpoint: mallory.own.service.endpoint)
    ).json.value
  }

  static func attached(_ document: JSON, signedBy signer: Party = mallory) -> JSON {
    SignedAttachment(id: "a", mimeType: "application/json", content: document.bytes, signedWith: signer.own.key).json
  }

  /// Mallory's request, as text from the network.
  static func request(
    _ family: String, _ did: String, _ document: JSON, signedBy signer: Party = mallory, id: String = "r"
  ) throws -> Message {
    var json: JSON = [
      "@type": .string("https://didcomm.org/\(family)/request"), "@id": .string(id), "label": "Bob",
      "~thread": ["thid": .string(id), "pthid": "invitation-1"],
    ]
    if family == "connections/1.0" {
      json["connection"] = ["DID": .string(did), "DIDDoc": document]
    } else {
      json["did"] = .string(did)
      json["did_doc~attach"] = attached(document, signedBy: signer)
    }
    return try Message(JSON(parsing: json.bytes))
  }

  /// Alice's side after a request from Mallory's key. Nil if the request is refused.
  func asked(_ request: () throws -> Message, from sender: Sender = mallory.sender) -> ConnectionMachine? {
    guard let invitation = try? Self.alice.invitation(.outOfBand()), let message = try? request() else { return nil }
    var inviter = ConnectionMachine.offered(invitation)
    _ = try? inviter.receive(message, from: sender, reply: Self.alice.reply())
    return inviter.state == .responded ? inviter : nil
  }

  /// Whether the names of a peer are those of Bob.
  func isBob(_ peer: Peer) -> Bool {
    let (did, key) = (Self.bob.own.did, Self.bob.own.key.verkey)
    let short = PeerDID4(key: key, service: Self.bob.own.service).short
    return peer.did.contains(did) || peer.did.contains(key.text) || peer.did.contains(key.multibase)
      || peer.did.hasPrefix(short) || peer.key == key
  }

  @Test(arguments: borrowedDIDs, protocols)
  func aPeerHasNoNameOfAnother(did: String, family: String) throws {
    guard let inviter = asked({ try Self.request(family, did, Self.document(did)) }), let peer = inviter.peer else {
      return
    }
    #expect(peer.key == Self.mallory.own.key.verkey && !isBob(peer), "\(peer.did)")
  }

  /// A DID Exchange may leave the document out.
  @Test(arguments: borrowedDIDs) func aDIDWithoutADocumentIsItsOwnersOnly(did: String) throws {
    let json: JSON = [
      "@type": "https://didcomm.org/didexchange/1.1/request", "@id": "r", "did": .string(did),
      "~thread": ["thid": "r", "pthid": "invitation-1"],
    ]
    #expect(asked { try Message(json) } == nil)
  }

  /// A `did:peer:1` is the hash of a document.
  @Test(arguments: ["did:peer:1", "did:peer:1z", "did:peer:1zQm", "did:peer:10", "did:peer:11"], protocols)
  func aDIDThatOnlyBeginsAsAHashIsRefused(prefix: String, family: String) {
    let did = prefix + Self.bob.own.did
    #expect(asked { try Self.request(family, did, Self.document(did)) } == nil)
  }

  /// A `did:peer:1` is a claim.
  @Test func aClaimedDIDLeadsToNoConnection() throws {
    let did = "did:peer:1z" + Base58.encode([0x12, 0x20] + [UInt8](repeating: 7, count: 32))
    let inviter = try #require(asked { try Self.request("didexchange/1.1", did, Self.document(did)) })
    let peer = try #require(inviter.peer)
    #expect(peer.key == Self.mallory.own.key.verkey)
    let invitation = KnownInviterTests.invitation(of: Party("x"))
    let known = KnownInviter(
      of: .completed(
        Completed(
          role: .invitee, peer: peer, thread: Thread(thid: "t"),
          invitation: .outOfBand(try OutOfBandInvitation(invitation)))))
    let bobs = KnownInviterTests.invitation(
      of: Self.bob, "2", ["services": [.string(did)], "public_did": .string(did)])
    #expect(known?.isInviter(of: InviterIdentity(of: bobs)) == false)
  }

  // MARK: documents

  /// Documents of Mallory's DID that name keys of Bob's and her own, in the ways of either world.
  static let mixedDocuments: [JSON] = {
    let did = "did:sov:\(mallory.own.did)"
    let (bobs, mine) = (bob.own.key.verkey, mallory.own.key.verkey)
    func declared(_ id: String, _ key: VerKey) -> JSON {
      ["id": .string(id), "type": "Ed25519VerificationKey2018", "publicKeyBase58": .string(key.text)]
    }
    func service(_ keys: [String], _ members: JSONObject = [:]) -> JSON {
      var object: JSONObject = [
        "id": "s", "type": "did-communication", "recipientKeys": JSON(keys),
        "serviceEndpoint": .string(mallory.own.service.endpoint),
      ]
      for (name, value) in members.members { object[name] = value }
      return .object(object)
    }
    func document(_ keys: [JSON], _ services: [JSON], _ list: String = "verificationMethod") -> JSON {
      var object: JSONObject = ["id": .string(did), "service": .array(services)]
      object[list] = .array(keys)
      return .object(object)
    }
    let both = [declared("#1", bobs), declared("#2", mine)]
    return [
      document(both, [service(["#1", "#2"])]), document(both, [service(["#2", "#1"])]),
      document(both, [service(["#1"])]), document(both, [service(["#1"]), service(["#2"])]),
      document(both, [service(["#1"], ["priority": 1]), service(["#2"], ["priority": 0])]),
      document(both, [service(["#1"], ["priority": -1]), service(["#2"])]),
      document(both, [service(["#1"], ["serviceEndpoint": "ws://x"]), service(["#2", "#1"])]),
      document(both, [service(["#1"], ["type": "DIDCommMessaging"]), service(["#2", "#1"])]),
      document([declared("#1", mine), declared("#1", bobs)], [service(["#1"])]),
      document([declared("#1", bobs), declared("#1", mine)], [service(["#1"])]),
      document([declared("\(did)#1", bobs), declared("#1", mine)], [service(["#1", "\(did)#1"])]),
      document([declared(bobs.text, mine)], [service([bobs.text])]),
      document([declared(bobs.text, mine)], [service([bobs.text, mine.text])]),
      document([declared("#\(bobs.multibase)", mine)], [service(["\(bobs.didKey)#\(bobs.multibase)"])]),
      document([], [service([mine.didKey + "#" + bobs.multibase])]),
      document([], [service([bobs.didKey + "#" + mine.multibase, mine.didURL])]),
      document([], [service([bobs.text + ":ed25519", mine.text])]),
      document([declared("1", mine)], [service(["did:sov:\(bob.own.did)#1"])]),
      document([declared("did:sov:\(bob.own.did)#1", mine)], [service(["did:sov:\(bob.own.did)#1"])]),
      document(both, [service(["#2", "#2", "#1", "#1"])], "publicKey"),
      document(both, [service(["#2"], ["routingKeys": [.string(bobs.text)]])], "publicKey"),
      document(both, [service(["#2"], ["id": .string(bob.own.did)])], "publicKey"),
      document(both, [service(["#2"], ["alsoKnownAs": [.string("did:sov:\(bob.own.did)")]])], "publicKey"),
    ]
  }()

  @Test(arguments: mixedDocuments, protocols)
  func onlyTheProvenKeyOfADocumentCounts(document: JSON, family: String) throws {
    let did = try #require(document["id"]?.string)
    guard var inviter = asked({ try Self.request(family, did, document) }), let peer = inviter.peer else { return }
    #expect(peer.key == Self.mallory.own.key.verkey && !isBob(peer))
    #expect(peer.service.recipientKeys == [peer.key])
    let restored = Peer(document: try DIDDocument(JSON(parsing: peer.document.json.text), isStored: true))
    #expect(restored.key == peer.key && restored.did == peer.did && restored.service == peer.service)
    let before = inviter
    for message in [
      Message.ping(TrustPing(id: "p", responseRequested: true)), .hangup(Hangup(id: "h")),
      .ack(Ack(id: "a", thread: Thread(thid: "r"))),
    ] {
      _ = try? inviter.receive(message, from: Self.bob.sender, reply: Self.alice.reply())
      #expect(inviter == before)
    }
  }

  /// Bob's own request, or his document, in Mallory's hands.
  @Test(arguments: protocols) func aDocumentOfAnotherIsNoUse(family: String) throws {
    let did = "did:sov:\(Self.bob.own.did)"
    let bobs = DIDDocument(id: did, key: Self.bob.own.key.verkey, service: Self.bob.own.service).json.value
    for sender in [Self.mallory.sender, .envelope(nil), Self.alice.sender, .envelope(Self.flipped(Self.bob))] {
      #expect(asked({ try Self.request(family, did, bobs, signedBy: Self.bob) }, from: sender) == nil)
    }
    #expect(asked({ try Self.request(family, did, bobs, signedBy: Self.bob) }, from: Self.bob.sender) != nil)
  }

  /// The other point with the same height on the curve: its keys for encryption are the same.
  static func flipped(_ party: Party) -> VerKey? {
    var bytes = party.own.key.publicKey.bytes
    bytes[31] ^= 0x80
    return (try? PublicKey(bytes)).map(VerKey.init)
  }
}

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
  static func request(_ family: String, _ did: String, _ document: JSON, signedBy signer: Party = mallory) throws
    -> Message
  {
    var json: JSON = [
      "@type": .string("https://didcomm.org/\(family)/request"), "@id": "r", "label": "Bob",
      "~thread": ["thid": "r", "pthid": "invitation-1"],
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

  /// A `did:peer:1` is a claim.
  @Test(arguments: ["did:peer:1", "did:peer:1z", "did:peer:10", "did:peer:11"])
  func aClaimedDIDLeadsToNoConnection(prefix: String) throws {
    let did = prefix + Self.bob.own.did
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

  // MARK: responses

  /// Mallory's own DID, with its document in it.
  static let malloryDID = PeerDID4(key: mallory.own.key.verkey, service: mallory.own.service).long

  static var signedByMallory: JSON {
    let connection: JSON = ["DID": .string(mallory.own.did), "DIDDoc": document(mallory.own.did)]
    return SignatureDecorator(signing: connection, with: mallory.own.key, time: 1).received
  }

  static func rotation(to did: String) -> JSON {
    SignedAttachment(
      id: "a", mimeType: "text/string", content: Array(did.utf8), signedWith: mallory.own.key
    ).json
  }

  /// Replaces the presented DID, without its proofs.
  static func present(_ json: inout JSON, _ did: String = malloryDID) {
    json["did"] = .string(did)
    json["did_doc~attach"] = nil
    json["did_rotate~attach"] = nil
  }

  typealias Lie = @Sendable (inout JSON, Conversation) throws -> Void

  /// Answers to Alice's request that Faber has not written. Each has Faber's name or key somewhere.
  static let responseLies: [(String, Lie)] = {
    [
      (
        "signed by Mallory",
        { json, c in json["connection~sig"] = signedByMallory }
      ),
      (
        "signed by Mallory in Faber's name",
        { json, c in
          json["connection~sig"] = signedByMallory
          json["connection~sig"]?["signer"] = .string(c.faber.own.key.verkey.text)
        }
      ),
      (
        "other content under Faber's signature",
        { json, c in
          let other = signedByMallory
          json["connection~sig"]?["sig_data"] = other["sig_data"] ?? .null
        }
      ),
      (
        "a plain connection beside",
        { json, c in
          json["connection~sig"] = nil
          json["connection"] = ["DID": .string(mallory.own.did), "DIDDoc": document(mallory.own.did)]
        }
      ),
      (
        "several signers",
        { json, c in
          json["connection~sig"] = signedByMallory
          json["connection~sig"]?["signers"] = [.string(c.faber.own.key.verkey.text)]
        }
      ),
      (
        "a list of signatures",
        { json, c in
          let honest = json["connection~sig"] ?? .null
          json["connection~sig"] = [signedByMallory, honest]
        }
      ),
      ("an empty signature", { json, c in json["connection~sig"]?["signature"] = "" }),
      ("another type", { json, c in json["connection~sig"]?["@type"] = "https://didcomm.org/signature/1.0/none" }),
      ("another thread", { json, c in json["~thread"] = ["thid": "request-2", "pthid": "invitation-1"] }),
      ("no thread", { json, c in json["~thread"] = nil }),
      ("only the parent thread", { json, c in json["~thread"] = ["pthid": "invitation-1"] }),
      (
        "the flipped key",
        { json, c in
          json["connection~sig"] = signedByMallory
          json["connection~sig"]?["signer"] = JSON(flipped(c.faber)?.text)
        }
      ),
    ]
  }()

  @Test(arguments: responseLies.indices, [Sender.envelope(nil), mallory.sender])
  func aResponseThatTheInviterHasNotSignedHasNoEffect(index: Int, sender: Sender) throws {
    var conversation = try Conversation(by: .connections)
    try conversation.respond()
    guard case .send(var json, _) = conversation.response else { return }
    try Self.responseLies[index].1(&json, conversation)
    var invitee = conversation.invitee
    let message = try Message(JSON(parsing: json.bytes))
    _ = try? invitee.receive(message, from: sender, reply: conversation.alice.reply())
    #expect(invitee.state == .requested && invitee.peer == nil && invitee == conversation.invitee)
  }

  /// The same for the attachments of a DID Exchange.
  static let attachmentLies: [(String, Lie)] = {
    [
      ("nothing signed", { json, _ in present(&json) }),
      (
        "signed by Mallory",
        { json, _ in
          present(&json); json["did_rotate~attach"] = rotation(to: malloryDID)
        }
      ),
      ("Faber's rotation beside Mallory's DID", { json, _ in json["did"] = .string(malloryDID) }),
      (
        "the document of Mallory beside Faber's rotation",
        { json, _ in
          json["did"] = .string(mallory.own.did)
          json["did_doc~attach"] = attached(document(mallory.own.did))
        }
      ),
      (
        "the key of Faber in the unprotected header",
        { json, c in
          present(&json)
          var lie = rotation(to: malloryDID)
          lie["data"]?["jws"]?["header"]?["kid"] = .string(c.faber.own.key.verkey.didKey)
          json["did_rotate~attach"] = lie
        }
      ),
      (
        "the key of Faber in the protected header",
        { json, c in
          present(&json)
          var lie = rotation(to: malloryDID)
          let header: JSON = ["alg": "EdDSA", "kid": .string(c.faber.own.key.verkey.didKey)]
          lie["data"]?["jws"]?["protected"] = .string(Base64.encode(header.bytes, .url, padded: false))
          json["did_rotate~attach"] = lie
        }
      ),
      (
        "no algorithm",
        { json, c in
          present(&json)
          var lie = rotation(to: malloryDID)
          let header: JSON = ["alg": "none", "kid": .string(c.faber.own.key.verkey.didKey)]
          lie["data"]?["jws"]?["protected"] = .string(Base64.encode(header.bytes, .url, padded: false))
          lie["data"]?["jws"]?["signature"] = ""
          json["did_rotate~attach"] = lie
        }
      ),
      (
        "two signatures, Faber's second",
        { json, c in
          let honest = json["did_rotate~attach"]?["data"]?["jws"] ?? json["did_doc~attach"]?["data"]?["jws"] ?? .null
          present(&json)
          var lie = rotation(to: malloryDID)
          let own = lie["data"]?["jws"] ?? .null
          lie["data"]?["jws"] = ["signatures": [own, honest]]
          json["did_rotate~attach"] = lie
        }
      ),
      (
        "two signatures, Faber's first",
        { json, c in
          let honest = json["did_rotate~attach"]?["data"]?["jws"] ?? json["did_doc~attach"]?["data"]?["jws"] ?? .null
          present(&json)
          var lie = rotation(to: malloryDID)
          let own = lie["data"]?["jws"] ?? .null
          lie["data"]?["jws"] = ["signatures": [honest, own]]
          json["did_rotate~attach"] = lie
        }
      ),
      (
        "the content as JSON beside Faber's",
        { json, _ in
          for member in ["did_doc~attach", "did_rotate~attach"] where json[member] != nil {
            json[member]?["data"]?["json"] = document(mallory.own.did)
          }
          json["did"] = .string(malloryDID)
        }
      ),
      ("a public DID without a document", { json, _ in present(&json, "did:sov:\(mallory.own.did)") }),
      ("Faber's DID without a proof", { json, c in present(&json, c.faber.own.did) }),
      (
        "a did:key",
        { json, _ in
          present(&json, mallory.own.key.verkey.didKey);
          json["did_rotate~attach"] = rotation(to: mallory.own.key.verkey.didKey)
        }
      ),
      ("an empty DID", { json, _ in present(&json, "") }),
    ]
  }()

  @Test(arguments: attachmentLies.indices, [Handshake.didExchange(.v1_0), .didExchange(.v1_1)])
  func anAttachmentThatTheInviterHasNotSignedMakesNoPeer(index: Int, handshake: Handshake) throws {
    for sender in [Sender.envelope(nil), Self.mallory.sender] {
      var conversation = try Conversation(by: handshake)
      try conversation.respond()
      guard case .send(var json, _) = conversation.response else { return }
      try Self.attachmentLies[index].1(&json, conversation)
      var invitee = conversation.invitee
      let message = try Message(JSON(parsing: json.bytes))
      _ = try? invitee.receive(message, from: sender, reply: conversation.alice.reply())
      #expect(invitee.peer?.key != Self.mallory.own.key.verkey && invitee.state != .completed)
      // Faber's own document beside another DID ends the handshake, as an answer of Faber's that cannot be used.
      if invitee.state != .failed { #expect(invitee == conversation.invitee, "\(Self.attachmentLies[index].0)") }
    }
  }

  /// The inviter signs, and presents a name or a key of Bob's. Bob sends nothing.
  @Test(arguments: borrowedDIDs, [true, false]) func anInviterHasNoNameOfAnother(did: String, attaches: Bool) throws {
    let invitation = try Self.mallory.invitation(.outOfBand())
    var invitee = try ConnectionMachine(invitation: invitation)
    _ = invitee.connect(label: "A", as: Self.alice.own, requestID: "r", by: .didExchange(.v1_1))
    var json: JSON = [
      "@type": "https://didcomm.org/didexchange/1.1/response", "@id": "s", "did": .string(did),
      "~thread": ["thid": "r"],
    ]
    if attaches {
      json["did_doc~attach"] = Self.attached(Self.document(did))
    } else {
      json["did_rotate~attach"] =
        SignedAttachment(
          id: "a", mimeType: "text/string", content: Array(did.utf8), signedWith: Self.mallory.own.key
        ).json
    }
    _ = try? invitee.receive(Message(json), from: Self.mallory.sender, reply: Self.alice.reply())
    #expect(invitee.state != .completed || invitee.peer.map(isBob) == false, "\(invitee.peer?.did ?? "")")
  }
}

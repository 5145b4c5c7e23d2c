import Aries
import DIDComm
import JSON
import Sodium
import Testing

/// The same lies in the responses of inviters, and in responses that somebody else has written.
extension BorrowedIdentityTests {
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

import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

/// Known envelopes: `pack-authcrypt.json` and `pack-anoncrypt.json`.
struct EnvelopeVector: Sendable, CustomTestStringConvertible {
  let testDescription: String
  private let json: JSON

  static let all: [EnvelopeVector] = ["pack-authcrypt", "pack-anoncrypt"].map(EnvelopeVector.init)

  init(_ name: String) {
    testDescription = name
    json = (try? Fixtures.json("didcomm/\(name).json")) ?? .null
  }

  func keys() throws -> Ring { try Ring(json["keys"]) }
  var message: [UInt8] { Array((json["plaintext_utf8"]?.string ?? "").utf8) }
  var packed: String { json["packed"]?.string ?? "" }
  var sender: String? { json["sender_verkey"]?.string }
  func variants(_ kind: String) -> [(name: String, packed: String, expect: String)] {
    (json[kind]?.array ?? []).map {
      ($0["name"]?.string ?? "", $0["packed"]?.string ?? "", $0["expect"]?.string ?? "")
    }
  }

  func recipients() throws -> [VerKey] { try (json["recipients"]?.array ?? []).map { try VerKey($0.string ?? "") } }

  /// The fixed values in the order in which packing asks for them.
  func randomness() -> RandomSource {
    let fixed = json["fixed_randomness"]
    let names = [
      "cek_hex", "content_iv_hex", "cek_box_nonce_hex", "sender_seal_ephemeral_secret_hex",
      "cek_seal_ephemeral_secret_hex",
    ]
    var values = names.compactMap { fixed?[$0]?.string }.map { [UInt8](hex: $0) }[...]
    return { count in
      let value = values.popFirst() ?? []
      #expect(value.count == count)
      return value
    }
  }
}

/// The keys of a vector, each from its seed.
struct Ring: KeyRing {
  var pairs: [VerKey: KeyPair] = [:]

  init(_ json: JSON?) throws {
    for (_, key) in json?.object?.members ?? [] {
      let pair = try KeyPair(seed: SecretBytes(copying: [UInt8](hex: key["seed_hex"]?.string ?? "")))
      #expect(pair.verkey.text == key["verkey"]?.string)
      #expect(pair.verkey.did.text == key["did"]?.string)
      pairs[pair.verkey] = pair
    }
  }

  init(_ pairs: KeyPair...) {
    for pair in pairs { self.pairs[pair.verkey] = pair }
  }

  func keyPair(for key: VerKey) -> KeyPair? { pairs[key] }
}

@Suite struct EnvelopeTests {
  @Test(arguments: EnvelopeVector.all) func packingIsExact(vector: EnvelopeVector) throws {
    let sender = try vector.sender.map { try #require(try vector.keys().keyPair(for: VerKey($0))) }
    let packed = try Envelope.pack(
      vector.message, for: vector.recipients(), from: sender, random: vector.randomness())
    #expect(String(decoding: packed, as: UTF8.self) == vector.packed)
  }

  @Test(arguments: EnvelopeVector.all) func knownEnvelopesOpen(vector: EnvelopeVector) throws {
    let variants = vector.variants("accept_variants")
    #expect(variants.count == 4)
    for packed in variants.map(\.packed) + [vector.packed] {
      let opened = try Envelope(parsing: Array(packed.utf8)).open(with: vector.keys())
      #expect(opened.message == vector.message)
      #expect(opened.sender?.text == vector.sender)
    }
  }

  @Test(arguments: EnvelopeVector.all) func defectiveEnvelopesAreRefused(vector: EnvelopeVector) throws {
    let variants = vector.variants("reject_variants")
    #expect(variants.count >= 14)
    var ring = try vector.keys()
    let recipients = try vector.recipients()
    ring.pairs = ring.pairs.filter { recipients.contains($0.key) }
    for variant in variants {
      #expect(throws: EnvelopeError.self, "\(variant.name): \(variant.expect)") {
        try Envelope(parsing: Array(variant.packed.utf8)).open(with: ring)
      }
    }
  }

  @Test func aRecipientThatIsNotOursIsNamedAsSuch() throws {
    let packed = try Envelope.pack([1], for: [KeyPair().verkey])
    #expect(throws: EnvelopeError.noRecipient) { try Envelope(parsing: packed).open(with: Ring(KeyPair())) }
  }

  @Test func everyRecipientCanOpen() throws {
    let (alice, bob, carol) = (KeyPair(), KeyPair(), KeyPair())
    let packed = try Envelope.pack([7], for: [alice.verkey, bob.verkey], from: carol)
    for pair in [alice, bob] {
      let opened = try Envelope(parsing: packed).open(with: Ring(pair))
      #expect(opened.message == [7] && opened.recipient == pair.verkey && opened.sender == carol.verkey)
    }
  }

  @Test(arguments: UInt64(0)..<200) func garbageIsRefused(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let alice = KeyPair()
    var packed = try Envelope.pack(random.bytes(20), for: [alice.verkey], from: alice)
    let position = Int.random(in: packed.indices, using: &random)
    if seed.isMultiple(of: 2) {
      packed[position] ^= UInt8.random(in: 1...255, using: &random)
    } else {
      packed.removeSubrange(position...)
    }
    // A change may fall on a character that JSON or base64 does not tell apart; then the content must be unchanged.
    if let opened = try? Envelope(parsing: packed).open(with: Ring(alice)) { #expect(opened.sender == alice.verkey) }
  }

  @Test func manyRecipientsAreRefusedBeforeDecryption() throws {
    let keys = (0..<17).map { _ in KeyPair().verkey }
    let packed = try Envelope.pack([1], for: keys)
    #expect(throws: EnvelopeError.malformed("too many recipients")) { try Envelope(parsing: packed) }
  }

  @Test func sixteenRecipientsCanReadAMessage() throws {
    let pairs = (0..<16).map { _ in KeyPair() }
    let packed = try Envelope.pack([7], for: pairs.map(\.verkey), from: pairs[0])
    let envelope = try Envelope(parsing: packed)
    for pair in [pairs[0], pairs[15]] { #expect(try envelope.open(with: pair).message == [7]) }
  }

  /// A wallet that cannot be read says nothing about its keys.
  @Test func theFailureOfAWalletIsTold() throws {
    struct Broken: KeyRing {
      struct Failure: Error {}
      func keyPair(for key: VerKey) throws -> KeyPair? { throw Failure() }
    }
    let envelope = try Envelope(parsing: Envelope.pack([1], for: [KeyPair().verkey]))
    #expect(throws: Broken.Failure.self) { try envelope.open(with: Broken()) }
  }
}

@Suite struct ServiceTests {
  @Test func eachRoutingKeyAddsALayerTheLastOutermost() throws {
    let (alice, near, far, sender) = (KeyPair(), KeyPair(), KeyPair(), KeyPair())
    let service = Service(recipientKeys: [alice.verkey], routingKeys: [near.verkey, far.verkey], endpoint: "http://x")
    let packed = try service.pack([42], from: sender)

    let outer = try Envelope(parsing: packed).open(with: far)
    #expect(outer.sender == nil)
    let toNear = try Forward(JSON(parsing: outer.message))
    #expect(toNear.to == near.verkey.text)

    let inner = try Envelope(parsing: toNear.envelope).open(with: near)
    let toAlice = try Forward(JSON(parsing: inner.message))
    #expect(toAlice.to == alice.verkey.text)

    let opened = try Envelope(parsing: toAlice.envelope).open(with: alice)
    #expect(opened.message == [42] && opened.sender == sender.verkey)
  }

  /// An agent that has seen an id takes a message of the same id for a repetition.
  @Test func eachForwardHasAnIDOfItsOwn() throws {
    let (alice, near, far) = (KeyPair(), KeyPair(), KeyPair())
    let service = Service(recipientKeys: [alice.verkey], routingKeys: [near.verkey, far.verkey], endpoint: "http://x")
    var ids: Set<String> = []
    for _ in 0..<2 {
      let outer = try JSON(parsing: Envelope(parsing: service.pack([1], from: nil)).open(with: far).message)
      let inner = try JSON(parsing: Envelope(parsing: Forward(outer).envelope).open(with: near).message)
      for forward in [outer, inner] { ids.insert(try forward.requireObject().string("@id")) }
    }
    #expect(ids.count == 4)
  }

  /// Each recipient of an envelope could write another one in the sender's name.
  @Test func onlyTheFirstOfSeveralRecipientsGetsTheEnvelope() throws {
    let (alice, bob, near) = (KeyPair(), KeyPair(), KeyPair())
    let service = Service(
      recipientKeys: [alice.verkey, bob.verkey], routingKeys: [near.verkey], endpoint: "http://x")
    let forward = try Forward(
      JSON(parsing: Envelope(parsing: service.pack([1], from: nil)).open(with: near).message))
    #expect(forward.to == alice.verkey.text)
    let envelope = try Envelope(parsing: forward.envelope)
    #expect(envelope.recipientKeys == [alice.verkey.text])
    #expect(try envelope.open(with: alice).message == [1])
    #expect(throws: EnvelopeError.noRecipient) { try envelope.open(with: bob) }
  }

  /// Each layer makes the message a third longer.
  @Test func moreKeysThanReasonableAreRefused() throws {
    let keys = (0..<17).map { _ in KeyPair().verkey }
    let way = Array(keys.prefix(Service.maximumRoutingKeys + 1))
    let service = Service(recipientKeys: [keys[0]], routingKeys: way, endpoint: "http://x")
    #expect(throws: EnvelopeError.tooManyKeys) { try service.pack([42], from: nil) }
    let longest = Service(recipientKeys: [keys[0]], routingKeys: Array(way.dropLast()), endpoint: "http://x")
    #expect(try !longest.pack([42], from: nil).isEmpty)
  }

  @Test func aForwardedEnvelopeMayBeText() throws {
    let forward = try Forward(["to": "x", "msg": #"{"protected":"a"}"#])
    #expect(forward.envelope == Array(#"{"protected":"a"}"#.utf8))
    #expect(throws: JSONError.self) { try Forward(["to": "x", "msg": 1]) }
    #expect(throws: JSONError.missing(key: "msg")) { try Forward(["to": "x"]) }
  }
}

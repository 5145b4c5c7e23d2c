package import JSON
internal import Sodium

/// A write to an Indy ledger: a request in the name of its author, which the author signs, and sometimes an endorser.
package struct IndyTransaction: Equatable, Sendable {
  package private(set) var body: JSONObject

  /// Signs bytes with the key of a DID. Throws `noKey` if the wallet does not have it.
  package typealias Sign = @Sendable (_ did: String, _ bytes: [UInt8]) throws(PublicationError) -> [UInt8]

  /// `id` is a number that the author has not used before.
  init(
    _ operation: JSON, by author: String, id: Int64, accepting agreement: AgreementAcceptance?, endorser: String? = nil
  ) {
    body = [
      "identifier": .string(author), "operation": operation, "protocolVersion": 2, "reqId": .integer(id),
    ]
    body["taaAcceptance"] = agreement?.json
    body["endorser"] = endorser.map(JSON.string)
  }

  init(_ body: JSONObject) { self.body = body }

  /// The types of the operations that write public objects of issuers: a schema, a definition, a revocation registry, and
  /// its status.
  private static let endorsable: Set<String> = ["101", "102", "113", "114"]

  /// The members of a transaction. The signed text has no quotation marks, so other names could look like further
  /// members.
  private static let members: Set<String> = [
    "identifier", "endorser", "operation", "protocolVersion", "reqId", "taaAcceptance", "signature", "signatures",
  ]

  /// Reads a transaction that its author has prepared for an endorser. An endorser's right also covers DIDs, roles and
  /// agreements: throws for every operation that does not publish an issuer's object.
  package init(parsing text: String) throws(JSONError) {
    body = try JSON(parsing: text, limits: .numberLists).requireObject()
    _ = try (body.string("identifier"), body.string("endorser"))
    guard let type = try body.object("operation").optionalString("type"), Self.endorsable.contains(type) else {
      throw .wrongType(key: "operation", expected: "one with the type 101, 102, 113 or 114")
    }
    for name in body.keys where !Self.members.contains(name) {
      throw .wrongType(key: name, expected: "a member of a transaction")
    }
    try requireUnambiguousSignedText()
    guard body["signature"]?.string != nil || body["signatures"]?[author] != nil else {
      throw .missing(key: "the signature of the author")
    }
  }

  /// The signed text separates members by `|` and has no quotes. A text with such a character could stand for further members,
  /// also for those of another operation.
  private func requireUnambiguousSignedText() throws(JSONError) {
    for name in body.keys where body[name]?.hasSeparator ?? false {
      throw .wrongType(key: name, expected: "texts without |")
    }
  }

  package var author: String { body["identifier"]?.string ?? "" }
  package var endorser: String? { body["endorser"]?.string }
  package var text: String { JSON.object(body).text }

  /// Signs as the author of a transaction that needs no endorser.
  mutating func sign(with sign: Sign) throws(PublicationError) {
    body["signature"] = .string(Base58.encode(try sign(author, Array(signatureInput.utf8))))
  }

  /// Adds the signature of an author or an endorser to the other signatures.
  mutating func sign(as did: String, with sign: Sign) throws(PublicationError) {
    var signatures = body["signatures"]?.object ?? [:]
    if let single = body["signature"] { signatures[author] = single }
    signatures[did] = .string(Base58.encode(try sign(did, Array(signatureInput.utf8))))
    body["signature"] = nil
    body["signatures"] = .object(signatures)
  }

  /// Whether the author, who has this key, has signed.
  func isSigned(byAuthorWith key: PublicKey) -> Bool {
    let signature = (body["signature"] ?? body["signatures"]?[author])?.string.flatMap {
      try? Base58.decode($0, limit: 90)
    }
    return signature.map { key.verifies($0, of: Array(signatureInput.utf8)) } ?? false
  }

  /// The text that is signed: all members except the signatures, sorted, as Indy's nodes write them.
  var signatureInput: String {
    let signed = body.members.filter { $0.key != "signature" && $0.key != "signatures" }
    return JSON.object(JSONObject(signed.map { ($0.key, $0.value) })).signatureInput
  }
}

extension JSON {
  /// Whether a text in this value, or the name of a member, has the character that separates signed members.
  fileprivate var hasSeparator: Bool {
    switch self {
    case .null, .bool, .integer, .real: false
    case .string(let text): text.utf8.contains(UInt8(ascii: "|"))
    case .array(let elements): elements.contains(where: \.hasSeparator)
    case .object(let object):
      object.members.contains { $0.key.utf8.contains(UInt8(ascii: "|")) || $0.value.hasSeparator }
    }
  }

  fileprivate var signatureInput: String {
    switch self {
    case .null: ""
    case .bool(let value): value ? "True" : "False"
    case .string(let text): text
    case .array(let elements): elements.map(\.signatureInput).joined(separator: ",")
    case .object(let object):
      object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { "\($0.key):\($0.value.signatureInput)" }.joined(separator: "|")
    case .integer, .real: text
    }
  }
}

internal import JSON

/// The conditions of a search for credentials, all of which a credential satisfies.
package struct CredentialQuery: Sendable {
  /// The tags by which the wallet finds the records.
  let tags: JSON
  /// The attributes that the credential has, with the value that is wanted; nil for any value.
  private let attributes: [(name: AttributeName, value: String?)]
  private let isRevoked: Bool?
  /// This side's pairwise DID.
  private let connection: String?
  /// Seconds since 1970.
  private let receivedFrom, receivedTo: Int64?

  /// The members that are tags of the records.
  private static let tagNames = [
    "schema_id", "schema_issuer_did", "schema_name", "schema_version", "issuer_did", "cred_def_id", "rev_reg_id",
  ]
  private static let names =
    Set(tagNames).union(["attributes", "revoked", "connection", "received_from", "received_to"])

  /// Reads a JSON object; `{}` finds all credentials. Refuses unknown members: a search with a mistyped condition would
  /// find too much.
  package init(parsing text: String) throws(CredentialsError) {
    do { try self.init(JSON(parsing: text).requireObject()) } catch {
      throw .malformedQuery("\(error)")
    }
  }

  private init(_ object: JSONObject) throws(JSONError) {
    for name in object.keys where !Self.names.contains(name) {
      throw .wrongType(key: name, expected: "one of \(Self.names.sorted().joined(separator: ", "))")
    }
    var tags: JSONObject = [:]
    for name in Self.tagNames { tags[name] = try object.optionalString(name).map(JSON.string) }
    self.tags = .object(tags)
    attributes = try (object.optionalObject("attributes") ?? [:]).members.map { name, value throws(JSONError) in
      guard value.isNull || value.string != nil else { throw .wrongType(key: name, expected: "a string or null") }
      return (AttributeName(name), value.string)
    }
    isRevoked = try object.optionalBool("revoked")
    connection = try object.optionalString("connection")
    receivedFrom = try object.optionalInteger("received_from")
    receivedTo = try object.optionalInteger("received_to")
  }

  /// Whether a credential with the wanted tags satisfies the other conditions. The tags do not decide about attributes:
  /// long values have none, and libindy's users may exclude others.
  func holds(for credential: HeldCredential, _ facts: CredentialFacts) -> Bool {
    attributes.allSatisfy { name, value in
      guard let attribute = credential.content[name] else { return false }
      return value.map(attribute.raw.isExactly) ?? true
    }
      && isRevoked.map { $0 == facts.isRevoked } ?? true && connection.map { $0 == facts.source?.connection } ?? true
      && isReceivedInTime(facts)
  }

  /// A credential whose time is unknown satisfies no condition on it.
  private func isReceivedInTime(_ facts: CredentialFacts) -> Bool {
    guard receivedFrom != nil || receivedTo != nil else { return true }
    guard let received = facts.received else { return false }
    return (receivedFrom ?? .min) <= received && received <= (receivedTo ?? .max)
  }
}

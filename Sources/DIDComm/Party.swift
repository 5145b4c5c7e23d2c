package import JSON

/// An agency, or one of its agents, as the addressee of messages. The DID is an opaque label; some agencies give an
/// agent a DID that is not derived from its key.
package struct Party: Equatable, Sendable {
  package let did: String
  package let verkey: VerKey

  package init(did: String, verkey: VerKey) {
    self.did = did
    self.verkey = verkey
  }

  /// Reads the members with these names.
  package init(_ object: JSONObject, did: String, verkey: String) throws(JSONError) {
    self.init(did: try object.string(did), verkey: try object.verkey(verkey))
  }
}

extension JSONObject {
  /// A member that is a verkey in base58.
  package func verkey(_ key: String) throws(JSONError) -> VerKey {
    guard let verkey = try? VerKey(string(key)) else { throw .wrongType(key: key, expected: "a verkey") }
    return verkey
  }
}

package import JSON

/// The choices of a controller for a new DID, or for the next version of a DID.
package struct DIDChange: Sendable {
  /// Members of the document, which come instead of the former ones; null removes one.
  private let document: JSONObject
  /// Whether another key may change the DID from then on.
  let rotates: Bool
  /// Whether each entry commits to the keys of the next one. Nil leaves it; a new DID does.
  let preRotates: Bool?
  /// The seconds for which the DID may be remembered; nil leaves it.
  let ttl: Int64?
  let deactivates: Bool

  private static let ownMembers = ["id", "verificationMethod", "assertionMethod", "authentication"]

  /// A DID ends with this change.
  package static let deactivation = DIDChange(
    document: [:], rotates: false, preRotates: nil, ttl: nil, deactivates: true)

  private init(document: JSONObject, rotates: Bool, preRotates: Bool?, ttl: Int64?, deactivates: Bool) {
    self.document = document
    self.rotates = rotates
    self.preRotates = preRotates
    self.ttl = ttl
    self.deactivates = deactivates
  }

  /// Reads a JSON object of `document`, `pre_rotation`, `ttl` and, unless the DID is new, `rotate`.
  package init(_ object: JSONObject, ofNewDID isNew: Bool) throws(JSONError) {
    let document = try object.optionalObject("document") ?? [:]
    if let own = document.keys.first(where: Self.ownMembers.contains) {
      throw .wrongType(key: "document", expected: "without \"\(own)\", which the library writes")
    }
    let names = ["document", "pre_rotation", "ttl"] + (isNew ? [] : ["rotate"])
    if let unknown = object.keys.first(where: { !names.contains($0) }) {
      throw .wrongType(key: unknown, expected: "one of \(names.joined(separator: ", "))")
    }
    let ttl = try object.optionalInteger("ttl")
    guard (0...1 << 31).contains(ttl ?? 0) else { throw .wrongType(key: "ttl", expected: "seconds") }
    self.init(
      document: document, rotates: try object.optionalBool("rotate") ?? false,
      preRotates: try object.optionalBool("pre_rotation"), ttl: ttl, deactivates: false)
  }

  /// The document with the changes.
  func applied(to former: JSONObject) -> JSONObject {
    var changed = former
    for (name, value) in document.members { changed[name] = value.isNull ? Optional.none : value }
    return changed
  }
}

package import JSON

/// A protocol that an agent speaks, with its roles.
package struct SpokenProtocol: Equatable, Sendable {
  /// The protocol's identifier, e.g. `https://didcomm.org/trust_ping/1.0`.
  package let id: String
  /// The roles of the agent. Empty if the agent names no roles, or the protocol has none.
  package let roles: [String]

  package init(id: String, roles: [String]) {
    self.id = id
    self.roles = roles
  }

  /// Reads `{"pid": …, "roles": […]}`.
  package init(_ json: JSON) throws(JSONError) {
    let object = try json.requireObject()
    id = try object.string("pid")
    roles = try object.optionalStrings("roles") ?? []
  }

  package var json: JSON { json(naming: "pid") }

  func json(naming member: String) -> JSON {
    var object: JSONObject = [member: .string(id)]
    if !roles.isEmpty { object["roles"] = JSON(roles) }
    return .object(object)
  }
}

extension SpokenProtocol {
  /// The protocols that msdk speaks.
  package static let own: [SpokenProtocol] = [
    ("connections/1.0", ["inviter", "invitee"]),
    ("didexchange/1.0", ["requester", "responder"]),
    ("didexchange/1.1", ["requester", "responder"]),
    ("out-of-band/1.0", ["sender", "receiver"]),
    ("out-of-band/1.1", ["sender", "receiver"]),
    ("routing/1.0", ["sender"]),
    ("notification/1.0", []),
    ("report-problem/1.0", ["notifier", "notified"]),
    ("trust_ping/1.0", ["sender", "receiver"]),
    ("discover-features/1.0", ["requester", "responder"]),
    ("discover-features/2.0", ["responder"]),
    ("basicmessage/1.0", ["sender", "receiver"]),
    ("questionanswer/1.0", ["responder"]),
    ("committedanswer/1.0", ["responder"]),
    ("invite-action/0.9", ["inviter"]),
    ("issue-credential/1.0", ["holder", "issuer"]),
    ("issue-credential/2.0", ["holder", "issuer"]),
    ("present-proof/1.0", ["prover", "verifier"]),
    ("present-proof/2.0", ["prover", "verifier"]),
    ("revocation_notification/1.0", ["holder", "issuer"]),
    ("revocation_notification/2.0", ["holder", "issuer"]),
  ].map { SpokenProtocol(id: prefix + $0.0, roles: $0.1) }

  private static let longestPattern = 256
  private static let prefix = "https://didcomm.org/"
  private static let olderPrefix = "did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/"

  /// The protocols that match `pattern`, where `*` stands for any characters. A query with the older prefix gets names
  /// with that prefix. No protocol matches a pattern of more than 256 bytes.
  static func own(matching pattern: String) -> [SpokenProtocol] {
    guard pattern.utf8.count <= longestPattern else { return [] }
    return own.compactMap { known in
      if known.id.matches(pattern) { return known }
      let older = olderPrefix + known.id.dropFirst(prefix.count)
      return older.matches(pattern) ? SpokenProtocol(id: older, roles: known.roles) : nil
    }
  }
}

extension String {
  /// Whether the pattern, in which `*` stands for any characters, covers the whole text.
  fileprivate func matches(_ pattern: String) -> Bool {
    let pieces = pattern.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
    var rest = utf8[...]
    guard let first = pieces.first, rest.starts(with: first) else { return false }
    guard pieces.count > 1, let last = pieces.last else { return rest.elementsEqual(first) }
    rest = rest.dropFirst(first.count)
    for piece in pieces.dropFirst().dropLast() {
      guard let found = rest.firstIndex(of: piece) else { return false }
      rest = rest[found...].dropFirst(piece.count)
    }
    return rest.suffix(last.count).elementsEqual(last)
  }
}

extension Substring.UTF8View {
  /// The first index of `piece`.
  fileprivate func firstIndex(of piece: Substring.UTF8View) -> Index? {
    indices.first { self[$0...].starts(with: piece) } ?? (piece.isEmpty ? endIndex : nil)
  }
}

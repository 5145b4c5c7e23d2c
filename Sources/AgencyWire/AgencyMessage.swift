package import JSON

/// A message between a client and an agency. Its name alone identifies its type: families and versions differ between
/// agencies (`WireType`).
package protocol AgencyMessage: Equatable, Sendable {
  /// The last part of the type, e.g. `CREATE_KEY`.
  static var name: String { get }

  /// Reads the members; unknown ones are ignored.
  init(_ object: JSONObject) throws(JSONError)

  /// The members without `@type`.
  var members: JSONObject { get }

  /// Writes the members, each with its name.
  func write(to json: inout JSONWriter)

  /// The whole type of a request, e.g. `did:sov:123456789abcdefghi1234;spec/connecting/0.6/CREATE_KEY`.
  static var type: String { get }
}

extension AgencyMessage {
  package static var type: String { WireType.of(name) }

  package func write(to json: inout JSONWriter) { json.write(membersOf: members) }

  /// The text of the message with its type in front.
  package func text(type: String) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.name("@type")
      json.write(type)
      write(to: &json)
    }
    return json.bytes
  }

  /// The message with its type in front.
  package func json(type: String) -> JSON {
    .object(JSONObject([("@type", .string(type))] + members.members.map { ($0.key, $0.value) }))
  }
}

/// A message without members.
package protocol BareMessage: AgencyMessage {
  init()
}

extension BareMessage {
  package init(_ object: JSONObject) { self.init() }
  package var members: JSONObject { [:] }
}

/// The types of messages: a family and its version before the name.
///
/// Clients use the families of Evernym's agencies. Older clients and other open-source agencies use others, so a server
/// answers in the family of the request, and a client parses answers by name.
package enum WireType: Sendable {
  package static let prefix = "did:sov:123456789abcdefghi1234;spec/"

  package static func of(_ name: String) -> String { prefix + family(of: name) + "/" + name }

  private static func family(of name: String) -> String {
    switch name {
    case "FWD": "routing/1.0"
    case "CONNECT", "SIGNUP", "CREATE_AGENT": "agent-provisioning/0.5"
    case "UPDATE_CONFIGS", "UPDATE_COM_METHOD": "configs/1.0"
    case "CREATE_KEY": "connecting/0.6"
    case "WALLET_INIT_BACKUP", "WALLET_BACKUP", "WALLET_BACKUP_RESTORE": "wallet-backup/0.1.0"
    case "DEAD_DROP_RETRIEVE": "dead-drop/0.1.0"
    default: "pairwise/0.6"
    }
  }

  /// The type of the answer `name` to a request of type `request`: the request's family and version.
  package static func of(_ name: String, answering request: String) -> String {
    guard let slash = request.lastIndex(of: "/") else { return prefix + name }
    return String(request[...slash]) + name
  }
}

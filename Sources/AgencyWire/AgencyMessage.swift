package import JSON

/// A message between a client and an agency. Its name alone identifies its type: families and versions differ between
/// agencies (`WireDialect`).
package protocol AgencyMessage: Equatable, Sendable {
  /// The last part of the type, e.g. `CREATE_KEY`.
  static var name: String { get }

  /// Reads the members; unknown ones are ignored.
  init(_ object: JSONObject) throws(JSONError)

  /// The members without `@type`.
  var members: JSONObject { get }

  /// Writes the members, each with its name.
  func write(to json: inout JSONWriter)

  /// The whole type, e.g. `did:sov:123456789abcdefghi1234;spec/connecting/0.6/CREATE_KEY`.
  static func type(in dialect: WireDialect) -> String
}

extension AgencyMessage {
  package static func type(in dialect: WireDialect) -> String { dialect.type(of: name) }

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

/// The families and versions of message names.
///
/// Evernym's agencies and clients use one set of families; older clients and other open-source agencies use another. A
/// server answers in the family of the request; a client parses answers by name.
package enum WireDialect: String, Sendable {
  case evernym, onboarding

  package static let prefix = "did:sov:123456789abcdefghi1234;spec/"

  package func type(of name: String) -> String { Self.prefix + family(of: name) + "/" + name }

  private func family(of name: String) -> String {
    switch (name, self) {
    case ("FWD", _): "routing/1.0"
    case ("CONNECT", .evernym), ("SIGNUP", .evernym), ("CREATE_AGENT", .evernym): "agent-provisioning/0.5"
    case ("CONNECT", .onboarding), ("SIGNUP", .onboarding), ("CREATE_AGENT", .onboarding): "onboarding/1.0"
    case ("UPDATE_CONFIGS", _), ("UPDATE_COM_METHOD", _): "configs/1.0"
    case ("CREATE_KEY", .evernym): "connecting/0.6"
    case ("WALLET_INIT_BACKUP", _), ("WALLET_BACKUP", _), ("WALLET_BACKUP_RESTORE", _): "wallet-backup/0.1.0"
    case ("DEAD_DROP_RETRIEVE", _): "dead-drop/0.1.0"
    case (_, .evernym): "pairwise/0.6"
    case (_, .onboarding): "pairwise/1.0"
    }
  }

  /// The type of the answer `name` to a request of type `request`: the request's family and version.
  package static func type(of name: String, answering request: String) -> String {
    guard let slash = request.lastIndex(of: "/") else { return Self.prefix + name }
    return String(request[...slash]) + name
  }
}

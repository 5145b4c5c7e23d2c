internal import JSON

/// The largest number of rounds in which both sides may change a proposal. Each round's id is kept in the state, so that
/// an old message is not taken for a new one.
let mostRounds = 32

/// The form in which a program begins an exchange: nil leaves the decision to the configuration and the peer.
package struct ExchangeForm: Equatable, Sendable {
  /// The major version of the protocol, 1 or 2.
  package let version: Int?
  package let format: ContentFormat?

  package static let undecided = ExchangeForm(version: nil, format: nil)

  package init(version: Int?, format: ContentFormat?) {
    self.version = version
    self.format = format
  }

  /// The names of formats in configurations and options.
  package static let formats: [String: ContentFormat] = ["hlindy": .indy, "anoncreds": .anonCreds]
}

// MARK: - Stored

extension ExchangeForm {
  /// The members of a state; none for an undecided form.
  var stored: [(String, JSON)] {
    var members: [(String, JSON)] = []
    if let version { members.append(("version", .integer(Int64(version)))) }
    if let format { members.append(("format", .string(format.rawValue))) }
    return members
  }

  init(stored members: JSONObject?) throws(JSONError) {
    let version = try members?.optionalInteger("version").map(Int.init)
    guard version.map((1...2).contains) ?? true else { throw .wrongType(key: "version", expected: "1 or 2") }
    let name = try members?.optionalString("format")
    let format = name.flatMap(ContentFormat.init(rawValue:))
    guard name == nil || format != nil else { throw .wrongType(key: "format", expected: "indy or anoncreds") }
    self.init(version: version, format: format)
  }
}

extension JSONObject {
  /// The member that libvcx ignores, with the library's own members of a state; no member if there are none.
  static func extras(_ members: [(String, JSON)]) -> [(String, JSON)] {
    members.isEmpty ? [] : [("msdk", .object(JSONObject(members)))]
  }
}

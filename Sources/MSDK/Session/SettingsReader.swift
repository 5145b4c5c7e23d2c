internal import DIDComm
internal import Files
package import JSON
internal import Threading

/// The members of a configuration. A null counts as absent; a number is refused, since the configuration's values are
/// texts. `threadpool_size`, which older libraries also wrote as a number, is not used.
struct SettingsReader {
  private let object: JSONObject
  /// The names that callers have asked for.
  private let asked = Locked<Set<String>>(["threadpool_size"])

  init(_ text: String) throws(SettingsError) {
    let json: JSON
    do { json = try JSON(parsing: text) } catch { throw .malformed(error) }
    object = JSONObject((json.object ?? [:]).members.filter { !$0.value.isNull }.map { ($0.key, $0.value) })
    for (key, value) in object.members where value.number != nil && key != "threadpool_size" {
      throw .invalidValue(key, "a text")
    }
  }

  /// The members that no caller has asked for, and the names that callers have asked for.
  var unread: (members: [String], names: [String]) {
    let names = asked.withLock { $0 }
    return (object.keys.filter { !names.contains($0) }, names.sorted())
  }

  func has(_ key: String) -> Bool { value(key) != nil }

  private func value(_ key: String) -> JSON? {
    asked.withLock { _ = $0.insert(key) }
    return object[key]
  }

  /// The name that the configuration uses for a member with several names, for errors. The first name if it uses none.
  func name(among keys: [String]) -> String { keys.first(where: has) ?? keys[0] }

  /// The first of the members that the configuration has, or nil.
  func string(_ keys: String...) throws(SettingsError) -> String? {
    guard let (key, value) = first(keys) else { return nil }
    guard let text = value.string else { throw .invalidValue(key, "a text") }
    return text
  }

  /// The first of the members that the configuration has, or nil: an array, or a text that contains an array.
  func array(_ keys: String...) throws(SettingsError) -> [JSON]? {
    guard let (key, value) = first(keys) else { return nil }
    guard let array = value.array ?? value.string.flatMap({ try? JSON(parsing: $0).array }) else {
      throw .invalidValue(key, "an array, or a text that holds one")
    }
    return array
  }

  /// The first of the member's names that the configuration uses, with its value.
  private func first(_ keys: [String]) -> (key: String, value: JSON)? {
    keys.map { ($0, value($0)) }.first { $0.1 != nil }.flatMap { key, value in value.map { (key, $0) } }
  }

  func bool(_ key: String) throws(SettingsError) -> Bool? {
    guard let value = value(key) else { return nil }
    guard let bool = value.bool else { throw .invalidValue(key, "true or false") }
    return bool
  }

  /// An object, or a text that contains an object.
  func object(_ key: String) throws(SettingsError) -> JSONObject? {
    guard let value = value(key) else { return nil }
    let parsed = value.object ?? value.string.flatMap { try? JSON(parsing: $0).object }
    guard let parsed else { throw .invalidValue(key, "an object, or a text that holds one") }
    return parsed
  }

  /// A text, or the text of an object.
  func objectText(_ key: String) throws(SettingsError) -> String? {
    guard let value = value(key) else { return nil }
    guard let text = value.string ?? value.object.map({ JSON.object($0).text }) else {
      throw .invalidValue(key, "a text or an object")
    }
    return text
  }

  /// A member that is a DID of any method. Agencies give DIDs that are mere labels, so the text stays as it is.
  func did(_ key: String) throws(SettingsError) -> String? {
    guard let text = try string(key) else { return nil }
    guard (try? DID(text)) != nil else { throw .invalidDID(key) }
    return text
  }

  func verkey(_ key: String) throws(SettingsError) -> VerKey? {
    guard let text = try string(key) else { return nil }
    guard let key = try? VerKey(text) else { throw .invalidVerKey(key) }
    return key
  }

  /// The file of certificates that TLS trusts instead of the system's.
  func authorities() throws(SettingsError) -> String? {
    guard let path = try string("ca_file") else { return nil }
    guard (try? Files.contents(of: path, limit: 16 << 20)) != nil else {
      throw .invalidValue("ca_file", "the path of a file that can be read")
    }
    return path
  }

  /// The path of a library, or its bare name. A relative path is made absolute: the library is opened later, when the
  /// program may be in another directory.
  func library(_ key: String) throws(SettingsError) -> String? {
    try string(key).map { $0.contains("/") ? Files.absolutePath(of: $0) : $0 }
  }

  /// The members with other names than these, unchanged.
  func members(besides keys: [String]) -> [(String, JSON)] {
    object.members.filter { !keys.contains($0.key) }.map { ($0.key, $0.value) }
  }
}

/// The reasons why a configuration cannot be used.
package enum SettingsError: Error, Equatable, Sendable {
  case malformed(JSONError)
  case missingWalletKey
  case missing(String)
  /// A member that the import of a wallet needs.
  case incompleteImport(String)
  case invalidValue(String, String)
  case invalidDID(String)
  case invalidVerKey(String)
  case invalidURL(String)
  case malformedAuthorAgreement
  /// The configuration names no Cloud Agent.
  case noCloudAgent
  /// The configuration names two Cloud Agents.
  case twoCloudAgents
  /// The first transactions of a ledger's network cannot be read, for the given reason.
  case invalidGenesis(reason: String)
  /// The configuration's file does not exist.
  case noFile(path: String)
  /// The configuration's file cannot be read, for the given reason.
  case unreadable(path: String, reason: String)
}

extension SettingsError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let error): "the configuration is \(error)"
    case .missingWalletKey: "the configuration lacks \"wallet_key\""
    case .missing(let key), .incompleteImport(let key): "the configuration lacks \"\(key)\""
    case .invalidValue(let key, let expected): "\"\(key)\" is not \(expected)"
    case .invalidDID(let key): "\"\(key)\" is not a DID"
    case .invalidVerKey(let key): "\"\(key)\" is not a verkey"
    case .invalidURL(let key): "\"\(key)\" is not an absolute URL"
    case .malformedAuthorAgreement: "\"author_agreement\" is not the acceptance of an agreement"
    case .noCloudAgent: "the configuration names no Cloud Agent: it lacks the members of an agency or of a mediator"
    case .twoCloudAgents: "the configuration names two Cloud Agents, such as an agency and a mediator: an agent has one"
    case .invalidGenesis(let reason): reason
    case .noFile(let path) where path.first == "{":
      "the argument is JSON text and not the path of a file: vcx_init_with_config takes the text"
    case .noFile(let path): "there is no configuration file \(path)"
    case .unreadable(let path, let reason): "the configuration file \(path) cannot be read: \(reason)"
    }
  }
}

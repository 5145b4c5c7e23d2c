package import JSON

/// A machine whose state is stored as Evernym's library stores it: `{"version": "2.0", "data": {"<name>": {"source_id":
/// …, "state": {"<state>": {…}}}}}`. The text stands alone and holds no private key.
package protocol StoredExchange: Sendable {
  /// The name of the machine in the text.
  static var storedName: String { get }
  /// The name of the state, and its members.
  var storedState: (name: String, members: JSONObject) { get }
  /// The route of the peer's next message; nil if the exchange awaits none.
  var route: Route? { get }
  /// Whether the exchange has ended, well or not.
  var isFinished: Bool { get }
  /// Throws `JSONError`, `MessageError` or another error that describes the fault in the members.
  init(state: String, members: JSONObject) throws
}

extension StoredExchange {
  /// The machine as JSON text. `objectID` is the id under which the wallet keeps the object, if it does.
  package func serialized(sourceID: String, objectID: String? = nil) -> String {
    let (name, members) = storedState
    let machine: JSON = ["source_id": .string(sourceID), "state": .object([name: .object(members)])]
    var text: JSONObject = ["data": .object([Self.storedName: machine]), "version": .string(exchangeVersion)]
    text[objectIDName] = objectID.map(JSON.string)
    return JSON.object(text).text
  }

  /// Restores a machine from a text, with the name that the application gave it, and the id under which the wallet keeps
  /// the object.
  package static func restored(
    from text: String
  ) throws(StateError) -> (sourceID: String, machine: Self, objectID: String?) {
    do {
      let outer = try JSON(parsing: text).requireObject()
      try check(version: outer.string("version"))
      let stored = try outer.object("data").object(storedName)
      guard let (name, value) = try stored.object("state").members.first else { throw JSONError.missing(key: "state") }
      let machine = try Self(state: name, members: value.requireObject())
      return (try stored.string("source_id"), machine, try outer.optionalString(objectIDName))
    } catch let error as StateError {
      throw error
    } catch {
      throw .malformed("\(error)")
    }
  }

  private static func check(version: String) throws(StateError) {
    switch version {
    case exchangeVersion: return
    case "1.0", "3.0": throw .proprietary
    default: throw .unsupportedVersion(version)
    }
  }
}

private let exchangeVersion = "2.0"

/// The name of the member of a serialized object with the id under which the wallet keeps it. Other libraries ignore it.
package let objectIDName = "msdk_object_id"

/// The reasons why a text is not the state of an exchange that msdk can continue.
package enum StateError: Error, Equatable, Sendable {
  case malformed(String)
  /// A newer version of the library has written the text.
  case unsupportedVersion(String)
  /// A state of Evernym's own protocol, or one that kept its messages in the legacy form.
  case proprietary
}

extension StateError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let reason): "malformed state: \(reason)"
    case .unsupportedVersion(let version): "the state has the version \(version), which this library does not know"
    case .proprietary: "the state is of Evernym's proprietary protocol, which msdk does not speak"
    }
  }
}

extension JSONObject {
  /// The thread of a state. The messages on it must be restorable too, so its id has the same limits as theirs.
  func storedThread() throws(JSONError) -> Thread {
    var thread = try Thread(.object(object("thread")))
    try thread.thid.requireMessageID("thid")
    thread.senderOrder = thread.senderOrder ?? 0
    thread.receivedOrders = thread.receivedOrders ?? [:]
    return thread
  }

  /// The ids of the messages that the exchange has answered before; they are in a member that libvcx ignores.
  func storedAnswered() throws(JSONError) -> [String] {
    try optionalObject("msdk")?.optionalStrings("answered") ?? []
  }

  /// The member that stores these ids; no member if there are no ids.
  static func answered(_ ids: [String]) -> [(String, JSON)] { ids.isEmpty ? [] : [("msdk", ["answered": JSON(ids)])] }

  /// An optional member: absent or null gives nil.
  func stored<Value>(_ key: String, _ read: (JSON) throws -> Value) throws -> Value? {
    guard let member = self[key], !member.isNull else { return nil }
    return try read(member)
  }

  /// A required member.
  func requiredStored<Value>(_ key: String, _ read: (JSON) throws -> Value) throws -> Value {
    guard let value = try stored(key, read) else { throw JSONError.missing(key: key) }
    return value
  }
}

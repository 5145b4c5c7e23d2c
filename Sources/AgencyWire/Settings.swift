package import JSON

/// A way to notify an account's owner of new messages.
package struct WireComMethod: Equatable, Sendable {
  /// The meaning of `value`, and the receiver of notifications.
  package enum Kind: Int, Sendable {
    /// A push token for the agency's own push account.
    case push = 1
    /// The URL of one of the owner's programs.
    case webhook = 2
    /// A text that the sponsor understands; the sponsor is notified.
    case sponsor = 3
    /// A push token for the sponsor's push account.
    case sponsorPush = 4
  }

  /// The owner's name for the method. A second method with the same name replaces the first.
  package let id: String
  package let kind: Kind
  /// An empty value removes the method.
  package let value: String

  package init(id: String, kind: Kind, value: String) {
    self.id = id
    self.kind = kind
    self.value = value
  }

  /// Some clients write the type as an integer, and some as digits in a text.
  init(_ object: JSONObject) throws(JSONError) {
    id = try object.string("id")
    value = try object.string("value")
    guard let type = object["type"] else { throw .missing(key: "type") }
    let number = type.integer.map { Int(truncatingIfNeeded: $0) } ?? type.string.flatMap { Int($0) }
    guard let kind = number.flatMap(Kind.init) else { throw .wrongType(key: "type", expected: "a number from 1 to 4") }
    self.kind = kind
  }

  var json: JSON { ["id": .string(id), "type": .integer(Int64(kind.rawValue)), "value": .string(value)] }
}

/// Sets or removes a com method.
package struct UpdateComMethod: AgencyMessage {
  package static let name = "UPDATE_COM_METHOD"
  package let method: WireComMethod

  package init(method: WireComMethod) { self.method = method }
  package init(_ object: JSONObject) throws(JSONError) { method = try WireComMethod(object.object("comMethod")) }
  package var members: JSONObject { ["comMethod": method.json] }
}

/// Answers `UpdateComMethod`.
package struct ComMethodUpdated: AgencyMessage {
  package static let name = "COM_METHOD_UPDATED"
  package let id: String

  package init(id: String) { self.id = id }
  package init(_ object: JSONObject) throws(JSONError) { id = try object.string("id") }
  package var members: JSONObject { ["id": .string(id)] }
}

/// A fact that an owner states about himself: `name`, `logoUrl`, `publicDid`, or any other that an application needs.
package struct Config: Equatable, Sendable {
  package let name: String
  package let value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  init(_ json: JSON) throws(JSONError) {
    let object = try json.requireObject()
    name = try object.string("name")
    value = try object.string("value")
  }

  var json: JSON { ["name": .string(name), "value": .string(value)] }
}

/// Stores configs with the account. A config replaces an earlier one with the same name.
package struct UpdateConfigs: AgencyMessage {
  package static let name = "UPDATE_CONFIGS"
  package let configs: [Config]

  package init(configs: [Config]) { self.configs = configs }

  package init(_ object: JSONObject) throws(JSONError) {
    configs = try object.array("configs").map(Config.init)
  }

  package var members: JSONObject { ["configs": .array(configs.map(\.json))] }
}

/// Answers `UpdateConfigs`.
package struct ConfigsUpdated: BareMessage {
  package static let name = "CONFIGS_UPDATED"
  package init() {}
}

/// Asks whether peers have moved to another agency.
package struct GetUpgradeInfo: AgencyMessage {
  package static let name = "GET_UPGRADE_INFO"
  package let pairwiseDIDs: [String]

  package init(pairwiseDIDs: [String]) { self.pairwiseDIDs = pairwiseDIDs }
  package init(_ object: JSONObject) throws(JSONError) { pairwiseDIDs = try object.strings("pairwiseDIDs") }
  package var members: JSONObject { ["pairwiseDIDs": JSON(pairwiseDIDs)] }
}

/// Answers `GetUpgradeInfo`, by pairwise DID, for peers that have moved.
package struct UpgradeInfo: AgencyMessage {
  package static let name = "UPGRADE_INFO"
  package let data: JSONObject

  package init(data: JSONObject) { self.data = data }
  package init(_ object: JSONObject) throws(JSONError) { data = try object.object("data") }
  package var members: JSONObject { ["data": .object(data)] }
}

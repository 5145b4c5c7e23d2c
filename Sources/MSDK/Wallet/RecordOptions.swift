package import JSON
package import Wallet

/// Which parts of a record a program wants to see.
package struct RecordOptions: Sendable {
  private let showsType: Bool
  private let showsValue: Bool
  private let showsTags: Bool

  /// Reads a JSON object; unknown members are ignored.
  package init(parsing text: String) throws(JSONError) {
    let object = try JSON(parsing: text).requireObject()
    showsType = try Self.flag("retrieveType", in: object) ?? false
    showsValue = try Self.flag("retrieveValue", in: object) ?? true
    showsTags = try Self.flag("retrieveTags", in: object) ?? true
  }

  private static func flag(_ key: String, in object: JSONObject) throws(JSONError) -> Bool? {
    object[key] == nil ? nil : try object.bool(key)
  }

  /// All four members, null for those not wanted.
  package func json(_ record: Record) -> JSON {
    [
      "type": showsType ? .string(record.type) : .null, "id": .string(record.id),
      "value": showsValue ? .string(record.value) : .null, "tags": showsTags ? record.tags.json : .null,
    ]
  }
}

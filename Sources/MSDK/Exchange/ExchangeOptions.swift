package import Aries
package import JSON

extension ExchangeForm {
  private static let members = ["version", "format"]

  /// Reads the options of a function that begins an exchange: `{"version": "1.0" or "2.0", "format": "hlindy" or
  /// "anoncreds"}`. Nil, and the value `auto`, leave the decision to the configuration and the peer. Refuses unknown
  /// members, so that a misspelt option does not go unnoticed.
  package init(options text: String?) throws(JSONError) {
    guard let text else {
      self = .undecided
      return
    }
    let object = try JSON(parsing: text).requireObject()
    if let unknown = object.members.first(where: { !Self.members.contains($0.key) }) {
      throw .wrongType(key: unknown.key, expected: "absent; the options are version and format")
    }
    self.init(
      version: try object.choice("version", of: ["1.0": 1, "2.0": 2]),
      format: try object.choice("format", of: Self.formats))
  }
}

extension JSONObject {
  fileprivate func choice<Value>(_ key: String, of values: [String: Value]) throws(JSONError) -> Value? {
    guard let name = try optionalString(key), name != "auto" else { return nil }
    guard let value = values[name] else {
      throw .wrongType(key: key, expected: "one of \((values.keys.sorted() + ["auto"]).joined(separator: ", "))")
    }
    return value
  }
}

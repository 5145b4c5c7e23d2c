internal import JSON

/// Receives the events of an agency.
package typealias EventLog = @Sendable (Event) -> Void

/// An event for the operator. It never holds keys, payloads, or clients' texts.
package struct Event: Sendable {
  package let name: String
  package let details: [(key: String, value: String)]

  init(_ name: String, _ details: KeyValuePairs<String, String> = [:]) {
    self.name = name
    self.details = Array(details)
  }

  /// One line of JSON.
  package func line(at seconds: Int64) -> String {
    let members = [("time", JSON.integer(seconds)), ("event", .string(name))]
    return JSON.object(JSONObject(members + details.map { ($0.key, .string($0.value)) })).text
  }
}

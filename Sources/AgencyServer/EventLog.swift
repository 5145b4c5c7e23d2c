internal import JSON

/// Where an agency tells what happens.
package typealias EventLog = @Sendable (Event) -> Void

/// Something that happened, for whoever runs the agency. Never holds keys, payloads, or what a client wrote.
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

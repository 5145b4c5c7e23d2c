internal import JSON
package import Logging

// The log of an agency has a line for each event that concerns the operator. Its message is the name of the event, and its
// details never hold keys, payloads, or clients' texts.

extension LogChannel {
  /// Logs an event.
  func note(
    _ event: String, _ details: @autoclosure () -> KeyValuePairs<String, String> = [:], file: String = #fileID,
    line: UInt32 = #line
  ) {
    write(.info, { event }, details: details, file: file, line: line)
  }

  /// Logs an event that should not happen. The work goes on.
  func warn(
    _ event: String, _ details: @autoclosure () -> KeyValuePairs<String, String> = [:], file: String = #fileID,
    line: UInt32 = #line
  ) {
    write(.warning, { event }, details: details, file: file, line: line)
  }
}

extension LogRecord {
  /// The event as one line of JSON.
  package func line(at seconds: Int64) -> String {
    let members = [("time", JSON.integer(seconds)), ("event", .string(message))]
    return JSON.object(JSONObject(members + details.map { ($0.key, .string($0.value)) })).text
  }
}

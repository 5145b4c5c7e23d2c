internal import JSON

/// The end of an answer with messages, in its member `next`: a text for the next request, or null after the last
/// message.
///
/// Agencies end an answer when it is full. Only msdk's own agency marks the end. Other agencies omit `next`, and ignore
/// the request's member `after`, which returns the text; other clients ignore `next`.
package enum AnswerEnd: Equatable, Sendable {
  /// The agency does not say whether there are more messages.
  case unsaid
  /// There are no more messages.
  case complete
  /// There are more messages. The same request with this text in `after` gets them.
  case cut(next: String)

  init(_ object: JSONObject) throws(JSONError) {
    self =
      if let next = try object.optionalString("next") { .cut(next: next) } else {
        object["next"] == nil ? .unsaid : .complete
      }
  }

  func write(to json: inout JSONWriter) {
    var object = JSONObject()
    add(to: &object)
    json.write(membersOf: object)
  }

  func add(to object: inout JSONObject) {
    switch self {
    case .unsaid: break
    case .complete: object["next"] = .null
    case .cut(let next): object["next"] = .string(next)
    }
  }
}

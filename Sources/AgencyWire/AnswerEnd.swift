internal import JSON

/// Where an answer with messages ends, in its member `next`: a text to ask on with, or null at the end of the messages.
///
/// Agencies end an answer when it is full. Only msdk's own says so. Others leave `next` out, and ignore `after`, the
/// member of a request that takes the text back; clients of other makes ignore `next`.
package enum AnswerEnd: Equatable, Sendable {
  /// The agency does not say whether there are more messages.
  case unsaid
  /// There are no more messages.
  case complete
  /// There are more. The same request with this text in `after` gets them.
  case cut(next: String)

  init(_ object: JSONObject) throws(JSONError) {
    self =
      if let next = try object.optionalString("next") { .cut(next: next) } else {
        object["next"] == nil ? .unsaid : .complete
      }
  }

  func add(to object: inout JSONObject) {
    switch self {
    case .unsaid: break
    case .complete: object["next"] = .null
    case .cut(let next): object["next"] = .string(next)
    }
  }
}

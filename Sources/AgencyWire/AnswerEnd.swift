internal import JSON

/// The end of an answer with messages, in its members `next` and `wait`.
///
/// Agencies end an answer when it is full. Only msdk's own agency marks the end: with a text for the next request, or null
/// after the last message. Other agencies omit `next`, and ignore the request's member `after`, which returns the text;
/// other clients ignore `next`.
package enum AnswerEnd: Equatable, Sendable {
  /// The agency does not say whether there are more messages.
  case unsaid
  /// There are no more messages.
  case complete
  /// There are more messages. The same request with this text in `after` gets them.
  case cut(next: String)
  /// The request asked to wait, and the agency can. The same request with this text in `after` gets the messages that
  /// follow: at once if there are any, otherwise when the first one arrives, or without messages after `wait` seconds.
  /// The agency has no place for a waiting client if `wait` is 0: the client should repeat the request after a pause.
  case open(next: String, wait: Int)

  init(_ object: JSONObject) throws(JSONError) {
    let next = try object.optionalString("next")
    let wait = try object.optionalInteger("wait")
    self =
      switch (next, wait) {
      case (let next?, let wait?): .open(next: next, wait: Int(clamping: wait))
      case (let next?, nil): .cut(next: next)
      case (nil, _): object["next"] == nil ? .unsaid : .complete
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
    case .open(let next, let wait):
      object["next"] = .string(next)
      object["wait"] = .integer(Int64(wait))
    }
  }
}

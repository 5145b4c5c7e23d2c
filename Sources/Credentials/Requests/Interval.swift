internal import JSON

/// The time for which a proof must show that a credential was not revoked, in seconds since 1970.
package struct Interval: Equatable, Sendable {
  package let from, to: Int64?

  package init(from: Int64? = nil, to: Int64? = nil) {
    self.from = from
    self.to = to
  }

  /// Reads `{"from"?, "to"?}`. Returns nil for null and for an interval without bounds, which asks for nothing.
  init?(_ json: JSON?) throws(JSONError) {
    guard let json, !json.isNull else { return nil }
    let object = try json.requireObject()
    self.init(from: try object.optionalInteger("from"), to: try object.optionalInteger("to"))
    if from == nil && to == nil { return nil }
  }

  /// The reason why no proof can be about the interval; nil if a proof can.
  var flaw: String? {
    if [from, to].contains(where: { ($0 ?? 0) < 0 }) { return "it has a negative time" }
    return if let from, let to, from > to { "it ends before it begins" } else { nil }
  }

  var json: JSON {
    var object = JSONObject()
    object["from"] = from.map(JSON.integer)
    object["to"] = to.map(JSON.integer)
    return .object(object)
  }

  /// The common time of both intervals; nil if they do not overlap.
  func intersection(_ other: Interval) -> Interval? {
    let from = [self.from, other.from].compactMap(\.self).max()
    let to = [self.to, other.to].compactMap(\.self).min()
    if let from, let to, from > to { return nil }
    return Interval(from: from, to: to)
  }
}

package import JSON

extension ExchangeMessage {
  /// The parts of a message that are for people: `comment`, `goal_code`, `goal`, and the attachments of `~attach` (RFC
  /// 0017), such as a logo. Members that the message does not have are absent.
  ///
  /// The peer chooses their sizes. Longer texts are cut, and data that exceed the common limit are left out.
  package var display: JSON {
    var display: JSONObject = [:]
    for name in ["comment", "goal_code", "goal"] {
      display[name] = object[name]?.string.map { .string($0.cut(toBytes: DisplayLimits.text)) }
    }
    let attachments = (object["~attach"]?.array ?? object["~attach"].map { [$0] } ?? []).compactMap(\.object)
    if !attachments.isEmpty { display["attachments"] = .array(Self.described(attachments)) }
    return .object(display)
  }

  private static func described(_ attachments: [JSONObject]) -> [JSON] {
    var room = DisplayLimits.data
    return attachments.prefix(DisplayLimits.attachments).map { attachment in
      var described: JSONObject = [:]
      for name in ["@id", "mime-type", "filename", "description", "lastmod_time"] {
        described[name] = attachment[name]?.string.map { .string($0.cut(toBytes: DisplayLimits.text)) }
      }
      described["byte_count"] = attachment["byte_count"]?.integer.map(JSON.integer)
      if let data = attachment["data"]?.object {
        let size = JSON.object(data).bytes.count
        if size <= room {
          room -= size
          described["data"] = .object(data)
        }
      }
      return .object(described)
    }
  }
}

/// The sizes of the parts of a message that are kept for people.
private enum DisplayLimits {
  /// Bytes of UTF-8.
  static let text = 4_096
  static let attachments = 16
  /// The bytes of all attached data together, as JSON text.
  static let data = 262_144
}

extension String {
  /// The beginning that has at most this many bytes of UTF-8, up to the end of a character of Unicode.
  fileprivate func cut(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var (beginning, count) = (String.UnicodeScalarView(), 0)
    for scalar in unicodeScalars {
      count += UTF8.width(scalar)
      if count > limit { break }
      beginning.append(scalar)
    }
    return String(beginning)
  }
}

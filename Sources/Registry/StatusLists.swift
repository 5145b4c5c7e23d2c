internal import JSON

/// The file with the status lists of a revocation registry: a JSON array, oldest first.
///
/// Each publication adds a whole list. A reader splits the file, and reads only the needed lists.
struct StatusLists: Sendable {
  private let elements: JSONElements
  /// The times of the lists, in seconds since 1970.
  private let timestamps: [Int64]

  /// The most bytes of a file.
  static let limit = 64 << 20

  /// The path of a registry's file, relative to the folder.
  static func path(of id: String) -> String { "rev_status_list/\(fileName(id))" }

  /// Returns nil if the array has no list. Throws if a list is older than the list before it: a reader who then took the last
  /// list could miss a revocation.
  init?(_ bytes: [UInt8]) throws(JSONError) {
    let elements = try JSONElements(of: bytes)
    if elements.count == 0 { return nil }
    timestamps = try (0..<elements.count).map { (index) throws(JSONError) in
      try JSONMembers(of: Array(elements.text(index))).timestamp()
    }
    guard zip(timestamps, timestamps.dropFirst()).allSatisfy(<=) else {
      throw .wrongType(key: nil, expected: "status lists, oldest first")
    }
    self.elements = elements
  }

  /// The list in force at `time`, in seconds since 1970; nil if the first list is later.
  func last(inForceAt time: Int64) throws(JSONError) -> JSON? {
    try timestamps.lastIndex { $0 <= time }.map(read)
  }

  /// The newest list, and the time from which it is in force.
  func last() throws(JSONError) -> (list: JSON, timestamp: Int64) {
    let index = timestamps.count - 1
    return (try read(index), timestamps[index])
  }

  private func read(_ index: Int) throws(JSONError) -> JSON { try elements.read(index, limits: .numberLists) }

  /// The file with another list. If it would become too long, it omits the oldest lists, so that an issuer can always
  /// revoke: half of the file then remains.
  static func text(_ lists: StatusLists?, adding list: JSON, limit: Int = limit) -> [UInt8] {
    var kept: [ArraySlice<UInt8>] = [list.bytes[...]]
    if let elements = lists?.elements { kept = (0..<elements.count).map(elements.text) + kept }
    var size = 1 + kept.reduce(0) { $0 + $1.count + 1 }
    if size > limit {
      while size > limit / 2, kept.count > 1 { size -= kept.removeFirst().count + 1 }
    }
    return [UInt8(ascii: "[")] + kept.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
  }
}

extension JSONMembers {
  /// The time of a status list. Throws if the list has no time, or more than one.
  fileprivate func timestamp() throws(JSONError) -> Int64 {
    let times = all.filter { $0.name == "timestamp" }
    guard times.count == 1, let time = try JSON(parsing: times[0].text).integer else {
      throw .wrongType(key: "timestamp", expected: "an integer")
    }
    return time
  }
}

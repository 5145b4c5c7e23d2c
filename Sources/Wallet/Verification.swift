/// The result of a check of every row of a wallet.
package struct Verification: Equatable, Sendable {
  package fileprivate(set) var records = 0
  package fileprivate(set) var tags = 0
  /// Tags of removed records, which do no harm.
  package fileprivate(set) var orphans = 0
  /// All other problems.
  package fileprivate(set) var faults = 0
  /// The problems one by one, up to a number that no repairable file reaches.
  package fileprivate(set) var problems: [Problem] = []

  package var isSound: Bool { problems.isEmpty }

  /// A violation of the format. It names rows by their number, which reveals nothing about their content.
  package enum Problem: Equatable, Sendable {
    /// A finding of SQLite's own check of the file.
    case damagedFile(String)
    /// A trigger, a view or another object that a wallet does not have, by its kind and name. The library does not open
    /// such a file.
    case foreignObject(String)
    /// A value of a wrong storage class, or a missing value.
    case wrongStorageClass(table: String, row: Int64)
    /// A ciphertext that the wallet's keys do not open, or that holds no text.
    case undecipherable(table: String, row: Int64)
    /// A searchable ciphertext that opens, but differs from the ciphertext of its text: no search would find it.
    case unsearchable(table: String, row: Int64)
    /// A tag of an item that does not exist. libindy leaves such tags behind; they do no harm.
    case orphanedTag(table: String, row: Int64)
    /// Nonces or value keys that were used more than once.
    case repeatedNonces(count: Int)
  }

  static let longestList = 1000

  mutating func note(_ problem: Problem) {
    if case .orphanedTag = problem { orphans += 1 } else { faults += 1 }
    if problems.count < Self.longestList { problems.append(problem) }
  }

  /// The result for a file that is not opened because of these objects.
  package init(foreignObjects: [String]) {
    for object in foreignObjects { note(.foreignObject(object)) }
  }

  init() {}

  mutating func countRecord() { records += 1 }
  mutating func countTag() { tags += 1 }
}

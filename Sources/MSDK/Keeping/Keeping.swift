internal import Sodium

/// The state of an object's record in the wallet.
package struct Keeping: Equatable, Sendable {
  /// The id of the object's record; nil for an object that no wallet has kept so far.
  package private(set) var id: String?
  /// Whether the wallet's record lacks the last change of the object, or does not exist.
  private(set) var isBehind: Bool
  /// Whether the object was deleted: it gets no record again.
  private var isOver = false
  /// Whether the object is not a copy: the library has created it, or has restored it from its record.
  private var isOriginal = false
  /// Whether the object is restored from a text or from its record: an earlier process may have sent a message of which they do
  /// not tell.
  let isRestored: Bool
  /// The connection of an exchange, as far as it is known. A finished exchange does not name it any more.
  private(set) var pairwiseDID, theirDID: String?

  /// A new object.
  init() { (isBehind, isRestored) = (true, false) }

  /// An object that a program has restored from a text, which may name its id.
  init(restored id: String?) {
    self.id = id.flatMap { Self.canBeID($0) ? $0 : nil }
    (isBehind, isRestored) = (true, true)
  }

  /// Whether the object needs a record.
  package var isWanted: Bool { isBehind && !isOver }

  /// An id for messages that a later process repeats if it restores the object without the step. Nil for an object that has no
  /// record, and for an object from a program's text: the program may restore the text several times.
  var repeatedID: String? { isOriginal ? id : nil }

  /// The object has changed.
  mutating func noteChange() { isBehind = true }

  /// The wallet's record has the object as it is.
  mutating func noteRecord() { isBehind = false }

  /// The object is restored from its record.
  mutating func noteRestored() { (isBehind, isOriginal) = (false, true) }

  mutating func noteDeletion() { isOver = true }

  /// Notes the connection of the exchange, if it is known.
  mutating func note(pairwiseDID: String?, theirDID: String?) {
    guard let pairwiseDID else { return }
    (self.pairwiseDID, self.theirDID) = (pairwiseDID, theirDID)
  }

  /// Gives a new object the id of its record. Returns the id.
  mutating func begin() -> String {
    if let id { return id }
    let new = String.randomUUID()
    (id, isOriginal) = (new, true)
    return new
  }

  /// Whether a text's id can be the id of a record: programs choose texts.
  private static func canBeID(_ id: String) -> Bool { (1...128).contains(id.utf8.count) }
}

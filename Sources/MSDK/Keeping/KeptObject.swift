internal import Wallet

/// An object that the wallet keeps, if the configuration asks for it.
package protocol KeptObject: Sendable {
  static var keptKind: KeptKind { get }
  /// The object's record.
  var keeping: Keeping { get set }
  var keptFacts: KeptFacts { get }

  /// The object as JSON text, from which the library restores it.
  func serialized(with session: Session) -> String

  /// Restores an object from its text.
  init(serialized text: String) throws
}

extension KeptObject {
  /// Brings the wallet's record of the object up to date, if the configuration asks for kept objects. The record is on the
  /// disk when this returns.
  package mutating func keep(with session: Session) throws {
    guard let change = keepingChange(with: session) else { return }
    try session.wallet.make([change])
    keeping.noteRecord()
  }

  /// The change that brings the record up to date; nil if it is up to date, or no record is wanted. Call `noteRecord` once
  /// the change is made.
  mutating func keepingChange(with session: Session) -> LibraryChange? {
    guard keeping.isWanted, session.settings.keepsObjects else { return nil }
    let (id, facts) = (keeping.begin(), keptFacts)
    keeping.note(pairwiseDID: facts.pairwiseDID, theirDID: facts.theirDID)
    return session.keptObjects.change(keeping: self, as: id, with: session)
  }

  /// Gives the object a record of its own, if it is a copy of an object that is open, and no peer knows of either. A copy of a
  /// later state is the same connection or exchange, and shares its record.
  package mutating func separate() {
    if keptFacts.isTemplate { keeping = Keeping() }
  }

  /// Deletes the wallet's record of the object for good.
  package mutating func forget(with session: Session) throws {
    keeping.noteDeletion()
    if let id = keeping.id { try session.keptObjects.remove(id) }
  }

  /// An object as the wallet's record has it.
  package init(kept: KeptObjects.Found) throws {
    try self.init(serialized: kept.text)
    keeping = Keeping(restored: kept.id)
    keeping.note(pairwiseDID: kept.pairwiseDID, theirDID: kept.theirDID)
    keeping.noteRestored()
  }
}

extension Session {
  /// The objects that this session's wallet keeps.
  package var keptObjects: KeptObjects { KeptObjects(in: wallet) }
}

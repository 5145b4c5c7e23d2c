internal import Logging
internal import Wallet

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

  /// Deletes the wallet's record of the object for good.
  package mutating func forget(with session: Session) throws {
    keeping.noteDeletion()
    if let id = keeping.id { try session.keptObjects.remove(id) }
  }

  /// An object as the wallet's record has it.
  package init(kept: KeptObjects.Found) throws {
    try self.init(serialized: kept.text)
    keeping = Keeping(named: kept.id)
    keeping.note(pairwiseDID: kept.pairwiseDID, theirDID: kept.theirDID)
    keeping.noteRestored()
  }
}

extension Session {
  /// The objects that this session's wallet keeps.
  package var keptObjects: KeptObjects { KeptObjects(in: wallet) }
}

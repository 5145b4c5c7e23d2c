internal import Files
internal import Sodium

/// The file with an agency's master key, and whether it belongs to the store.
///
/// Only the first start makes a key. A key without its store, or a store without its key, is a backup of one half: an
/// agency that began anew there would take nobody's old messages and keep that secret.
package struct MasterKeyFile {
  private let file: KeyFile

  /// Holds the key until the store has the identity that is sealed under it: whenever a first start or a restoration is
  /// interrupted, the next start can go on.
  private let draft: KeyFile

  package init(dataFolder: String) {
    file = KeyFile(path: dataFolder + "/master.key", count: MasterKey.length)
    draft = KeyFile(path: file.path + ".new", count: MasterKey.length)
  }

  /// Nil when there is none.
  func load() throws(KeyFileError) -> SecretBytes? { try file.load() }

  /// The store at `location`, opened, and its key. At an agency's first start, both are made.
  package func open(
    _ location: StorageLocation, clock: @escaping Clock
  ) throws -> (storage: any Storage, key: MasterKey) {
    let key = try file.load()
    guard key == nil || location.isThere else { throw MasterKeyError.noStore }
    let storage = try location.open(clock: clock)
    let identity = try storage.identity()
    guard let key else { return (storage, try found(storage, identity)) }
    guard identity != nil else { throw MasterKeyError.noStore }
    return (storage, MasterKey(key))
  }

  /// The key of a store that has none yet, or whose first start did not come to its end.
  private func found(_ storage: any Storage, _ identity: Identity?) throws -> MasterKey {
    let remainder = try draft.load()
    guard identity == nil || remainder != nil else { throw MasterKeyError.noKey }
    let key = MasterKey(try draft.loadOrCreate())
    guard key.opens(try storage.identity(orElse: key.newIdentity())) else { throw MasterKeyError.noKey }
    try Files.publish(draft.path, as: file.path)
    return key
  }

  /// Writes a key that is the store's once `publish` is called; until then, it gives nobody an agency.
  func prepare(_ key: SecretBytes) throws {
    try Files.remove(draft.path)
    try draft.create(key)
  }

  func publish() throws { try Files.publish(draft.path, as: file.path) }
}

/// Which half of an agency is missing.
package enum MasterKeyError: Error, Equatable, Sendable {
  case noStore
  case noKey
}

extension MasterKeyError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noStore:
      "there is a master.key, and no accounts that belong to it: restore the database from a backup. "
        + "To begin a new agency instead, remove master.key and the empty database"
    case .noKey:
      "there are accounts, and the master.key that they need is missing: copy it from a backup. "
        + "Without it, no account can be used"
    }
  }
}

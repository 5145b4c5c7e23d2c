internal import Files
internal import Sodium
package import Time

/// The file with an agency's master key, and the check that it belongs to the store.
///
/// Only the first start makes a key. A key without its store, or a store without its key, is half a backup: an agency
/// that began anew there would accept nobody's old messages and hide the loss.
package struct MasterKeyFile {
  private let file: KeyFile

  /// Holds the key until the store has the identity that is sealed under it. After an interrupted first start or
  /// restoration, the next start can continue.
  private let draft: KeyFile

  package init(dataFolder: String) {
    file = KeyFile(path: dataFolder + "/master.key", count: MasterKey.length)
    draft = KeyFile(path: file.path + ".new", count: MasterKey.length)
  }

  /// Nil if the file does not exist.
  func load() throws(KeyFileError) -> SecretBytes? { try file.load() }

  /// The opened store at `location`, and its key. The agency's first start creates both.
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

  /// The key for a store without an identity, or after an interrupted first start.
  private func found(_ storage: any Storage, _ identity: Identity?) throws -> MasterKey {
    let remainder = try draft.load()
    guard identity == nil || remainder != nil else { throw MasterKeyError.noKey }
    let key = MasterKey(try draft.loadOrCreate())
    guard key.opens(try storage.identity(orElse: key.newIdentity())) else { throw MasterKeyError.noKey }
    try Files.publish(draft.path, as: file.path)
    return key
  }

  /// Writes a key, which becomes the store's when `publish` is called; until then, it opens no agency.
  func prepare(_ key: SecretBytes) throws {
    try Files.remove(draft.path)
    try draft.create(key)
  }

  func publish() throws { try Files.publish(draft.path, as: file.path) }
}

/// The missing half of an agency.
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

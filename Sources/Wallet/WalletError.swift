internal import Files
internal import Sodium
package import SQLite

/// The reasons why a wallet refused. They carry no keys, ids or values.
package enum WalletError: Error, Equatable, Sendable {
  /// A wallet exists at this place.
  case alreadyExists
  /// No wallet exists at this place.
  case notFound
  /// This process has the wallet open.
  case alreadyOpen
  /// The key or its derivation is wrong.
  case accessDenied
  /// The wallet was closed.
  case closed
  /// The file of the open wallet was deleted, moved or replaced, for example by another process that deleted the
  /// wallet.
  case removed

  case recordNotFound
  case recordExists
  /// The record is not as it was read: another thread or process has changed it since.
  case recordChanged
  /// Types that begin with `Indy` belong to the library.
  case reservedType

  /// The wallet's id cannot be a directory's name, or no home exists for the wallet.
  case malformedLocation
  /// A raw key is not base58 of 32 bytes.
  case malformedKey
  /// Tags are not an object of strings, or names are not an array of strings.
  case malformedTags(reason: String)
  /// The query is not in the language; with the place of the mistake.
  case malformedQuery(reason: String, at: String)
  /// Options are not an object of booleans.
  case malformedOptions(reason: String)
  /// The file is not an export, was changed, or has another key.
  case malformedExport(reason: String)
  /// The system refused to open or to read the export.
  case unreadableExport(reason: String)
  /// A seed does not have 32 bytes.
  case malformedSeed

  /// The file is no wallet, or is damaged.
  case corrupt(reason: String)
  /// The file has objects that a wallet does not have, such as triggers: their kinds and names.
  case foreignObjects([String])
  /// A stored ciphertext does not open.
  case undecipherable

  case diskFull
  case readOnly
  /// Another process holds the file locked.
  case busy
  case outOfMemory
  /// The system refused a file operation.
  case io(reason: String)
  /// Any other failure of the database, with SQLite's extended result code.
  case database(code: Int, reason: String)
}

extension WalletError: DatabaseFailure {
  package init(_ error: SQLiteError) {
    // SQLite can notice it first, and then gives another text.
    if error.code == SQLiteError.moved.code {
      self = .removed
      return
    }
    switch error.primary {
    case .full: self = .diskFull
    case .busy, .locked: self = .busy
    case .readOnly: self = .readOnly
    case .outOfMemory: self = .outOfMemory
    case .ioError, .cannotOpen: self = .io(reason: error.description)
    case .misuse: self = .closed
    case .corrupt, .notADatabase, .mismatch: self = .corrupt(reason: error.description)
    case .error, .constraint: self = .database(code: Int(error.code), reason: error.description)
    }
  }

  init(_ error: FileError) {
    self = error.isDiskFull ? .diskFull : .io(reason: error.description)
  }

  /// The error of reading an export.
  init(export error: FileError) { self = .unreadableExport(reason: error.description) }

  /// The error of opening a stored ciphertext.
  init(opening error: SodiumError) {
    self = .undecipherable
  }
}

extension WalletError {
  /// Whether the imported file is at fault, and not the new wallet.
  package var concernsExport: Bool {
    switch self {
    case .malformedExport, .unreadableExport: true
    default: false
    }
  }
}

extension WalletError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .alreadyExists: "the wallet exists already"
    case .notFound: "there is no such wallet"
    case .alreadyOpen: "the wallet is open already"
    case .accessDenied: "the key or its derivation method is not the wallet's"
    case .closed: "the wallet is closed, or the library was not initialised"
    case .removed: "the wallet was deleted, moved or replaced while it was open"
    case .recordNotFound: "there is no such record"
    case .recordExists: "a record of this type and id exists already"
    case .recordChanged: "another thread or process has changed the record"
    case .reservedType: "record types that begin with Indy are reserved"
    case .malformedLocation: "the wallet name cannot be used, or there is no home for wallets"
    case .malformedKey: "a raw wallet key must be 32 bytes in base58"
    case .malformedTags(let reason): "tags: \(reason)"
    case .malformedQuery(let reason, let place): place.isEmpty ? "query: \(reason)" : "query: \(reason), at \(place)"
    case .malformedOptions(let reason): "options: \(reason)"
    case .malformedExport(let reason): "export: \(reason)"
    case .unreadableExport(let reason): "export: \(reason)"
    case .malformedSeed: "a seed must have 32 bytes"
    case .corrupt(let reason): "the file is damaged or no wallet: \(reason)"
    case .foreignObjects(let objects):
      "the file is no wallet, or somebody has changed it: it has the " + objects.prefix(5).joined(separator: ", the ")
        + (objects.count > 5 ? " and \(objects.count - 5) more" : "")
    case .undecipherable: "a stored value does not open: the file was changed"
    case .diskFull: "the disk is full"
    case .readOnly: "the wallet cannot be written"
    case .busy: "another process holds the wallet"
    case .outOfMemory: "out of memory"
    case .io(let reason): reason
    case .database(_, let reason): reason
    }
  }
}

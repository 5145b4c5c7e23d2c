/// A record in the form of its rows.
struct SealedRecord: Equatable, Sendable {
  let type: [UInt8]
  let name: [UInt8]
  let value: SealedValue
  let tags: [SealedTag]
}

/// A value under its own key, and that key under the wallet's value key.
struct SealedValue: Equatable, Sendable {
  let value: [UInt8]
  let key: [UInt8]
}

/// A tag for the table of its kind.
enum SealedTag: Equatable, Sendable {
  case encrypted(name: [UInt8], value: [UInt8])
  case plaintext(name: [UInt8], value: String)
}

/// A tag's name for the table of its kind.
enum SealedTagName: Equatable, Sendable {
  case encrypted([UInt8])
  case plaintext([UInt8])
}

internal import Sodium

/// The readable beginning of an export: the derivation of its key and the form of its chunks.
struct ExportHeader: Equatable, Sendable {
  let derivation: KeyDerivation
  /// Nil for a raw key.
  let salt: [UInt8]?
  /// The nonce of the first chunk; each later chunk's nonce is one more.
  let nonce: [UInt8]
  let chunkSize: Int
  /// The time of the export, in seconds since 1970.
  let time: UInt64

  static let usualChunkSize = 1024
  private static let largestChunkSize = 16 << 20
  private static let version: UInt64 = 0
  /// The order in which the format numbers the methods.
  private static let methods: [KeyDerivation] = [.argon2iModerate, .argon2iInteractive, .raw]

  init(_ derivation: KeyDerivation, time: UInt64, random: RandomSource = randomBytes) {
    self.derivation = derivation
    self.time = time
    salt = derivation.makeSalt(random)
    nonce = random(AEAD.nonceLength)
    chunkSize = Self.usualChunkSize
  }

  /// The header in MessagePack.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    MessagePack.appendArray(count: 3, to: &bytes)
    MessagePack.appendArray(count: 2, to: &bytes)
    MessagePack.append(UInt64(Self.methods.firstIndex(of: derivation) ?? 0), to: &bytes)
    MessagePack.appendArray(count: salt == nil ? 2 : 3, to: &bytes)
    for field in [salt, nonce].compactMap(\.self) {
      MessagePack.appendArray(count: field.count, to: &bytes)
      for byte in field { MessagePack.append(UInt64(byte), to: &bytes) }
    }
    MessagePack.append(UInt64(chunkSize), to: &bytes)
    MessagePack.append(time, to: &bytes)
    MessagePack.append(Self.version, to: &bytes)
    return bytes
  }

  init(parsing bytes: [UInt8]) throws(WalletError) {
    var reader = MessagePack.Reader(bytes)
    guard reader.arrayCount() == 3, reader.arrayCount() == 2, let method = reader.integer(), method < Self.methods.count
    else { throw Self.refusal }
    derivation = Self.methods[Int(method)]
    let hasSalt = derivation != .raw
    guard reader.arrayCount() == (hasSalt ? 3 : 2) else { throw Self.refusal }
    salt = hasSalt ? reader.byteArray() : nil
    guard !hasSalt || salt?.count == KeyDerivation.saltLength, let nonce = reader.byteArray(),
      nonce.count == AEAD.nonceLength, let chunkSize = reader.integer(), 1...UInt64(Self.largestChunkSize) ~= chunkSize,
      let time = reader.integer(), reader.integer() == Self.version, reader.isAtEnd
    else { throw Self.refusal }
    self.nonce = nonce
    self.chunkSize = Int(chunkSize)
    self.time = time
  }

  private static var refusal: WalletError { .malformedExport(reason: "the header cannot be read") }
}

/// The nonces of an export's chunks: a 96-bit integer, least significant byte first, that counts up and wraps.
struct ChunkNonces: Sendable {
  private(set) var current: [UInt8]

  init(first: [UInt8]) { current = first }

  mutating func advance() {
    for index in current.indices {
      current[index] &+= 1
      if current[index] != 0 { return }
    }
  }
}

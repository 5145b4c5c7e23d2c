import Foundation
import Sodium
import TestSupport
import Testing

@testable import Wallet

/// Exports and metadata that have the right key, and are wrong inside: made by another program, or by an enemy who knows
/// the key.
@Suite struct CraftedExportTests {
  let home: Home

  init() throws { home = try Home() }

  static let header = ExportHeader(.raw, time: 1)
  static let record = Record(type: "t", id: "i", value: "v", tags: ["a": "b"])

  /// A record in MessagePack, without the length before it.
  static func packed(_ record: Record, members: Int = 4) -> [UInt8] {
    var bytes: [UInt8] = []
    MessagePack.appendArray(count: members, to: &bytes)
    for text in [record.type, record.id, record.value] { MessagePack.append(text, to: &bytes) }
    MessagePack.appendMap(count: record.tags.count, to: &bytes)
    for tag in record.tags {
      MessagePack.append(tag.name, to: &bytes)
      MessagePack.append(tag.value, to: &bytes)
    }
    return bytes
  }

  static func framed(_ bytes: [UInt8], length: Int? = nil) -> [UInt8] {
    littleEndian(length ?? bytes.count) + bytes
  }

  static func littleEndian(_ count: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } }

  static let end = littleEndian(0)

  /// Imports a file whose stream, after the hash of the header, is `stream`.
  func importing(_ stream: [UInt8], hash: [UInt8] = sha256(header.bytes)) throws -> Wallet {
    let key = try KeyDerivation.raw.masterKey(of: home.key, salt: nil)
    var bytes = Self.littleEndian(Self.header.bytes.count) + Self.header.bytes
    var (rest, nonces) = ((hash + stream)[...], ChunkNonces(first: Self.header.nonce))
    while !rest.isEmpty {
      bytes += AEAD.seal(Array(rest.prefix(Self.header.chunkSize)), key: key, nonce: nonces.current)
      rest = rest.dropFirst(Self.header.chunkSize)
      nonces.advance()
    }
    let path = home.folder.path + "/export"
    try Data(bytes).write(to: URL(filePath: path))
    try Wallet.create(home.location(), key: home.key, derivation: .raw, importing: path, exportKey: home.key)
    return try home.open()
  }

  @Test func aWellFormedStreamIsImported() throws {
    let wallet = try importing(Self.framed(Self.packed(Self.record)) + Self.end)
    #expect(try wallet.record(type: "t", id: "i") == Self.record)
  }

  @Test func aStreamMayEndWithItsChunk() throws {
    #expect(try importing(Self.fullChunk).record(type: "t", id: "i").value.count > 900)
  }

  /// A chunk of no bytes after the end would be refused.
  @Test func anExportMayEndWithItsChunk() throws {
    let (wallet, path) = (try home.wallet("origin"), home.folder.path + "/origin.export")
    let count = Self.fullChunk.count - Self.framed(Self.packed(Record(type: "t", id: "i", value: ""))).count - 4 - 2
    try wallet.insert(Record(type: "t", id: "i", value: String(repeating: "v", count: count)))
    try wallet.export(to: path, key: home.key, derivation: .raw)
    let bytes = try Data(contentsOf: URL(filePath: path))
    #expect(bytes.count == 4 + Int(bytes[0]) + 1024 + AEAD.tagLength)
    try Wallet.create(home.location(), key: home.key, derivation: .raw, importing: path, exportKey: home.key)
    #expect(try home.open().record(type: "t", id: "i").value.count == count)
  }

  static let refusals: [(reason: String, stream: [UInt8])] = [
    ("it has a record twice", framed(packed(record)) + framed(packed(record)) + end),
    ("a record is too long", framed(packed(record) + [0]) + end),
    ("a record cannot be read", framed(packed(record, members: 5)) + end),
    ("a record cannot be read", framed(Array(packed(record).prefix(4))) + end),
    ("a tag cannot be read", framed(packed(record).dropLast()) + end),
    ("a record is longer than the file", framed(packed(record), length: 1 << 30) + end),
    // The file is as long as its header, this stream, and 56 bytes more.
    ("a record is longer than the file", littleEndian(header.bytes.count + 57)),
    ("it ends too early", littleEndian(header.bytes.count + 56)),
    ("it ends too early", framed(packed(record))),
    ("it ends too early", framed(packed(record), length: 40)),
    ("it goes on after its end", end + framed(packed(record)) + end),
    ("it goes on after its end", end + [UInt8](repeating: 0, count: 1024 - 36) + [0]),
    ("it goes on after its end", fullChunk + [0]),
  ]

  /// A record and the end of the stream, which fill the first chunk together with the hash of the header.
  static let fullChunk: [UInt8] =
    (900..<992).lazy.map { count in
      framed(packed(Record(type: "t", id: "i", value: String(repeating: "v", count: count)))) + end
    }.first { $0.count == 1024 - 32 } ?? []

  @Test(arguments: refusals) func aStreamThatIsWrongInsideIsRefused(reason: String, stream: [UInt8]) throws {
    #expect(throws: WalletError.malformedExport(reason: reason)) { try importing(stream) }
    #expect(!Wallet.exists(try home.location()))
  }

  @Test func theOpenedHeaderEqualsTheSealedHeader() throws {
    #expect(throws: WalletError.malformedExport(reason: "the header was changed")) {
      try importing(Self.end, hash: sha256([1]))
    }
  }

  @Test func anExistingWalletIsNamedBeforeTheExportIsRead() throws {
    try home.wallet().close()
    #expect(throws: WalletError.alreadyExists) {
      try Wallet.create(
        home.location(), key: home.key, derivation: .raw, importing: home.folder.path + "/absent", exportKey: "x")
    }
  }

  // MARK: Headers

  @Test(
    arguments: [
      ("it ends too early", []), ("it ends too early", [1, 0, 0]), ("the header cannot be read", [0, 0, 0, 0]),
      ("it ends too early", littleEndian(5) + [0x93]), ("the header is too long", littleEndian(6) + [0x93]),
      ("the header cannot be read", littleEndian(65_536) + [UInt8](repeating: 0, count: 65_536)),
      ("the header is too long", littleEndian(65_537) + [UInt8](repeating: 0, count: 65_537)),
      ("the header is too long", [0xff, 0xff, 0xff, 0xff]),
    ] as [(String, [UInt8])])
  func aFileWithoutAHeaderIsRefusedWithTheReason(reason: String, bytes: [UInt8]) throws {
    let path = home.folder.path + "/export"
    try Data(bytes).write(to: URL(filePath: path))
    #expect(throws: WalletError.malformedExport(reason: reason)) {
      try Wallet.create(home.location(), key: home.key, derivation: .raw, importing: path, exportKey: home.key)
    }
  }

  /// A header of any fields; those of a good one unless others are given.
  static func header(
    method: UInt64 = 0, salt: Int? = 32, nonce: Int = 12, chunkSize: UInt64 = 1024, version: UInt64 = 0,
    more: [UInt8] = []
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    MessagePack.appendArray(count: 3, to: &bytes)
    MessagePack.appendArray(count: 2, to: &bytes)
    MessagePack.append(method, to: &bytes)
    let fields = [salt, nonce].compactMap(\.self)
    MessagePack.appendArray(count: fields.count + 1, to: &bytes)
    for length in fields {
      MessagePack.appendArray(count: length, to: &bytes)
      for _ in 0..<length { MessagePack.append(7, to: &bytes) }
    }
    MessagePack.append(chunkSize, to: &bytes)
    for value in [1, version] { MessagePack.append(value, to: &bytes) }
    return bytes + more
  }

  @Test(arguments: [
    header(), header(method: 1), header(method: 2, salt: nil), header(chunkSize: 1), header(chunkSize: 16 << 20),
  ])
  func headersOfTheFormatAreRead(bytes: [UInt8]) throws { #expect(try ExportHeader(parsing: bytes).bytes == bytes) }

  @Test(arguments: [
    header(method: 3), header(method: 2), header(salt: nil), header(salt: 31), header(salt: 33), header(nonce: 11),
    header(nonce: 13), header(chunkSize: 0), header(chunkSize: 16 << 20 + 1), header(chunkSize: .max),
    header(version: 1), header(more: [0]), Array(header().dropLast()),
  ])
  func allOthersAreRefused(bytes: [UInt8]) {
    #expect(throws: WalletError.malformedExport(reason: "the header cannot be read")) {
      try ExportHeader(parsing: bytes)
    }
  }

  // MARK: Metadata

  @Test func packedKeysHaveOneForm() {
    let packed = WalletKeys().packed.exposed()
    #expect(WalletKeys(packed: packed)?.packed.exposed() == packed)
    #expect(WalletKeys(packed: packed + [0]) == nil && WalletKeys(packed: packed.dropLast()) == nil)
    // The header of the array, and the two bytes before each key.
    for index in 0..<packed.count where index == 0 || index % 34 == 1 || index % 34 == 2 {
      var changed = packed
      changed[index] ^= 1
      #expect(WalletKeys(packed: changed) == nil, "byte \(index)")
    }
  }

  @Test func sealedKeysThatAreNotSevenAreDamage() throws {
    let key = try KeyDerivation.raw.masterKey(of: home.key, salt: nil)
    let sealed = AEAD.sealPrefixed(
      [UInt8](repeating: 0, count: WalletKeys.packedLength).span, key: key, nonce: randomBytes(AEAD.nonceLength))
    let metadata = try Metadata(parsing: Array(#"{"keys":\#(sealed)}"#.utf8))
    #expect(throws: WalletError.corrupt(reason: "the keys are not seven")) {
      try metadata.open(key: home.key, derivation: .raw)
    }
  }

  @Test func metadataHasKeysAndASaltOfTheRightForm() throws {
    let keys = [UInt8](repeating: 1, count: WalletKeys.packedLength + AEAD.prefixedOverhead)
    let parse = { (text: String) in try Metadata(parsing: Array(text.utf8)) }
    #expect(try parse(#"{"keys":\#(keys),"master_key_salt":null}"#).salt == nil)
    // A later version may add members.
    #expect(try parse(#"{"more":1,"keys":\#(keys),"master_key_salt":[1],"other":{}}"#).salt == [1])
    for length in [keys.dropLast(), keys + [1]] {
      #expect(throws: WalletError.corrupt(reason: "the sealed keys have a wrong length")) {
        try parse(#"{"keys":\#(Array(length))}"#)
      }
    }
    for salt in [#""text""#, "1", "[256]", "[-1]"] {
      #expect(throws: WalletError.corrupt(reason: "the salt cannot be read")) {
        try parse(#"{"keys":\#(keys),"master_key_salt":\#(salt)}"#)
      }
    }
    #expect(throws: WalletError.corrupt(reason: "the salt has a wrong length")) {
      try parse(#"{"keys":\#(keys),"master_key_salt":[1,2]}"#).open(key: "key", derivation: .argon2iInteractive)
    }
  }
}

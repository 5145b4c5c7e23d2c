import Glibc
import Sodium

@testable import Files
@testable import Wallet

extension FuzzTarget {
  /// Files that are to become wallets.
  static let exports = FuzzTarget("exports") { input in
    guard let (way, rest) = input.choice else { return }
    _ = try? ExportHeader(parsing: rest)
    readPieces(way, rest)
    let path = try file.get()
    switch way % 2 {
    case 0: try write(rest, to: path)
    default: try write(sealed(rest), to: path)
    }
    guard let file = try? FileReader(path: path), var reader = try? ExportReader(file, key: Material.rawKey) else {
      return
    }
    while let record = try? reader.next() { _ = record.tags.count }
  }

  private static func readPieces(_ way: UInt8, _ bytes: [UInt8]) {
    var reader = MessagePack.Reader(bytes)
    switch way / 2 % 5 {
    case 0: while !reader.isAtEnd, reader.string() != nil {}
    case 1: while !reader.isAtEnd, reader.integer() != nil {}
    case 2: while !reader.isAtEnd, reader.arrayCount() != nil {}
    case 3: while !reader.isAtEnd, reader.mapCount() != nil {}
    default: while !reader.isAtEnd, reader.byteArray() != nil {}
    }
  }

  /// An export of these bytes for records, under the key that it is read with.
  private static func sealed(_ records: [UInt8]) throws -> [UInt8] {
    let header = ExportHeader(.raw, time: 1)
    let key = try header.derivation.masterKey(of: Material.rawKey, salt: header.salt)
    var nonces = ChunkNonces(first: header.nonce)
    var file = (0..<4).map { UInt8(truncatingIfNeeded: header.bytes.count >> (8 * $0)) } + header.bytes
    var rest = (sha256(header.bytes) + records)[...]
    while !rest.isEmpty {
      file += AEAD.seal(Array(rest.prefix(1024)), key: key, nonce: nonces.current)
      rest = rest.dropFirst(1024)
      nonces.advance()
    }
    return file
  }

  private static let file = Result { try Material.folder() + "/export" }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    guard let file = fopen(path, "w") else { throw Finding(description: "no file can be written") }
    defer { fclose(file) }
    fwrite(bytes, 1, bytes.count, file)
  }
}

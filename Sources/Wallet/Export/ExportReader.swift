internal import Files
internal import Sodium

/// Reads an export record by record. Holds one chunk and one record at a time. A wrong key shows at the first chunk.
struct ExportReader {
  private let file: FileReader
  private let key: SecretBytes
  private let chunkSize: Int
  private var nonces: ChunkNonces
  /// The opened chunk; the first `used` bytes have been read.
  private var pending: [UInt8] = []
  private var used = 0

  private static let longestHeader = 64 << 10

  init(_ file: FileReader, key text: String) throws(WalletError) {
    self.file = file
    let length = try Self.length(Self.read(4, from: file))
    guard length <= min(Self.longestHeader, file.length) else {
      throw .malformedExport(reason: "the header is too long")
    }
    let bytes = try Self.read(length, from: file)
    let header = try ExportHeader(parsing: bytes)
    key = try header.derivation.masterKey(of: text, salt: header.salt)
    chunkSize = header.chunkSize
    nonces = ChunkNonces(first: header.nonce)
    guard try take(32).elementsEqual(sha256(bytes)) else { throw .malformedExport(reason: "the header was changed") }
  }

  /// The next record; nil at the end, after which there must be no more bytes.
  mutating func next() throws(WalletError) -> Record? {
    let length = try Self.length(take(4))
    guard length > 0 else {
      defer { wipe(&pending) }
      guard used == pending.count, try readChunk() == false else {
        throw .malformedExport(reason: "it goes on after its end")
      }
      return nil
    }
    guard length <= file.length else { throw .malformedExport(reason: "a record is longer than the file") }
    var bytes = try take(length)
    defer { wipe(&bytes) }
    return try Self.record(bytes)
  }

  private static func record(_ bytes: [UInt8]) throws(WalletError) -> Record {
    var reader = MessagePack.Reader(bytes)
    guard reader.arrayCount() == 4, let type = reader.string(), let id = reader.string(), let value = reader.string(),
      let count = reader.mapCount()
    else { throw .malformedExport(reason: "a record cannot be read") }
    var tags: [Tags.Tag] = []
    for _ in 0..<count {
      guard let name = reader.string(), let value = reader.string() else {
        throw .malformedExport(reason: "a tag cannot be read")
      }
      tags.append((name, value))
    }
    guard reader.isAtEnd else { throw .malformedExport(reason: "a record is too long") }
    return Record(type: type, id: id, value: value, tags: Tags(tags))
  }

  /// Exactly `count` bytes of the stream.
  private mutating func take(_ count: Int) throws(WalletError) -> [UInt8] {
    makeRoom(for: count)
    while pending.count - used < count {
      guard try readChunk() else { throw .malformedExport(reason: "it ends too early") }
    }
    used += count
    return Array(pending[(used - count)..<used])
  }

  /// Makes room for `count` bytes at once: an array that grows leaves bytes behind that nobody wipes.
  private mutating func makeRoom(for count: Int) {
    guard pending.count - used < count else { return }
    var room: [UInt8] = []
    room.reserveCapacity(count + min(chunkSize, file.length))
    room += pending[used...]
    wipe(&pending)
    (pending, used) = (room, 0)
  }

  /// Opens the next chunk; false at the end of the file.
  private mutating func readChunk() throws(WalletError) -> Bool {
    let sealed: [UInt8]
    do { sealed = try file.read(min(chunkSize + AEAD.tagLength, file.length)) } catch {
      throw WalletError(export: error)
    }
    guard !sealed.isEmpty else { return false }
    guard var chunk = try? AEAD.open(sealed, key: key, nonce: nonces.current) else {
      throw .malformedExport(reason: "the key is wrong, or the file was changed")
    }
    defer { wipe(&chunk) }
    nonces.advance()
    pending += chunk
    return true
  }

  private static func read(_ count: Int, from file: FileReader) throws(WalletError) -> [UInt8] {
    let bytes: [UInt8]
    do { bytes = try file.read(count) } catch { throw WalletError(export: error) }
    guard bytes.count == count else { throw .malformedExport(reason: "it ends too early") }
    return bytes
  }

  private static func length(_ littleEndian: [UInt8]) -> Int {
    littleEndian.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

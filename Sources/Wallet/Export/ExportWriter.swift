internal import Files
internal import Sodium

/// Writes an export: header, then the stream of records in sealed chunks. Holds one chunk at a time.
struct ExportWriter {
  private let file: FileWriter
  private let key: SecretBytes
  private let chunkSize: Int
  private var nonces: ChunkNonces
  private var pending: [UInt8] = []

  init(_ file: FileWriter, _ header: ExportHeader, key: SecretBytes) throws(WalletError) {
    self.file = file
    self.key = key
    chunkSize = header.chunkSize
    nonces = ChunkNonces(first: header.nonce)
    pending.reserveCapacity(chunkSize)
    let bytes = header.bytes
    try write(Self.littleEndian(bytes.count) + bytes)
    try append(sha256(bytes))
  }

  mutating func append(_ record: Record) throws(WalletError) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(record.packedLimit)  // an array that grows leaves its bytes behind
    defer { wipe(&bytes) }
    MessagePack.appendArray(count: 4, to: &bytes)
    for text in [record.type, record.id, record.value] { MessagePack.append(text, to: &bytes) }
    MessagePack.appendMap(count: record.tags.count, to: &bytes)
    for tag in record.tags {
      MessagePack.append(tag.name, to: &bytes)
      MessagePack.append(tag.value, to: &bytes)
    }
    try append(Self.littleEndian(bytes.count))
    try append(bytes)
  }

  /// Marks the end, and returns when the whole file is on the disk.
  mutating func finish() throws(WalletError) {
    try append(Self.littleEndian(0))
    if !pending.isEmpty { try sealPending() }
    do { try file.synchronize() } catch { throw WalletError(error) }
  }

  private mutating func append(_ bytes: [UInt8]) throws(WalletError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(chunkSize - pending.count)
      pending += piece
      rest = rest.dropFirst(piece.count)
      if pending.count == chunkSize { try sealPending() }
    }
  }

  private mutating func sealPending() throws(WalletError) {
    defer {
      wipe(&pending)
      pending.removeAll(keepingCapacity: true)
    }
    try write(AEAD.seal(pending, key: key, nonce: nonces.current))
    nonces.advance()
  }

  private func write(_ bytes: [UInt8]) throws(WalletError) {
    do { try file.write(bytes) } catch { throw WalletError(error) }
  }

  private static func littleEndian(_ count: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
  }
}

extension Record {
  /// The record takes no more bytes than this in MessagePack, which writes at most five bytes before a text or a list.
  fileprivate var packedLimit: Int {
    let texts = [type, id, value] + tags.flatMap { [$0.name, $0.value] }
    return texts.reduce(10) { $0 + $1.utf8.count + 5 }
  }
}

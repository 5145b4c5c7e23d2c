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
    let bytes = header.bytes
    try write(Self.littleEndian(bytes.count) + bytes)
    try append(sha256(bytes))
  }

  mutating func append(_ record: Record) throws(WalletError) {
    var bytes: [UInt8] = []
    MessagePack.appendArray(count: 4, to: &bytes)
    for text in [record.type, record.id, record.value] { MessagePack.append(text, to: &bytes) }
    MessagePack.appendMap(count: record.tags.count, to: &bytes)
    for tag in record.tags {
      MessagePack.append(tag.name, to: &bytes)
      MessagePack.append(tag.value, to: &bytes)
    }
    try append(Self.littleEndian(bytes.count) + bytes)
    wipe(&bytes)
  }

  /// Marks the end and returns when everything is on the disk.
  mutating func finish() throws(WalletError) {
    try append(Self.littleEndian(0))
    if !pending.isEmpty { try seal(pending) }
    wipe(&pending)
    do { try file.synchronize() } catch { throw WalletError(error) }
  }

  private mutating func append(_ bytes: [UInt8]) throws(WalletError) {
    pending += bytes
    var start = 0
    while pending.count - start >= chunkSize {
      try seal(Array(pending[start..<start + chunkSize]))
      start += chunkSize
    }
    pending.removeFirst(start)
  }

  private mutating func seal(_ chunk: [UInt8]) throws(WalletError) {
    try write(AEAD.seal(chunk, key: key, nonce: nonces.current))
    nonces.advance()
  }

  private func write(_ bytes: [UInt8]) throws(WalletError) {
    do { try file.write(bytes) } catch { throw WalletError(error) }
  }

  private static func littleEndian(_ count: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
  }
}

internal import Threading

/// Keeps the results for the first few hundred inputs, because wallets have few types and tag names.
final class Memo<Value: Sendable>: Sendable {
  private let values = Locked<[Key: Value]>([:])
  private let limit = 512

  func value<Failure: Error>(
    for input: [UInt8], _ compute: ([UInt8]) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let key = Key(bytes: input)
    if let known = values.withLock({ $0[key] }) { return known }
    let value = try compute(input)
    values.withLock { if $0.count < limit { $0[key] = value } }
    return value
  }

  /// Bytes whose hash costs less than the hash of an array, which takes its elements one by one.
  private struct Key: Hashable {
    let bytes: [UInt8]

    /// FNV-1a. Names that collide only slow down their own wallet.
    func hash(into hasher: inout Hasher) {
      hasher.combine(bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
    }
  }
}

internal import CSodium

/// Secret bytes in locked memory, wiped with the last reference.
///
/// They have no description and are compared in constant time.
package final class SecretBytes: @unchecked Sendable {
  // The memory is written only while it is created, so the class is Sendable.
  private let memory: UnsafeMutableRawPointer
  private let origin: Origin
  package let count: Int

  private enum Origin: Sendable { case slot, guarded, ordinary }

  /// Memory for `count` bytes, filled by `fill`.
  init<Failure: Error>(
    count: Int, fill: (UnsafeMutablePointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    _ = Library.ready
    (memory, origin) = Self.allocate(count)
    self.count = count
    try fill(memory.assumingMemoryBound(to: UInt8.self))
  }

  deinit {
    switch origin {
    case .slot: SecretSlots.giveBack(memory)
    case .guarded: sodium_free(memory)
    case .ordinary:
      sodium_memzero(memory, count)
      memory.deallocate()
    }
  }

  /// If the system has no more locked or guarded memory, uses ordinary memory: it can reach the swap space, but ending
  /// the process would cost the caller more.
  private static func allocate(_ count: Int) -> (UnsafeMutableRawPointer, Origin) {
    if count <= SecretSlots.size { return (SecretSlots.take(), .slot) }
    if let memory = sodium_malloc(count) { return (memory, .guarded) }
    return (.allocate(byteCount: count, alignment: 16), .ordinary)
  }

  package convenience init(random count: Int) {
    self.init(count: count) { randombytes_buf($0, count) }
  }

  /// A copy. The caller's array stays in ordinary memory, so use this only for bytes that come from outside.
  package convenience init(copying bytes: some Collection<UInt8>) {
    self.init(count: bytes.count) {
      _ = UnsafeMutableBufferPointer(start: $0, count: bytes.count).initialize(from: bytes)
    }
  }

  /// All bytes of `parts`, in their order.
  package convenience init(joining parts: [SecretBytes]) {
    self.init(count: parts.reduce(0) { $0 + $1.count }) { memory in
      var end = memory
      for part in parts {
        part.withPointer { end.initialize(from: $0, count: part.count) }
        end += part.count
      }
    }
  }

  func withPointer<Result, Failure: Error>(
    _ body: (UnsafePointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafePointer(memory.assumingMemoryBound(to: UInt8.self)))
  }

  /// The bytes in `range` as a secret of their own.
  package func slice(_ range: Range<Int>) -> SecretBytes {
    precondition(range.upperBound <= count)
    return withPointer { source in
      SecretBytes(count: range.count) { $0.initialize(from: source + range.lowerBound, count: range.count) }
    }
  }

  /// The bytes in ordinary memory, for a format that must contain them. Wipe the array with `wipe`.
  package func exposed() -> [UInt8] { withPointer { Array(UnsafeBufferPointer(start: $0, count: count)) } }

  /// The bytes as text in UTF-8, in ordinary memory that nobody wipes, for interfaces that accept only such text.
  package var text: String {
    withPointer { String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self) }
  }
}

extension SecretBytes: Equatable {
  package static func == (left: SecretBytes, right: SecretBytes) -> Bool {
    left.count == right.count && sodium_memcmp(left.memory, right.memory, left.count) == 0
  }
}

/// Overwrites bytes that held a secret.
package func wipe(_ bytes: inout [UInt8]) {
  sodium_memzero(&bytes, bytes.count)
}

internal import Threading

/// The objects of one kind, each in its own lane, by handle.
final class HandleTable<Object>: Sendable {
  private let lanes = Locked([UInt32: Lane<Object>]())
  private let counter: HandleCounter
  private let code: ErrorCode
  private let kind: String

  /// `code` is the error for an unknown handle; `kind` names the objects in the error's text.
  init(missing code: ErrorCode, kind: String, counter: HandleCounter = .shared) {
    self.code = code
    self.kind = kind
    self.counter = counter
  }

  /// Adds an object and returns its handle.
  func insert(_ object: sending Object) throws(VCXError) -> UInt32 {
    let handle = try counter.next()
    let lane = Lane(object)
    lanes.withLock { $0[handle] = lane }
    return handle
  }

  subscript(_ handle: UInt32) -> Lane<Object>? {
    lanes.withLock { $0[handle] }
  }

  /// Removes the object. Running and waiting operations keep it alive until they end. Returns false for an unknown
  /// handle.
  @discardableResult
  func remove(_ handle: UInt32) -> Bool {
    let lane = lanes.withLock { $0.removeValue(forKey: handle) }  // and freed outside of the lock
    return lane != nil
  }

  func removeAll() {
    let all = lanes.withLock { lanes in
      defer { lanes = [:] }
      return lanes
    }
    _ = consume all
  }

  /// The name of an object in the log.
  func name(of handle: UInt32) -> String { "\(kind) \(handle)" }

  /// The error for an unknown handle.
  func missing(_ handle: UInt32) -> VCXError { VCXError(code, "no \(kind) has the handle \(handle)") }
}

/// Numbers the objects of all kinds from 1, each number once, since programs keep handles of all kinds in one
/// dictionary.
final class HandleCounter: Sendable {
  static let shared = HandleCounter()

  private let last: Locked<UInt32>

  init(after last: UInt32 = 0) { self.last = Locked(last) }

  /// The largest number is the largest handle of a search, which is signed.
  func next() throws(VCXError) -> UInt32 {
    try last.withLock { (last) throws(VCXError) in
      guard last < UInt32(Int32.max) else { throw VCXError(.objectCacheError, "all handles have been given out") }
      last += 1
      return last
    }
  }
}

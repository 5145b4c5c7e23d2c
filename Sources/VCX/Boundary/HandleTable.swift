internal import Threading

/// The objects of one kind, each in its lane, found by number.
final class HandleTable<Object>: Sendable {
  private let lanes = Locked([UInt32: Lane<Object>]())
  private let counter: HandleCounter
  private let code: ErrorCode
  private let kind: String

  /// `code` is the error for a handle that is not here, `kind` the word for the objects in its text.
  init(missing code: ErrorCode, kind: String, counter: HandleCounter = .shared) {
    self.code = code
    self.kind = kind
    self.counter = counter
  }

  /// Takes an object in and gives its handle.
  func insert(_ object: sending Object) throws(VCXError) -> UInt32 {
    let handle = try counter.next()
    let lane = Lane(object)
    lanes.withLock { $0[handle] = lane }
    return handle
  }

  subscript(_ handle: UInt32) -> Lane<Object>? {
    lanes.withLock { $0[handle] }
  }

  /// Forgets the object. Operations that run or wait keep it alive until they are done. False when it is not here.
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

  /// How the log names an object.
  func name(of handle: UInt32) -> String { "\(kind) \(handle)" }

  /// The error for a handle that is not here.
  func missing(_ handle: UInt32) -> VCXError { VCXError(code, "no \(kind) has the handle \(handle)") }
}

/// Numbers the objects of all kinds: from 1, each number once. Programs keep handles of all kinds in one dictionary.
final class HandleCounter: Sendable {
  static let shared = HandleCounter()

  private let last: Locked<UInt32>

  init(after last: UInt32 = 0) { self.last = Locked(last) }

  /// Ends at the largest number that also is a search handle, which has a sign.
  func next() throws(VCXError) -> UInt32 {
    try last.withLock { (last) throws(VCXError) in
      guard last < UInt32(Int32.max) else { throw VCXError(.objectCacheError, "all handles have been given out") }
      last += 1
      return last
    }
  }
}

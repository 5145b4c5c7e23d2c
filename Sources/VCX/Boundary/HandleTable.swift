internal import MSDK
internal import Threading

/// The objects of one kind, each in its own lane, by handle. Each belongs to the agent that was current when it was made.
final class HandleTable<Object>: Sendable {
  /// An object and its agent.
  struct Entry: Sendable {
    let lane: Lane<Object>
    let owner: Agent
  }

  private let entries = Locked([UInt32: Entry]())
  private let counter: HandleCounter
  private let code: ErrorCode
  private let kind: String

  /// `code` is the error for an unknown handle; `kind` names the objects in the error's text.
  init(missing code: ErrorCode, kind: String, counter: HandleCounter = .shared) {
    self.code = code
    self.kind = kind
    self.counter = counter
  }

  /// Adds an object of the current agent and returns its handle. Throws if the agent is closed.
  func insert(_ object: sending Object) throws(VCXError) -> UInt32 {
    let handle = try counter.next()
    let entry = Entry(lane: Lane(object), owner: CurrentAgent.value)
    let isKept = entries.withLock { entries in
      guard !entry.owner.isClosed else { return false }  // its objects are removed, or will be
      entries[handle] = entry
      return true
    }
    guard isKept else { throw VCXError(SessionError.closed) }
    return handle
  }

  subscript(_ handle: UInt32) -> Entry? {
    entries.withLock { $0[handle] }
  }

  /// The object's lane, for a call that works for `agent`. Throws if the handle is unknown, or the object another agent's.
  func lane(of handle: UInt32, for agent: Agent) throws(VCXError) -> Lane<Object> {
    guard let entry = self[handle] else { throw missing(handle) }
    guard entry.owner === agent else {
      throw VCXError(code, "\(name(of: handle)) belongs to another agent than the call's first object")
    }
    return entry.lane
  }

  /// Removes the object. Running and waiting operations keep it alive until they end. Returns false for an unknown
  /// handle.
  @discardableResult
  func remove(_ handle: UInt32) -> Bool {
    let entry = entries.withLock { $0.removeValue(forKey: handle) }  // and freed outside of the lock
    return entry != nil
  }

  /// Removes the objects of an agent.
  func removeAll(of agent: Agent) {
    let removed = entries.withLock { entries in
      let removed = entries.filter { $0.value.owner === agent }
      for handle in removed.keys { entries[handle] = nil }
      return removed
    }
    _ = consume removed  // freed outside of the lock
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

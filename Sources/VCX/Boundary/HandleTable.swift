internal import MSDK
internal import Threading

/// The objects of one kind, each in its own lane, by handle. Each belongs to the agent that was current when it was made.
final class HandleTable<Object>: Sendable {
  /// An object and its agent.
  struct Entry: Sendable {
    let lane: Lane<Object>
    let owner: Agent
    /// The id under which the owner's wallet keeps the object, if it does.
    fileprivate(set) var keptID: String?
  }

  private let entries = Locked(Entries())
  private let keeper: Keeper<Object>?
  private let counter: HandleCounter
  private let code: ErrorCode
  private let kind: String

  /// `code` is the error for an unknown handle; `kind` names the objects in the error's text. `keeper` keeps the objects in
  /// the wallet.
  init(missing code: ErrorCode, kind: String, keeper: Keeper<Object>? = nil, counter: HandleCounter = .shared) {
    self.code = code
    self.kind = kind
    self.keeper = keeper
    self.counter = counter
  }

  /// Adds an object of the current agent and returns its handle. The wallet keeps the object then, if the configuration asks
  /// for it. Throws if the agent is closed, or the wallet cannot keep the object.
  func insert(_ object: sending Object) throws(VCXError) -> UInt32 {
    var object = object
    let agent = CurrentAgent.value
    guard let keeper else { return try add(Entry(lane: Lane(object), owner: agent)) }
    if let id = keeper.id(object), isOpen(id, of: agent) { keeper.separate(&object) }
    let keptID = try keeper.keep(&object, agent)
    return try add(Entry(lane: Lane(object), owner: agent, keptID: keptID))
  }

  private func add(_ entry: Entry) throws(VCXError) -> UInt32 {
    let handle = try counter.next()
    guard entries.withLock({ $0.add(entry, as: handle) }) else { throw VCXError(SessionError.closed) }
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

  /// Brings the wallet's record of an object up to date, if its agent keeps objects.
  func keep(_ object: inout Object, of handle: UInt32, for agent: Agent) throws(VCXError) {
    guard let keeper, let id = try keeper.keep(&object, agent) else { return }
    entries.withLock { $0.note(id, of: handle) }
  }

  /// Gives a handle to an object of the current agent's wallet: to the object that is open already, or else to the one that
  /// `restore` returns.
  func open(_ id: String, _ restore: () throws(VCXError) -> Object) throws(VCXError) -> UInt32 {
    let agent = CurrentAgent.value
    let lane = isOpen(id, of: agent) ? nil : try Lane(restore())
    let handle = try counter.next()
    let isAdded = entries.withLock { entries in
      // Another thread may have opened or released the object meanwhile.
      guard let lane = entries.entries(keptAs: id, of: agent).last?.value.lane ?? lane else { return nil as Bool? }
      return entries.add(Entry(lane: lane, owner: agent, keptID: id), as: handle)
    }
    guard let isAdded else { return try open(id, restore) }
    guard isAdded else { throw VCXError(SessionError.closed) }
    return handle
  }

  private func isOpen(_ id: String, of agent: Agent) -> Bool {
    entries.withLock { !$0.entries(keptAs: id, of: agent).isEmpty }
  }

  /// Removes the handles of an agent's object that the wallet keeps under an id. Returns the lanes of the object.
  func removeAll(keptAs id: String, of agent: Agent) -> [Lane<Object>] {
    entries.withLock { entries in
      entries.entries(keptAs: id, of: agent).map { handle, entry in
        _ = entries.remove(handle)
        return entry.lane
      }
    }
  }

  /// Removes the object. Running and waiting operations keep it alive until they end. Returns false for an unknown
  /// handle.
  @discardableResult
  func remove(_ handle: UInt32) -> Bool {
    let entry = entries.withLock { $0.remove(handle) }  // and freed outside of the lock
    return entry != nil
  }

  /// Removes the objects of an agent.
  func removeAll(of agent: Agent) {
    let removed = entries.withLock { entries in entries.handles(of: agent).map { entries.remove($0) } }
    _ = consume removed  // freed outside of the lock
  }

  /// The name of an object in the log.
  func name(of handle: UInt32) -> String { "\(kind) \(handle)" }

  /// The error for an unknown handle.
  func missing(_ handle: UInt32) -> VCXError { VCXError(code, "no \(kind) has the handle \(handle)") }
}

extension HandleTable {
  /// The entries by handle, and the handles by record.
  private struct Entries: Sendable {
    private var entries: [UInt32: Entry] = [:]
    private var handles: [String: Set<UInt32>] = [:]

    subscript(_ handle: UInt32) -> Entry? { entries[handle] }

    /// Returns false if the owner is closed: its objects are removed, or will be.
    mutating func add(_ entry: Entry, as handle: UInt32) -> Bool {
      guard !entry.owner.isClosed else { return false }
      entries[handle] = entry
      if let id = entry.keptID { handles[id, default: []].insert(handle) }
      return true
    }

    mutating func remove(_ handle: UInt32) -> Entry? {
      guard let entry = entries.removeValue(forKey: handle) else { return nil }
      if let id = entry.keptID { forget(id, of: handle) }
      return entry
    }

    /// Notes the record of an object.
    mutating func note(_ id: String, of handle: UInt32) {
      guard let former = entries[handle], former.keptID != id else { return }
      if let id = former.keptID { forget(id, of: handle) }
      entries[handle]?.keptID = id
      handles[id, default: []].insert(handle)
    }

    private mutating func forget(_ id: String, of handle: UInt32) {
      handles[id]?.remove(handle)
      if handles[id]?.isEmpty == true { handles[id] = nil }
    }

    func handles(of agent: Agent) -> [UInt32] { entries.filter { $0.value.owner === agent }.map(\.key) }

    /// The entries of an agent's object that the wallet keeps under an id, the newest last.
    func entries(keptAs id: String, of agent: Agent) -> [(key: UInt32, value: Entry)] {
      (handles[id] ?? []).sorted().compactMap { handle in
        entries[handle].flatMap { $0.owner === agent ? (handle, $0) : nil }
      }
    }
  }
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

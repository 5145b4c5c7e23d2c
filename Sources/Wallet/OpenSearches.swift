internal import Threading

/// The searches of a wallet that hold a snapshot open.
final class OpenSearches: Sendable {
  private let state = Locked(State())

  /// How many writes a snapshot lives through. As long as it is there, the write-ahead log only grows.
  private static let patience = 1000

  /// How many may hold one: each has open files, of which a process has few.
  private static let limit = 16

  private struct State: Sendable {
    var searches: [Reference] = []
    var writes = 0
  }

  private struct Reference: Sendable { weak let search: Search? }

  /// Of too many, the oldest ends its snapshot.
  func add(_ search: Search) {
    guard search.holdsSnapshot else { return }
    let oldest = state.withLock { state in
      state.searches.removeAll { $0.search == nil }
      state.searches.append(Reference(search: search))
      return state.searches.count > Self.limit ? state.searches.removeFirst().search : nil
    }
    oldest?.detach()
  }

  /// To be called after each write. Now and then it ends all snapshots.
  func noteWrite() {
    let isDue = state.withLock { state in
      state.writes += 1
      return state.writes.isMultiple(of: Self.patience)
    }
    if isDue { detachAll() }
  }

  /// Ends all snapshots; what the searches still have to deliver is read into memory.
  func detachAll() {
    let open = state.withLock { state in
      defer { state.searches = [] }
      return state.searches.compactMap(\.search)
    }
    for search in open { search.detach() }
  }
}

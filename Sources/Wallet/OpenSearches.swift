internal import Threading

/// The searches of a wallet that hold a snapshot open.
final class OpenSearches: Sendable {
  private let state = Locked(State())

  /// The number of writes for which a snapshot lives. Until it ends, the write-ahead log only grows.
  private static let patience = 1000

  /// The highest number of snapshots: each has open files, of which a process has few.
  private static let limit = 16

  private struct State: Sendable {
    var searches: [Reference] = []
    var writes = 0
  }

  private struct Reference: Sendable { weak let search: Search? }

  /// Adds a search. If there are too many, the oldest ends its snapshot.
  func add(_ search: Search) {
    guard search.holdsSnapshot else { return }
    let oldest = state.withLock { state in
      state.searches.removeAll { $0.search == nil }
      state.searches.append(Reference(search: search))
      return state.searches.count > Self.limit ? state.searches.removeFirst().search : nil
    }
    oldest?.detach()
  }

  /// Counts a write, and from time to time ends all snapshots.
  func noteWrite() {
    let isDue = state.withLock { state in
      state.writes += 1
      return state.writes.isMultiple(of: Self.patience)
    }
    if isDue { detachAll() }
  }

  /// Ends all snapshots; reads the remaining results of the searches into memory.
  func detachAll() {
    let open = state.withLock { state in
      defer { state.searches = [] }
      return state.searches.compactMap(\.search)
    }
    for search in open { search.detach() }
  }
}

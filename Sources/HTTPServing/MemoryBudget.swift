internal import Threading

/// The memory for the bodies of requests and answers that are underway: of all parties, and of one. A party is a client or
/// an account.
final class MemoryBudget: Sendable {
  private struct State {
    var all = 0
    var byParty: [String: Int] = [:]
  }

  private let state = Locked(State())
  private let limit: Int
  private let limitPerParty: Int

  init(limit: Int, limitPerParty: Int) {
    self.limit = limit
    self.limitPerParty = limitPerParty
  }

  /// The most that one body may take. A longer one counts as this much: otherwise nobody could ever have it.
  var most: Int { min(limit, limitPerParty) }

  /// Takes so many bytes, for a party or for a client of many who share an address. Returns false if too few are left.
  func take(_ count: Int, for party: String?) -> Bool {
    state.withLock { state in
      let own = party.flatMap { state.byParty[$0] } ?? 0
      guard state.all + count <= limit, party == nil || own + count <= limitPerParty else { return false }
      state.all += count
      if let party { state.byParty[party] = own + count }
      return true
    }
  }

  func giveBack(_ count: Int, of party: String?) {
    guard count > 0 else { return }
    state.withLock { state in
      state.all -= count
      guard let party, let own = state.byParty[party] else { return }
      state.byParty[party] = own > count ? own - count : nil
    }
  }
}

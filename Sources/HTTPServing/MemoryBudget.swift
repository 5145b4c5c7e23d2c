internal import Threading

/// The memory for the bodies of unfinished requests and answers: a limit for all parties together, and a limit for
/// each. A party is a client, an account, or an address that receives answers.
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

  /// The most that one body may take. A longer body counts as this much, because otherwise no client could ever receive
  /// it.
  var most: Int { min(limit, limitPerParty) }

  /// Takes so many bytes, and charges each of these parties; there is none if many clients share an address. Returns
  /// false, and takes nothing, if too few bytes are left.
  func take(_ count: Int, for parties: [String]) -> Bool {
    state.withLock { state in
      guard state.all + count <= limit,
        parties.allSatisfy({ state.byParty[$0, default: 0] + count <= limitPerParty })
      else { return false }
      state.all += count
      for party in parties { state.byParty[party, default: 0] += count }
      return true
    }
  }

  func giveBack(_ count: Int, of parties: [String]) {
    guard count > 0 else { return }
    state.withLock { state in
      state.all -= count
      for party in parties {
        let own = state.byParty[party, default: 0]
        state.byParty[party] = own > count ? own - count : nil
      }
    }
  }
}

internal import Threading

/// The memory for the bodies of requests and answers that are underway: of all parties, and of one. A party is a client, or
/// an account, or an address that receives answers.
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

  /// Takes so many bytes, at the expense of each of these parties; of none for a client of many who share an address.
  /// Returns false, and takes nothing, if too few are left.
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

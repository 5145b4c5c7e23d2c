internal import Threading

/// One exchange's part of a server's memory: first for the request's body, then for the answer's.
package final class MemoryShare: Sendable {
  private struct Part {
    var count = 0
    var parties: [String] = []
  }

  private struct Parts {
    var body: Part
    /// Nil until memory is reserved for the answer.
    var answer: Part?
  }

  private let budget: MemoryBudget
  private let parts: Locked<Parts>

  /// `client` is charged for the body; nil if many clients share its address.
  init(of client: String?, in budget: MemoryBudget) {
    self.budget = budget
    parts = Locked(Parts(body: Part(parties: client.map { [$0] } ?? [])))
  }

  deinit { giveBack() }

  /// The number of bytes that the body holds.
  var body: Int { parts.withLock { $0.body.count } }

  /// Enlarges the part of the body. Returns false, and changes nothing, if too little memory is left.
  func growBody(to count: Int) -> Bool {
    parts.withLock { parts in
      guard budget.take(count - parts.body.count, for: parts.body.parties) else { return false }
      parts.body.count = count
      return true
    }
  }

  /// Reserves memory for an answer before it is made, and charges each of these parties for it. Returns false if all
  /// parties together, or one party, have too little left; the caller should then refuse the request.
  package func reserveAnswer(_ count: Int, for parties: [String]) -> Bool {
    let count = min(count, budget.most)
    return parts.withLock { parts in
      budget.giveBack(parts.answer?.count ?? 0, of: parts.answer?.parties ?? [])
      parts.answer = nil
      guard budget.take(count, for: parties) else { return false }
      parts.answer = Part(count: count, parties: parties)
      return true
    }
  }

  /// Replaces the body by the finished answer, which has so many bytes, at most as many as were reserved. Without a
  /// reservation, the client is charged. Returns false if too little memory is left.
  func keepAnswer(_ count: Int) -> Bool {
    parts.withLock { parts in
      let isReserved = parts.answer != nil
      if isReserved { budget.giveBack(parts.body.count, of: parts.body.parties) }
      var kept = parts.answer ?? parts.body
      (parts.body.count, parts.answer) = (0, nil)
      let needed = isReserved ? min(count, kept.count) : min(count, budget.most)
      let isFitting = needed <= kept.count || budget.take(needed - kept.count, for: kept.parties)
      if isFitting, needed < kept.count { budget.giveBack(kept.count - needed, of: kept.parties) }
      if isFitting { kept.count = needed }
      parts.answer = kept
      return isFitting
    }
  }

  /// Returns all memory to the budget.
  func giveBack() {
    parts.withLock { parts in
      budget.giveBack(parts.body.count, of: parts.body.parties)
      budget.giveBack(parts.answer?.count ?? 0, of: parts.answer?.parties ?? [])
      parts.body.count = 0
      parts.answer = nil
    }
  }
}

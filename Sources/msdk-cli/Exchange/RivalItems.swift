/// The items of a request that must not have one credential in common: the engine proves no condition on an attribute that the
/// same credential shows.
struct RivalItems {
  private let wanted: [WantedItem]
  /// For each item the rivals, which show an attribute that it compares, or compare one that it shows.
  private let rivals: [[Int]]

  init(_ wanted: [WantedItem]) {
    self.wanted = wanted
    rivals = wanted.map { item in
      wanted.indices.filter { wanted[$0].sharesName(with: item) || item.sharesName(with: wanted[$0]) }
    }
  }

  /// Gives rivals different credentials, if they have enough. The comparisons make way for the shown values.
  func separate(_ answers: inout [ProofChoice.Answer], uses: [String: Int]) {
    for group in groups(of: answers) {
      let order = group.sorted { (wanted[$0].condition == nil ? 0 : 1, $0) < (wanted[$1].condition == nil ? 0 : 1, $1) }
      var search = Search(order: order, rivals: rivals, candidates: wanted.map { $0.answers(uses: uses) })
      for index in order { answers[index] = search.found?[index] ?? answers[index] }
    }
  }

  /// The items that credentials answer, in groups: items of different groups are no rivals.
  private func groups(of answers: [ProofChoice.Answer]) -> [[Int]] {
    var seen: Set<Int> = []
    return wanted.indices.compactMap { start in
      guard !rivals[start].isEmpty, answers[start].credentialID != nil, seen.insert(start).inserted else { return nil }
      var group = [start]
      var next = 0
      while next < group.count {
        group += rivals[group[next]].filter { answers[$0].credentialID != nil && seen.insert($0).inserted }
        next += 1
      }
      return group
    }
  }

  /// A search for different credentials of rivals, which tries the best ones first. It takes no credential that leaves nothing
  /// for a rival.
  private struct Search {
    let order: [Int]
    let rivals: [[Int]]
    let candidates: [[ProofChoice.Answer]]
    private var chosen: [Int: ProofChoice.Answer] = [:]
    /// The attempts that are left: a verifier may ask for so many items that all of them would take years.
    private var attempts = 10_000

    init(order: [Int], rivals: [[Int]], candidates: [[ProofChoice.Answer]]) {
      (self.order, self.rivals, self.candidates) = (order, rivals, candidates)
    }

    /// The answers by their items; nil if the search finds none.
    var found: [Int: ProofChoice.Answer]? {
      mutating get { assign(from: 0) ? chosen : nil }
    }

    private mutating func assign(from place: Int) -> Bool {
      guard place < order.count else { return true }
      let index = order[place]
      let taken = Set(rivals[index].compactMap { chosen[$0]?.credentialID })
      for answer in candidates[index] where answer.credentialID.map({ !taken.contains($0) }) ?? true {
        attempts -= 1
        guard attempts > 0 else { return false }
        chosen[index] = answer
        if rivals[index].allSatisfy(isAnswerable), assign(from: place + 1) { return true }
      }
      chosen[index] = nil
      return false
    }

    /// Whether an item has an answer, or a credential that no rival has.
    private func isAnswerable(_ index: Int) -> Bool {
      guard chosen[index] == nil, !candidates[index].isEmpty else { return true }
      let taken = Set(rivals[index].compactMap { chosen[$0]?.credentialID })
      return candidates[index].contains { $0.credentialID.map { !taken.contains($0) } ?? true }
    }
  }
}

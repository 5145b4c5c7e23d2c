internal import Threading

/// The memory for bodies of unanswered requests: of all clients, and of one.
final class BodyBudget: Sendable {
  private struct State {
    var all = 0
    var byClient: [String: Int] = [:]
  }

  private let state = Locked(State())
  private let limit: Int
  private let limitPerClient: Int

  init(limit: Int, limitPerClient: Int) {
    self.limit = limit
    self.limitPerClient = limitPerClient
  }

  /// Takes so many bytes, for a client or for one of many who share an address. Returns false if too few are left.
  func take(_ count: Int, for client: String?) -> Bool {
    state.withLock { state in
      let own = client.flatMap { state.byClient[$0] } ?? 0
      guard state.all + count <= limit, client == nil || own + count <= limitPerClient else { return false }
      state.all += count
      if let client { state.byClient[client] = own + count }
      return true
    }
  }

  func giveBack(_ count: Int, of client: String?) {
    guard count > 0 else { return }
    state.withLock { state in
      state.all -= count
      guard let client, let own = state.byClient[client] else { return }
      state.byClient[client] = own > count ? own - count : nil
    }
  }
}

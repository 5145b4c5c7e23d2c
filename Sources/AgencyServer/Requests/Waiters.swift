internal import Threading

/// The places for clients that wait for messages.
package final class Waiters: Sendable {
  /// The numbers of places. A waiting request takes one place for each 2 KiB of memory that it needs.
  package struct Limits: Sendable {
    package var all = 10_000
    package var perAccount = 8
    package var perAddress = 256

    /// The highest number of seconds for which a client waits. Reverse proxies give up after a minute.
    package var seconds = 50
  }

  private struct Waiter {
    /// The user's DIDs of the mailboxes; the client waits for all mailboxes of the account if the set is empty.
    let pairwiseDIDs: Set<String>
    /// The number of the last message that the client knows.
    let last: Int64
    let places: Int
    let address: String?
    let alarm: Alarm

    init(_ selection: MessageSelection, _ visitor: Visitor) {
      let dids: [String] =
        switch selection.scope {
        case .mailbox(let mailbox): [mailbox.forDID.text]
        case .agent(_, let pairwiseDIDs): pairwiseDIDs
        }
      let texts = dids + selection.filter.uids + selection.filter.statusCodes
      pairwiseDIDs = Set(dids)
      last = selection.after
      places = 1 + texts.reduce(0) { $0 + $1.utf8.count + 32 } / 2048
      address = visitor.address
      alarm = Alarm()
    }

    func waits(for arrival: Arrival) -> Bool {
      (pairwiseDIDs.isEmpty || pairwiseDIDs.contains(arrival.pairwiseDID)) && arrival.messageID ?? .max > last
    }
  }

  private struct State {
    var taken = 0
    var byAddress: [String: Int] = [:]
    var byAccount: [Int64: [Waiter]] = [:]
  }

  private let state = Locked(State())
  private let limits: Limits

  init(_ limits: Limits) { self.limits = limits }

  /// The number of taken places.
  var count: Int { state.withLock { $0.taken } }

  /// Takes a place, and listens for arrivals from now on. Returns nil if all places are taken, or all places of the
  /// account or of the address.
  func enter(_ selection: MessageSelection, from visitor: Visitor) -> WaitingPlace? {
    let waiter = Waiter(selection, visitor)
    let hasRoom = state.withLock { state in
      let own = state.byAccount[selection.accountID] ?? []
      let ofAddress = waiter.address.flatMap { state.byAddress[$0] } ?? 0
      guard state.taken + waiter.places <= limits.all, ofAddress + waiter.places <= limits.perAddress,
        own.reduce(waiter.places, { $0 + $1.places }) <= limits.perAccount
      else { return false }
      state.taken += waiter.places
      if let address = waiter.address { state.byAddress[address] = ofAddress + waiter.places }
      state.byAccount[selection.accountID] = own + [waiter]
      return true
    }
    return hasRoom ? WaitingPlace(of: selection.accountID, alarm: waiter.alarm, in: self) : nil
  }

  fileprivate func leave(_ place: WaitingPlace) {
    state.withLock { state in
      guard var own = state.byAccount[place.accountID],
        let index = own.firstIndex(where: { $0.alarm === place.alarm })
      else { return }
      let waiter = own.remove(at: index)
      state.byAccount[place.accountID] = own.isEmpty ? nil : own
      state.taken -= waiter.places
      if let address = waiter.address, let count = state.byAddress[address] {
        state.byAddress[address] = count > waiter.places ? count - waiter.places : nil
      }
    }
  }

  /// Wakes the clients that wait for these messages.
  func hear(of arrivals: [Arrival]) {
    let alarms = state.withLock { state in
      arrivals.flatMap { arrival in
        (state.byAccount[arrival.accountID] ?? []).filter { $0.waits(for: arrival) }.map(\.alarm)
      }
    }
    for alarm in alarms { alarm.ring() }
  }
}

/// The place of one waiting client. The place is free again when the last reference goes.
final class WaitingPlace: Sendable {
  let accountID: Int64
  let alarm: Alarm
  private let waiters: Waiters

  fileprivate init(of accountID: Int64, alarm: Alarm, in waiters: Waiters) {
    self.accountID = accountID
    self.alarm = alarm
    self.waiters = waiters
  }

  deinit { waiters.leave(self) }
}

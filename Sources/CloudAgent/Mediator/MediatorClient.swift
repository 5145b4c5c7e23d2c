package import Aries
package import DIDComm
package import JSON
internal import Logging
internal import Sodium
internal import Threading
package import WebSocket

/// A Cloud Agent at a mediator of Aries (coordinate-mediation 1.0, RFC 0211).
package final class MediatorClient: CloudAgent {
  let channel: MediatorChannel
  let grant: MediationGrant
  let directory: any MailboxDirectory
  /// Puts envelopes on the disk that come together with an answer.
  let keep: @Sendable ([JSON]) throws -> Void
  let collecting = Locked(Collecting())
  let calls = Locked(0)
  /// The keys in updates of the mediator's list that are on their way. A key is in one update at a time: ACA-Py enters a key
  /// twice that two updates add at the same moment, and passes no message on to it.
  private let updating = Monitor<Set<VerKey>>([])
  /// Whether the mediator has shown that it knows live delivery.
  private let speaksPickup2 = Locked(false)
  /// Makes a WebSocket to the mediator, which is not open yet; nil if the mediator has none.
  let openSocket: (@Sendable () throws -> WebSocketConnection)?

  package init(
    channel: MediatorChannel, grant: MediationGrant, directory: any MailboxDirectory,
    over openSocket: (@Sendable () throws -> WebSocketConnection)? = nil,
    keeping keep: @escaping @Sendable ([JSON]) throws -> Void
  ) {
    self.openSocket = openSocket
    self.channel = channel
    self.grant = grant
    self.directory = directory
    self.keep = keep
  }

  var dialogue: MediatorDialogue { MediatorDialogue(channel: channel, keep: keep) }

  /// The name of this client's mailboxes. Mailboxes at another mediator, or of another client, have another name.
  private var name: String { "mediator:" + channel.own.did.text }

  /// Registers the key at the mediator, which accepts a repetition.
  package func openMailbox(for key: VerKey) throws -> Mailbox {
    try requireUpdate(.add, of: key)
    return mailbox(for: key)
  }

  package func mailbox(for key: VerKey) -> Mailbox { Mailbox(key: key, name: name) }

  package func closeMailbox(_ mailbox: Mailbox) throws {
    guard mailbox.name == name else { return }
    try requireUpdate(.remove, of: mailbox.key)
  }

  package func service(of mailbox: Mailbox) throws -> Service {
    guard mailbox.name == name else { throw CloudAgentError.unknownMailbox(mailbox.pairwiseDID) }
    return Service(recipientKeys: [mailbox.key], routingKeys: grant.routingKeys, endpoint: grant.endpoint)
  }

  /// Throws if the mediator does not answer, or has forgotten the client. Returns nil, because mediators do not tell
  /// the time.
  @discardableResult
  package func checkHealth() throws -> Int64? {
    _ = try dialogue.ask(TrustPing(id: .randomUUID(), responseRequested: true).json) { message -> Bool? in
      switch message {
      case .other(.pingResponse), .other(.problemReport): true
      case .grant, .denial, .keylist, .status, .delivery, .other: nil
      }
    }
    return nil
  }

  package var access: MessageAccess { .collected(from: self) }

  package var notifier: (any Notifier)? { self }

  package var announcer: (any Announcer)? { openSocket == nil ? nil : self }

  var offersLiveDelivery: Bool { speaksPickup2.withLock { $0 } }

  func note(_ way: PickupWay) { speaksPickup2.withLock { $0 = way == .acknowledged } }
}

// MARK: - The list of keys

extension MediatorClient {
  /// The highest number of keys in one update.
  private static let maximumUpdate = 100

  /// Changes the mediator's list of keys, once no other update has one of these keys. Returns the keys that the mediator has
  /// refused, with its reasons.
  private func update(_ action: KeylistUpdate.Action, _ keys: [VerKey]) throws -> [(key: VerKey, reason: String)] {
    updating.wait { updating -> Void? in
      guard updating.isDisjoint(with: keys) else { return nil }
      updating.formUnion(keys)
      return ()
    }
    defer { updating.withLock { $0.subtract(keys) } }
    let update = KeylistUpdate(id: .randomUUID(), action, keys)
    let results = try dialogue.ask(update.json) { message -> [KeylistAnswer.Result]? in
      switch message {
      case .keylist(let answer): return answer.results(of: update)
      case .other(.problemReport(let report)): throw CloudAgentError.denied(report.reason)
      case .grant, .denial, .status, .delivery, .other: return nil
      }
    }
    let changes = results.count { $0.isChange }
    Log.debug("the mediator's list of keys: \(action.rawValue) \(keys.count), \(changes) changed")
    return keys.compactMap { key in
      let result = results.first { $0.key == key }
      return result?.isDone == true ? nil : (key, result?.result ?? "no answer")
    }
  }

  private func requireUpdate(_ action: KeylistUpdate.Action, of key: VerKey) throws {
    guard let refused = try update(action, [key]).first else { return }
    throw CloudAgentError.denied("it cannot \(action.rawValue) the key of \(key.did): \(refused.reason)")
  }

  /// Registers the keys of all mailboxes again. Few mediators list their keys, and none tells that it has lost some. A
  /// refused key does not affect the other mailboxes.
  func registerAll() throws {
    let keys = try directory.mailboxes(of: []).filter { $0.name == name }.map(\.key)
    for start in stride(from: 0, to: keys.count, by: Self.maximumUpdate) {
      for refused in try update(.add, Array(keys[start..<min(start + Self.maximumUpdate, keys.count)])) {
        Log.error("the mediator does not take the key of \(refused.key.did): \(refused.reason)")
      }
    }
  }
}

extension ProblemReport {
  /// The reason for the user: the text, and the code.
  var reason: String {
    let text = json["description"]?["en"]?.string ?? json["explain"]?.string
    return String([text, code].compactMap(\.self).joined(separator: ", ").prefix(256))
  }
}

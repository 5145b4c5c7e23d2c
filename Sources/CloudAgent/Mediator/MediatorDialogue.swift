internal import Aries
internal import JSON
internal import Logging
internal import Sodium

/// Requests to a mediator and their answers. An answer may come in the response to another request, or not at all.
/// Messages of peers may come in its place: `keep` puts them on the disk.
struct MediatorDialogue {
  let channel: MediatorChannel
  let keep: ([JSON]) throws -> Void

  /// The number of repetitions without any message after which the wait for an answer ends.
  private static let patience = 8
  /// The number of repetitions after which the wait ends in any case. Each repetition may bring a waiting message in
  /// place of the answer.
  private static let maximumRepetitions = 20_000
  /// So many deliveries may lie inside of one another.
  private static let maximumDepth = 3

  /// Sends a message. Returns the mediator's messages, also the messages inside of deliveries, and the envelopes of
  /// peers, which are on the disk by then.
  func exchange(_ message: JSON) throws -> [PickupRun.Answer] {
    try receive(channel.exchange(message))
  }

  /// The mediator's messages in bytes that it sends by itself, as `exchange` returns them.
  func receive(_ bytes: [UInt8]) throws -> [PickupRun.Answer] {
    try receive([channel.read(bytes)])
  }

  private func receive(_ incoming: [MediatorChannel.Incoming]) throws -> [PickupRun.Answer] {
    let answers = incoming.map(answer)
    let (envelopes, late) = try sorted(answers)
    if !envelopes.isEmpty { try keep(envelopes) }
    return answers + late.map(PickupRun.Answer.message)
  }

  /// Sends a request until `read` finds its answer among the mediator's messages. A repeated request must have no
  /// further effect at the mediator. Throws if no answer comes.
  func ask<Result>(_ request: JSON, _ read: (MediatorMessage) throws -> Result?) throws -> Result {
    var (misses, unusable) = (0, 0)
    for _ in 0..<Self.maximumRepetitions where misses < Self.patience && unusable < PickupRun.patienceForUnusable {
      let answers = try exchange(request)
      for case .message(let message) in answers {
        if let result = try read(message) { return result }
      }
      if answers.contains(.unusable) {
        unusable += 1
      } else {
        misses = answers.contains { if case .envelope = $0 { true } else { false } } ? 0 : misses + 1
      }
    }
    throw CloudAgentError.invalidAnswer("there is none: does the mediator still know this client?")
  }

  private func answer(_ incoming: MediatorChannel.Incoming) -> PickupRun.Answer {
    switch incoming {
    case .envelope(let envelope): return .envelope(envelope)
    case .unusable: return .unusable
    case .message(let json, let sender, let envelope):
      // The client's key may also be that of the public DID, to which anybody writes.
      guard channel.isMediator(sender) else { return .envelope(envelope) }
      do { return .message(try MediatorMessage(json)) } catch {
        Log.warning("a message of the mediator cannot be used: \(error)")
        return .unusable
      }
    }
  }

  /// The envelopes in answers and in the deliveries among them, and the mediator's own messages inside of these deliveries.
  ///
  /// A late delivery may itself come inside of a delivery. Its envelopes count too, because the line acknowledges it. A
  /// delivery that is nested too deeply is not returned, so nobody acknowledges it.
  private func sorted(
    _ answers: [PickupRun.Answer], depth: Int = 0
  ) throws -> (envelopes: [JSON], late: [MediatorMessage]) {
    var (envelopes, late): ([JSON], [MediatorMessage]) = ([], [])
    for answer in answers {
      switch answer {
      case .envelope(let envelope): envelopes.append(envelope)
      case .message(.delivery) where depth > Self.maximumDepth:
        Log.warning("the mediator nests deliveries too deeply")
      case .message(let message):
        if depth > 0 { late.append(message) }
        guard case .delivery(let delivery) = message else { continue }
        let inner = try sorted(contents(of: delivery), depth: depth + 1)
        envelopes += inner.envelopes
        late += inner.late
      case .nothing, .unusable: break
      }
    }
    return (envelopes, late)
  }

  /// The client acknowledges an item that it cannot use too, because the item would otherwise come in each delivery.
  private func contents(of delivery: Delivery) throws -> [PickupRun.Answer] {
    try delivery.items.map { item in
      let content = try item.envelope.map { try answer(channel.read($0)) } ?? .unusable
      if content == .unusable {
        Log.warning("the mediator held \"\(item.id.prefix(64))\", which is no envelope for this client: it is dropped")
      }
      return content
    }
  }
}

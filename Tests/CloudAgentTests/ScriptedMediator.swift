import Aries
import DIDComm
import HTTP
import JSON
import Sodium
import Threading

@testable import CloudAgent

/// A mediator in memory. It does what a test tells it, well or badly.
final class ScriptedMediator: MediatorTransport {
  /// The ways in which mediators and networks go wrong.
  struct Habits: Sendable {
    /// The protocols that it discloses; nil if it does not know the question.
    var disclosed: [String]? = ["messagepickup/2.0"]
    var speaksPickup2 = true
    var speaksPickup1 = false
    /// Waiting messages come in the answer to any message without an answer of its own.
    var isImplicit = false
    /// The answers to these messages, by name, are lost, so many times.
    var loses: [String: Int] = [:]
    /// A waiting message takes the place of the answers to these messages, so many times.
    var displaces: [String: Int] = [:]
    /// The answers to these messages come one message late from then on.
    var delays: Set<String> = []
    /// It answers nothing.
    var isSilent = false
    /// It refuses these keys, or leaves them out of its answer.
    var refusedKeys: Set<VerKey> = []
    var ignoredKeys: Set<VerKey> = []
    /// Answers with more messages are too large for the client.
    var largestDelivery = 100
    /// Its response presents a key that is nobody's.
    var presentsDeadKey = false
    /// Acknowledged messages are given again.
    var neverDeletes = false
    /// Given messages are not given again before the end of a live session.
    var marksAsSending = false
    /// It grants no mediation.
    var denies = false
    /// It refuses null in place of a device token.
    var refusesPush = false
    /// It speaks push-notifications-fcm/1.0.
    var pushes = false
  }

  struct State: Sendable {
    var habits: Habits
    /// The clients' keys towards the mediator that have completed the handshake, and how often each has asked for mediation.
    var clients: [VerKey: Int] = [:]
    var keys: Set<VerKey> = []
    var waiting: [(id: String, envelope: JSON, isSending: Bool)] = []
    var late: [JSON] = []
    /// The names of the received messages, in their order.
    var received: [String] = []
    var device: JSON?
  }

  let state: Locked<State>
  let invitationKey = KeyPair()
  let pairwiseKey = KeyPair()
  let routing = KeyPair()
  let endpoint = "http://mediator.example"

  init(_ habits: Habits = Habits()) { state = Locked(State(habits: habits)) }

  func change(_ change: (inout Habits) -> Void) { state.withLock { change(&$0.habits) } }

  var received: [String] { state.withLock { $0.received } }
  var waitingCount: Int { state.withLock { $0.waiting.count } }
  var keys: Set<VerKey> { state.withLock { $0.keys } }

  func hold(_ envelopes: [JSON]) {
    state.withLock { state in
      for envelope in envelopes { state.waiting.append((.randomUUID(), envelope, false)) }
    }
  }

  var service: Service { Service(recipientKeys: [pairwiseKey.verkey], endpoint: endpoint) }

  func invitation() throws -> Invitation {
    .connection(
      try ConnectionInvitation([
        "@type": "https://didcomm.org/connections/1.0/invitation", "@id": "invitation", "label": "Mediator",
        "recipientKeys": [.string(invitationKey.verkey.text)], "serviceEndpoint": .string(endpoint),
      ]))
  }

  // MARK: The transport

  func exchange(_ envelope: [UInt8], at endpoint: String) throws(CloudAgentError) -> [[UInt8]] {
    do {
      let keys = Ring(pairs: [invitationKey, pairwiseKey])
      let opened = try Envelope(parsing: envelope).open(with: keys)
      let message = try JSON(parsing: opened.message)
      guard let sender = opened.sender, message["~transport"]?["return_route"] == "all" else { return [] }
      let name = message["@type"]?.string?.split(separator: "/").last.map(String.init) ?? ""
      if state.withLock({ $0.habits.isSilent }) { return [] }
      let answer = try answer(message, name, from: sender)
      let comes = state.withLock { state -> JSON? in
        state.received.append(name)
        if let count = state.habits.loses[name], count > 0 {
          state.habits.loses[name] = count - 1
          return Optional<JSON>.none
        }
        if let count = state.habits.displaces[name], count > 0, !state.waiting.isEmpty {
          state.habits.displaces[name] = count - 1
          return state.waiting.removeFirst().envelope
        }
        if state.habits.delays.contains(name) || !state.late.isEmpty {
          if let answer { state.late.append(answer) }
          let isLate = state.habits.delays.remove(name) != nil || state.late.isEmpty
          return isLate ? Optional<JSON>.none : state.late.removeFirst()
        }
        if let answer { return answer }
        guard state.habits.isImplicit, !state.waiting.isEmpty else { return Optional<JSON>.none }
        return state.waiting.removeFirst().envelope
      }
      return comes.map { [$0.bytes] } ?? []
    } catch let error as CloudAgentError { throw error } catch { throw .invalidAnswer("\(error)") }
  }

  private func answer(_ message: JSON, _ name: String, from sender: VerKey) throws -> JSON? {
    guard let body = try state.withLock({ try Self.body(message, name, from: sender, self, &$0) }) else { return nil }
    var answer = body
    answer["@id"] = .string(.randomUUID())
    if answer["~thread"] == nil, name != "mediate-request" { answer["~thread"] = ["thid": message["@id"] ?? ""] }
    return try JSON(parsing: Envelope.pack(answer.bytes, for: [sender], from: pairwiseKey))
  }

  private static func body(
    _ message: JSON, _ name: String, from sender: VerKey, _ mediator: ScriptedMediator, _ state: inout State
  ) throws -> JSON? {
    let prefix = "https://didcomm.org/"
    let unknown: JSON = [
      "@type": .string(prefix + "notification/1.0/problem-report"), "description": ["code": "message-parse-failure"],
    ]
    switch name {
    case "request": return try mediator.response(to: message, isDead: state.habits.presentsDeadKey).json
    case "ack":
      state.clients[sender] = state.clients[sender] ?? 0
      return nil
    case "ping":
      guard state.clients[sender] != nil, message["response_requested"] != false else { return nil }
      return ["@type": .string(prefix + "trust_ping/1.0/ping_response")]
    case "mediate-request":
      guard let asked = state.clients[sender] else { return nil }
      state.clients[sender] = asked + 1
      if state.habits.denies { return ["@type": .string(prefix + "coordinate-mediation/1.0/mediate-deny")] }
      guard asked == 0 else {
        return [
          "@type": .string(prefix + "coordinate-mediation/1.0/problem-report"),
          "description": ["code": "request_already_exists_from_connection"],
        ]
      }
      return [
        "@type": .string(prefix + "coordinate-mediation/1.0/mediate-grant"), "endpoint": .string(mediator.endpoint),
        "routing_keys": [.string(mediator.routing.verkey.didURL)],
      ]
    case "keylist-update":
      let updates = message["updates"]?.array ?? []
      let results = updates.compactMap { update -> JSON? in
        guard let key = update["recipient_key"]?.string.flatMap({ try? VerKey($0) }) else { return nil }
        if state.habits.ignoredKeys.contains(key) { return nil }
        guard !state.habits.refusedKeys.contains(key) else {
          return ["recipient_key": .string(key.text), "action": update["action"] ?? .null, "result": "server_error"]
        }
        let isAdded = update["action"] == "add"
        let isChange = isAdded ? state.keys.insert(key).inserted : state.keys.remove(key) != nil
        return [
          "recipient_key": .string(key.didKey), "action": update["action"] ?? .null,
          "result": isChange ? "success" : "no_change",
        ]
      }
      return [
        "@type": .string(prefix + "coordinate-mediation/1.0/keylist-update-response"), "updated": .array(results),
      ]
    case "query":
      if message["query"]?.string?.contains("push-notifications") == true {
        let names: [JSON] = state.habits.pushes ? [["pid": .string(prefix + "push-notifications-fcm/1.0")]] : []
        return ["@type": .string(prefix + "discover-features/1.0/disclose"), "protocols": .array(names)]
      }
      guard let disclosed = state.habits.disclosed else { return unknown }
      return [
        "@type": .string(prefix + "discover-features/1.0/disclose"),
        "protocols": .array(disclosed.map { ["pid": .string(prefix + $0)] }),
      ]
    case "set-device-info":
      if state.habits.refusesPush, message["device_token"]?.isNull == true { return unknown }
      state.device = message["device_token"]
      return nil
    default: return try pickup(message, name, &state) ?? unknown
    }
  }

  private static func pickup(_ message: JSON, _ name: String, _ state: inout State) throws -> JSON? {
    let type = message["@type"]?.string ?? ""
    let version = type.contains("messagepickup/1.") ? "1.0" : "2.0"
    guard version == "1.0" ? state.habits.speaksPickup1 : state.habits.speaksPickup2 else { return nil }
    let prefix = "https://didcomm.org/messagepickup/\(version)/"
    let waiting = state.waiting.indices.filter { !state.waiting[$0].isSending }
    let status: JSON = ["@type": .string(prefix + "status"), "message_count": .integer(Int64(waiting.count))]
    switch name {
    case "status-request": return status
    case "live-delivery-change":
      for index in state.waiting.indices { state.waiting[index].isSending = false }
      return status
    case "delivery-request":
      guard !waiting.isEmpty else { return status }
      let given = waiting.prefix(Int(message["limit"]?.integer ?? 1))
      if state.habits.marksAsSending { for index in given { state.waiting[index].isSending = true } }
      guard given.count <= state.habits.largestDelivery else { throw CloudAgentError.tooMuch }
      let attached = given.map { index -> JSON in
        ["@id": .string(state.waiting[index].id), "data": ["json": state.waiting[index].envelope]]
      }
      return ["@type": .string(prefix + "delivery"), "~attach": .array(attached)]
    case "messages-received":
      let ids = message["message_id_list"]?.array ?? []
      if !state.habits.neverDeletes { state.waiting.removeAll { ids.contains(.string($0.id)) } }
      return ["@type": .string(prefix + "status"), "message_count": .integer(Int64(state.waiting.count))]
    case "batch-pickup":
      let given = state.waiting.prefix(Int(message["batch_size"]?.integer ?? 1))
      if !state.habits.neverDeletes { state.waiting.removeFirst(given.count) }
      guard given.count <= state.habits.largestDelivery else { throw CloudAgentError.tooMuch }
      let entries = given.map { entry -> JSON in ["@id": .string(entry.id), "message": entry.envelope] }
      return ["@type": .string(prefix + "batch"), "messages~attach": .array(entries)]
    default: return nil
    }
  }

  private func response(to request: JSON, isDead: Bool) throws -> ConnectionResponse {
    let key = isDead ? KeyPair().verkey : pairwiseKey.verkey
    let service = Service(recipientKeys: [key], endpoint: endpoint)
    let document = DIDDocument(id: key.did.text, key: key, service: service)
    let connection: JSON = ["DID": .string(document.id), "DIDDoc": document.json.value]
    return ConnectionResponse(
      id: .randomUUID(), thread: Thread(thid: request["@id"]?.string ?? ""),
      signature: SignatureDecorator(signing: connection, with: invitationKey, time: 1_700_000_000), asksForAck: true)
  }
}

/// Keys in memory.
struct Ring: KeyRing {
  let pairs: [KeyPair]

  func keyPair(for key: VerKey) -> KeyPair? { pairs.first { $0.verkey == key } }
}

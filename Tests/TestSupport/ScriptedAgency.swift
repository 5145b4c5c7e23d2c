internal import AgencyWire
package import DIDComm
import HTTPServing
package import JSON
package import Sodium
import Threading

/// An agency that a test can make ignorant or dishonest: real sockets, real envelopes, and any answer in them.
///
/// The messages that it is told to ignore it answers with a trace id for its own log, as agencies do with messages that
/// they do not know.
package final class ScriptedAgency: Sendable {
  /// An answer as it would be sent.
  package struct Answer: Sendable {
    package var message: JSON
    /// The key that the answer is authenticated with; nil for an anonymous one.
    package var sender: KeyPair?
    package var recipient: VerKey
    package var status = 200
    /// The keys of the mailbox that the answer names, where it names one.
    package let mailbox: KeyPair?
  }

  /// Changes an honest answer. `request` is the name of the request. It must not call the agency.
  package typealias Forgery = @Sendable (_ answer: inout Answer, _ request: String) -> Void

  package let keys = KeyPair()
  private let state: Locked<State>
  private let server: HTTPServer

  package init(ignoring ignored: Set<String> = []) throws {
    let (keys, state) = (keys, Locked(State()))
    state.withLock {
      $0.ignored = ignored
      $0.pairs[keys.verkey] = keys
    }
    self.state = state
    server = try HTTPServer { request in
      state.withLock { state in
        if state.status == 200, let answer = try? state.receive(request.body, at: keys) { return answer }
        let trace: JSON = ["errorTraceId": "7e1f"]
        return HTTPServer.Response(status: state.status == 200 ? 500 : state.status, body: trace.bytes)
      }
    }
  }

  deinit { server.stop() }

  package func stop() { server.stop() }

  package var endpoint: String { server.endpoint }

  package var party: Party { Party(did: keys.verkey.did.text, verkey: keys.verkey) }

  /// The requests that have come, whether they were served or not.
  package var received: [JSON] { state.withLock { $0.received } }

  /// Their names.
  package var requests: [String] { received.map(\.messageName) }

  /// Answers everything with this status from now on; with 200 as it should be.
  package func answer(_ status: Int) { state.withLock { $0.status = status } }

  /// Forges all answers from now on; nil returns to honesty.
  package func forge(_ forgery: Forgery?) { state.withLock { $0.forgery = forgery } }

  /// The key pair of the agency or of one of its agents.
  package func pair(of key: VerKey) -> KeyPair? { state.withLock { $0.pairs[key] } }
}

private struct State {
  var status = 200
  var ignored: Set<String> = []
  var forgery: ScriptedAgency.Forgery?
  var received: [JSON] = []
  /// The keys of the agency, of agents and of mailboxes.
  var pairs: [VerKey: KeyPair] = [:]
  var messages: [VerKey: [WireMessage]] = [:]
  /// The mailbox of each pairwise DID.
  var mailboxes: [String: VerKey] = [:]

  struct Unknown: Error {}

  mutating func receive(_ body: [UInt8], at agency: KeyPair) throws -> HTTPServer.Response {
    guard let answer = try open(JSON(parsing: body), with: agency) else { return HTTPServer.Response() }
    let envelope = try Envelope.pack(answer.message.bytes, for: [answer.recipient], from: answer.sender)
    return HTTPServer.Response(status: answer.status, body: envelope)
  }

  private mutating func open(_ envelope: JSON, with pair: KeyPair) throws -> ScriptedAgency.Answer? {
    let opened = try Envelope(envelope).open(with: pair)
    let object = try JSON(parsing: opened.message).requireObject()
    let type = try object.string("@type")
    switch JSON.object(object).messageName {
    case "FWD": return try route(to: object.string("@fwd"), .object(object.object("@msg")), through: pair)
    case "forward": return try route(to: object.string("to"), .object(object.object("msg")), through: pair)
    case let name:
      guard let sender = opened.sender else { throw Unknown() }
      received.append(.object(object))
      guard !ignored.contains(name) else { throw Unknown() }
      let answer = try serve(name, object, at: pair)
      let json = answer.json(type: WireType.of(Swift.type(of: answer).name, answering: type))
      let mailbox = (answer as? KeyCreated).flatMap { pairs[$0.agent.verkey] }
      var sent = ScriptedAgency.Answer(message: json, sender: pair, recipient: sender, mailbox: mailbox)
      forgery?(&sent, name)
      return sent
    }
  }

  /// An envelope for nobody here is for the owner of the mailbox that it has come to.
  private mutating func route(
    to address: String, _ envelope: JSON, through pair: KeyPair
  ) throws -> ScriptedAgency.Answer? {
    if let next = pairs.values.first(where: { $0.verkey.text == address || $0.verkey.did.text == address }) {
      return try open(envelope, with: next)
    }
    guard messages[pair.verkey] != nil else { throw Unknown() }
    messages[pair.verkey]?.append(WireMessage(uid: .randomUUID(), statusCode: "MS-103", payload: envelope))
    return nil
  }

  private mutating func serve(_ name: String, _ object: JSONObject, at pair: KeyPair) throws -> any AgencyMessage {
    switch name {
    case Connect.name: return Connected(agent: newParty())
    case SignUp.name: return SignedUp()
    case CreateAgent.name where object["requesterKeys"] != nil:
      return SponsoredAgentCreated(id: "1", agent: newParty(), thread: try CreateSponsoredAgent(object).thread)
    case CreateAgent.name: return AgentCreated(agent: newParty())
    case GetToken.name: return TokenSent(id: "1", token: try token(for: GetToken(object)))
    case CreateKey.name:
      let mailbox = newParty()
      messages[mailbox.verkey] = []
      mailboxes[try CreateKey(object).forDID] = mailbox.verkey
      return KeyCreated(agent: mailbox)
    case GetMessages.name:
      let filter = try GetMessages(object).filter
      return Messages(messages: (messages[pair.verkey] ?? []).filter(filter.admits))
    case GetMessagesByConnections.name:
      let request = try GetMessagesByConnections(object)
      let dids = request.pairwiseDIDs.isEmpty ? Array(mailboxes.keys) : request.pairwiseDIDs
      return MessagesByConnections(
        connections: dids.compactMap { did in
          mailboxes[did].map { key in
            WireConnectionMessages(pairwiseDID: did, messages: (messages[key] ?? []).filter(request.filter.admits))
          }
        })
    case UpdateMessageStatus.name:
      let request = try UpdateMessageStatus(object)
      let uids = request.connections.flatMap(\.uids)
      messages = messages.mapValues { $0.map { uids.contains($0.uid) ? $0.with(request.statusCode) : $0 } }
      return MessageStatusUpdated(updated: request.connections, failed: [])
    case UpdateConnectionStatus.name:
      return ConnectionStatusUpdated(statusCode: try UpdateConnectionStatus(object).statusCode)
    case UpdateComMethod.name: return ComMethodUpdated(id: try UpdateComMethod(object).method.id)
    default: throw Unknown()
    }
  }

  private mutating func newParty() -> Party {
    let pair = KeyPair()
    pairs[pair.verkey] = pair
    return Party(did: pair.verkey.did.text, verkey: pair.verkey)
  }

  private func token(for request: GetToken) -> ProvisionToken {
    ProvisionToken(
      sponseeID: request.sponseeID, sponsorID: request.sponsorID, nonce: "nonce",
      timestamp: "2024-05-17T09:30:00+00:00", signature: "c2ln", sponsorVerKey: "key")
  }
}

extension WireMessageFilter {
  fileprivate func admits(_ message: WireMessage) -> Bool {
    (uids.isEmpty || uids.contains(message.uid)) && (statusCodes.isEmpty || statusCodes.contains(message.statusCode))
  }
}

extension WireMessage {
  fileprivate func with(_ status: String) -> WireMessage {
    WireMessage(uid: uid, statusCode: status, payload: payload)
  }
}

extension JSON {
  /// The last part of the message's type.
  fileprivate var messageName: String { self["@type"]?.string?.split(separator: "/").last.map(String.init) ?? "" }
}

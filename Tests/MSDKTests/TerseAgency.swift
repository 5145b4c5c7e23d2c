import AgencyWire
import DIDComm
import HTTPServing
import JSON
import Sodium
import Threading

/// An agency that knows few messages: it does not give the messages of several connections at once, and deletes no
/// connection. What it does not know it answers with a trace id for its own log, as agencies of this kind do.
final class TerseAgency: Sendable {
  let keys = KeyPair()
  private let state: Locked<State>
  private let server: HTTPServer

  init() throws {
    let (keys, state) = (keys, Locked(State()))
    self.state = state
    server = try HTTPServer { request in
      state.withLock { state in
        if state.status == 200, let answer = try? state.receive(request.body, at: keys) {
          return HTTPServer.Response(body: answer)
        }
        let trace: JSON = ["errorTraceId": "7e1f"]
        return HTTPServer.Response(status: state.status == 200 ? 500 : state.status, body: trace.bytes)
      }
    }
  }

  func stop() { server.stop() }

  var endpoint: String { server.endpoint }

  /// The names of the requests that have come, whether they were served or not.
  var requests: [String] { state.withLock { $0.requests } }

  /// Answers everything with this status from now on; with 200 as it should be.
  func answer(_ status: Int) { state.withLock { $0.status = status } }

  private struct State {
    var status = 200
    var requests: [String] = []
    /// The keys of agents and of mailboxes.
    var pairs: [VerKey: KeyPair] = [:]
    var messages: [VerKey: [StoredMessage]] = [:]

    struct Unknown: Error {}

    mutating func receive(_ body: [UInt8], at agency: KeyPair) throws -> [UInt8] {
      pairs[agency.verkey] = agency
      return try open(JSON(parsing: body), with: agency)
    }

    private mutating func open(_ envelope: JSON, with pair: KeyPair) throws -> [UInt8] {
      let opened = try Envelope(envelope).open(with: pair)
      let object = try JSON(parsing: opened.message).requireObject()
      let type = try object.string("@type")
      switch type.split(separator: "/").last.map(String.init) ?? "" {
      case "FWD": return try route(to: object.string("@fwd"), .object(object.object("@msg")), through: pair)
      case "forward": return try route(to: object.string("to"), .object(object.object("msg")), through: pair)
      case let name:
        guard let sender = opened.sender else { throw Unknown() }
        requests.append(name)
        let answer = try serve(name, object, at: pair)
        let json = answer.json(type: Dialect.type(of: Swift.type(of: answer).name, answering: type))
        return try Envelope.packed(json.bytes, for: [sender], from: pair).bytes
      }
    }

    /// What goes on to nobody here is for the owner of the mailbox that it has come to.
    private mutating func route(to address: String, _ envelope: JSON, through pair: KeyPair) throws -> [UInt8] {
      if let next = pairs.values.first(where: { $0.verkey.text == address || $0.verkey.did.text == address }) {
        return try open(envelope, with: next)
      }
      guard messages[pair.verkey] != nil else { throw Unknown() }
      messages[pair.verkey]?.append(StoredMessage(uid: .randomUUID(), statusCode: "MS-103", payload: envelope))
      return []
    }

    private mutating func serve(_ name: String, _ object: JSONObject, at pair: KeyPair) throws -> any AgencyMessage {
      switch name {
      case Connect.name: return Connected(agent: newParty())
      case SignUp.name: return SignedUp()
      case CreateAgent.name: return AgentCreated(agent: newParty())
      case CreateKey.name:
        let mailbox = newParty()
        messages[mailbox.verkey] = []
        return KeyCreated(agent: mailbox)
      case GetMessages.name:
        guard let all = messages[pair.verkey] else { throw Unknown() }
        let filter = try GetMessages(object).filter
        return Messages(messages: all.filter { filter.admits($0) })
      case UpdateMessageStatus.name:
        let request = try UpdateMessageStatus(object)
        let uids = request.connections.flatMap(\.uids)
        messages = messages.mapValues { $0.map { uids.contains($0.uid) ? $0.with(request.statusCode) : $0 } }
        return MessageStatusUpdated(updated: [], failed: [])
      default: throw Unknown()
      }
    }

    private mutating func newParty() -> Party {
      let pair = KeyPair()
      pairs[pair.verkey] = pair
      return Party(did: pair.verkey.did.text, verkey: pair.verkey)
    }
  }
}

extension MessageFilter {
  fileprivate func admits(_ message: StoredMessage) -> Bool {
    (uids.isEmpty || uids.contains(message.uid)) && (statusCodes.isEmpty || statusCodes.contains(message.statusCode))
  }
}

extension StoredMessage {
  fileprivate func with(_ status: String) -> StoredMessage {
    StoredMessage(uid: uid, statusCode: status, payload: payload)
  }
}

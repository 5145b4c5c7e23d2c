internal import Aries
internal import JSON
internal import MSDK
internal import ProgramArguments

/// An offer of a credential or a request for a proof, from its arrival to its outcome, as the wallet keeps it.
///
/// An exchange's number is never reused, so that a user who has read a list answers the exchange that he has read
/// about. The record has the exchange as the library serializes it, until the exchange is over.
struct ExchangeRecord: Equatable {
  enum Kind: String {
    case offer, request

    /// The command that lists exchanges of this kind.
    var list: String { self == .offer ? "offers" : "proofs" }

    /// The command that answers an exchange of this kind.
    var answer: String { self == .offer ? "accept" : "present" }
  }

  enum State: String {
    /// The user has to answer.
    case open
    /// The user has answered, and the other side has to answer.
    case waiting
    case done, declined, failed

    /// Reads the number of the library.
    init(_ number: UInt32) {
      self =
        switch number {
        case 1, 3: .open
        case 2, 10: .waiting
        case 4: .done
        case 9: .declined
        default: .failed
        }
    }
  }

  var number: Int
  let kind: Kind
  /// The pairwise DID of the connection.
  let did: String
  /// The id of the message in the mailbox; empty for a message that came with the invitation.
  let uid: String
  /// The id of the exchange's thread.
  let thread: String?
  private(set) var state: State
  /// The message of the other side; empty once the exchange is over.
  private(set) var message: String
  /// The exchange in its present state; empty once it is over.
  private(set) var exchange: String
  /// The reason why the exchange has failed.
  private(set) var reason: String?
  /// The answer that a command has begun to send.
  var underway: Underway?
  /// The last answer that has been sent.
  private var sent: Underway?
  /// The id of the message that this answer is for.
  private var answered: String?
  /// The ids of the messages of the other side that the exchange has taken, the latest one last.
  private var taken: [String]

  /// A new exchange. Throws if the message cannot be answered.
  init(number: Int, _ kind: Kind, _ message: String, uid: String, did: String) throws {
    (self.number, self.kind, self.message, self.uid, self.did) = (number, kind, message, uid, did)
    (state, thread, taken) = (.open, Self.thread(of: message), Self.ids(of: message))
    exchange =
      switch kind {
      case .offer: try Credential(sourceID: uid, offer: message).serialized()
      case .request: try DisclosedProof(sourceID: uid, request: message).serialized()
      }
  }

  /// Whether a command has begun to send this answer.
  func isUnderway(to answer: Underway) -> Bool { underway?.isSame(as: answer) ?? false }

  /// Whether the exchange has gone on by this answer to the same message. `earlier` is the exchange before.
  func isSent(_ answer: Underway, since earlier: ExchangeRecord) -> Bool {
    state != .open && answered == earlier.taken.last && sent?.isSame(as: answer) ?? false
  }

  /// Whether a message of the other side is in the exchange already.
  func hasTaken(_ message: String) -> Bool { Self.ids(of: message).contains { taken.contains($0) } }

  /// Whether the issuer has to answer a proposal.
  var isProposed: Bool {
    kind == .offer && state == .waiting && (try? Credential(serialized: exchange))?.state == 10
  }

  /// Throws if the other side may have an answer.
  func requireNothingUnderway() throws(Failure) {
    if let underway { throw Failure(underway.sentence(number)) }
  }

  var isOver: Bool { ![.open, .waiting].contains(state) }

  /// Notes the state of the exchange, after an answer that has been sent. A refusal that may have been sent stays noted beside
  /// another offer, which the other side made before it read the refusal.
  mutating func note(_ exchange: some Answerable, after answer: Underway? = nil) {
    state = State(exchange.state)
    self.exchange = exchange.serialized()
    if let answer { (sent, answered) = (answer, taken.last) }
    message = exchange.offer ?? message
    taken += Self.ids(of: message).filter { $0 != taken.last }
    if state != .open || underway?.isRefusal != true { underway = nil }
    if isOver { end(state, because: exchange.reason) }
  }

  /// Notes the end, after which the wallet need not keep the messages.
  mutating func end(_ state: State, because reason: String?) {
    (self.state, self.reason, message, exchange, underway) = (state, reason, "", "", nil)
  }
}

// MARK: - In the wallet

extension ExchangeRecord {
  /// Returns nil for a record of another program.
  init?(number: String, _ value: String) {
    guard let number = Int(number), let json = try? JSON(parsing: value),
      let kind = json["kind"]?.string.flatMap(Kind.init(rawValue:)),
      let state = json["state"]?.string.flatMap(State.init(rawValue:)), let did = json["pairwiseDID"]?.string,
      let uid = json["uid"]?.string, let message = json["message"]?.string, let exchange = json["exchange"]?.string
    else { return nil }
    (self.number, self.kind, self.did, self.uid, self.state) = (number, kind, did, uid, state)
    (self.message, self.exchange, reason) = (message, exchange, json["reason"]?.string)
    thread = json["thread"]?.string
    (underway, sent, answered) = (Underway(json["underway"]), Underway(json["sent"]), json["answered"]?.string)
    taken = json["taken"]?.array?.compactMap(\.string) ?? Self.ids(of: message)
  }

  /// The id of a message, if it has one.
  private static func ids(of message: String) -> [String] {
    (try? JSON(parsing: message))?["@id"]?.string.map { [$0] } ?? []
  }

  /// The id of the thread of a message; nil for a text that is no message.
  static func thread(of message: String) -> String? {
    guard let members = (try? JSON(parsing: message))?.object else { return nil }
    let id = Thread(of: members).thid
    return id.isEmpty ? nil : id
  }

  var value: String {
    let json: JSON = [
      "kind": .string(kind.rawValue), "state": .string(state.rawValue), "pairwiseDID": .string(did),
      "thread": JSON(thread), "uid": .string(uid), "message": .string(message), "exchange": .string(exchange),
      "reason": JSON(reason), "underway": underway?.json ?? .null, "sent": sent?.json ?? .null,
      "answered": JSON(answered), "taken": .array(taken.map { .string($0) }),
    ]
    return json.text
  }
}

// MARK: - The library's objects

/// An exchange that the user answers.
protocol Answerable {
  init(serialized text: String) throws
  func serialized() -> String
  /// The number of the state in the API.
  var state: UInt32 { get }
  /// The report that ended the exchange, as JSON text.
  var problemReport: String { get }
  /// The offer, which may be another one than the first; nil for other exchanges.
  var offer: String? { get }
  mutating func update(with session: MSDK.Session) throws
}

extension Answerable {
  /// The other side's words about the end.
  fileprivate var reason: String? {
    guard let report = try? JSON(parsing: problemReport), report.object != nil else { return nil }
    let description = report["description"]
    let texts = [report["comment"], description?["en"], description, description?["code"], report["explain"]]
    return texts.compactMap { $0?.string }.first { !$0.isEmpty }
  }
}

extension Credential: Answerable {
  var offer: String? { try? offerMessage() }
}

extension DisclosedProof: Answerable {
  var offer: String? { nil }
}

package import Aries
internal import Credentials
internal import JSON
internal import Sodium

/// A proof that this side gives from its credentials: from the request, or from a proposal of its own, until the verifier
/// has acknowledged it.
package struct DisclosedProof: Exchange, Polling {
  package let sourceID: String
  package var machine: ProverMachine {
    didSet {
      // A message without a use in the last state may have one in this.
      search.reset()
      keeping.noteChange()
    }
  }
  package var keeping = Keeping()
  var search = MailboxPoll()
  /// The error of the last attempt to make the presentation; nil if that succeeded, and once the proof was restored from
  /// its text.
  package internal(set) var preparationError: (any Error)?

  package static let kind = "proof"

  package init(sourceID: String, machine: ProverMachine) {
    self.sourceID = sourceID
    self.machine = machine
  }

  /// A proof that is requested. `text` is the request, which may have the form of version 3.0 of the API.
  package init(sourceID: String, request text: String) throws {
    self.init(sourceID: sourceID, machine: try ProverMachine(request: Self.message(text)))
  }

  private static func message(_ text: String) throws -> JSON {
    let json = try JSON(parsing: text)
    return try OlderRequest.isOlder(json) ? OlderRequest.message(json) : json
  }

  /// A proof that this side proposes. `preview` is the JSON text of what it would present.
  package init(
    sourceID: String, proposing preview: String, comment: String, in form: ExchangeForm = .undecided
  ) throws {
    let preview = try PresentationPreview(JSON(parsing: preview))
    self.init(
      sourceID: sourceID, machine: ProverMachine(proposing: preview, comment: comment, in: form, id: .randomUUID()))
  }

  /// The numbers of the API: 0 failed, 1 proposal not sent, 2 proposal or proof sent, 3 request received, 4 accepted, 9
  /// declined.
  package var state: UInt32 {
    switch machine.state {
    case .proposing: 1
    case .proposed, .sent: 2
    case .requested, .prepared, .unprepared: 3
    case .finished(let finished): finished.status.number
    }
  }

  /// The report that ended the exchange, or that says why no presentation could be made, as JSON text; `null` when there
  /// is none.
  package var problemReport: String { machine.report?.json.text ?? "null" }

  /// The presentation, once it is made: the message as JSON text, or in the form of version 3.0 of the API.
  package func message(asVersion3 isVersion3: Bool) throws -> String {
    guard let presentation = machine.presentation else { throw ExchangeError.notReady }
    return isVersion3 ? try OlderPresentation.json(of: presentation).text : presentation.json.text
  }

  /// The content of the presentation, once it is made, as JSON text: `{"revealed", "self_attested", "unrevealed",
  /// "predicates"}`, in the form in which the verifier gets it.
  package func content() throws -> String {
    guard let request = machine.request, let presentation = machine.presentation else { throw ExchangeError.notReady }
    return try ProofContent(of: presentation.content().text, answering: request.content().text).json.text
  }

  /// A request as applications show it: `{"name", "version", "requested_attributes", "requested_predicates", "thid"}`.
  package static func summary(ofRequest text: String) throws -> String {
    let request = try PresentationRequest(message(text))
    _ = try ProofRequest(received: request.content.text)
    return request.summary.text
  }
}

// MARK: - Requests in a mailbox

extension DisclosedProof {
  /// The requests that wait in the mailbox of a connection, as a JSON array of messages; in version 3.0 of the API they
  /// have the older form. Their status stays what it is.
  package static func requests(of connection: Connection, with session: Session) throws -> String {
    let requests = try session.pendingMessages(of: connection, where: isRequest)
    guard session.settings.isVersion3 else { return JSON.array(requests).text }
    return JSON.array(requests.compactMap { try? OlderRequest.json(of: $0) }).text
  }

  /// The proof that a message of the connection's mailbox requests, and the text of the request.
  package static func requested(
    by uid: String, over connection: Connection, sourceID: String, with session: Session
  ) throws -> (proof: DisclosedProof, request: String) {
    let message = try session.message(uid, of: connection, where: isRequest)
    let request = try session.settings.isVersion3 ? OlderRequest.json(of: message).text : message.text
    return (try DisclosedProof(sourceID: sourceID, request: request), request)
  }

  private static func isRequest(_ message: Message) -> Bool {
    if case .presentProof(let message) = message { message.step == .request } else { false }
  }
}

package import Aries
package import Credentials
internal import JSON
internal import Sodium

/// A proof that this side requests and verifies: from its request, or from a prover's proposal, until the presentation is
/// judged.
package struct RequestedProof: Exchange, Polling {
  package let sourceID: String
  package var machine: VerifierMachine {
    didSet {
      // A message without a use in the last state may have one in this.
      search.reset()
      keeping.noteChange()
    }
  }
  package var keeping = Keeping()
  var search = MailboxPoll()

  package static let kind = "requested proof"

  package init(sourceID: String, machine: VerifierMachine) {
    self.sourceID = sourceID
    self.machine = machine
  }

  /// A new request. The texts are arguments of `vcx_proof_create`.
  package init(
    sourceID: String, attributes: String, predicates: String, interval: String, name: String,
    in form: ExchangeForm = .undecided
  ) throws(CredentialsError) {
    let draft = try ProofRequestDraft(attributes: attributes, predicates: predicates, interval: interval, name: name)
    self.init(sourceID: sourceID, machine: VerifierMachine(requesting: draft.request, in: form))
  }

  /// A proposal of a prover; `text` is its message.
  package init(sourceID: String, proposal text: String) throws {
    self.init(sourceID: sourceID, machine: try VerifierMachine(proposal: JSON(parsing: text)))
    // A program would show one of several proposals, and another one might become the request.
    do { _ = try proposal() } catch let error as MessageError where error == .ambiguous { throw error }
  }

  /// The numbers of the API: 0 not verified, 1 not sent, 2 request sent, 3 proposal received, 4 verified, 9 declined.
  package var state: UInt32 {
    switch machine.state {
    case .initiated, .prepared: 1
    case .sent: 2
    case .proposed: 3
    case .finished(let finished): finished.status.number
    }
  }

  /// The report that ended the exchange, of either side, as JSON text; `null` if there is none.
  package var problemReport: String { machine.report?.json.text ?? "null" }

  /// The proposed presentation as JSON text: the preview of version 1.0, or the proof request of version 2.0 as this side
  /// reads it. Throws for a message that attaches several.
  package func proposal() throws -> String {
    guard case .proposed(let state) = machine.state else { throw ExchangeError.notReady }
    if let preview = state.proposal.object["presentation_proposal"] { return preview.text }
    return try state.proposal.onlyContent().json().text
  }
}

// MARK: - The result

extension RequestedProof {
  /// The numbers of the API: 0 no result yet, 1 verified, 2 not verified, 3 declined.
  package var result: UInt32 {
    guard case .finished(let finished) = machine.state else { return 0 }
    return switch finished.status {
    case .succeeded: 1
    case .rejected: 3
    case .failed, .undefined: 2
    }
  }

  /// The presentation that was judged, also one that is not verified: the message as JSON text, or in the form of version
  /// 3.0 of the API. The message has that presentation only.
  package func presentation(asVersion3 isVersion3: Bool) throws -> String {
    let presentation = try judgedMessage()
    return isVersion3 ? try OlderPresentation.json(of: presentation).text : presentation.json.text
  }

  /// The content of a verified presentation as JSON text. Throws `notVerified` for another one.
  package func content() throws -> String {
    let presentation = try judgedMessage()
    guard case .finished(let finished) = machine.state, finished.status == .succeeded, let request = finished.request
    else {
      throw CredentialsError.notVerified
    }
    return try ProofContent(of: presentation.content().text, answering: request.content().text).json.text
  }

  /// An older state may hold the whole message. The first of its presentations was judged, or the presentation of the
  /// preferred format.
  private func judgedMessage() throws -> PresentProofMessage {
    guard case .finished(let finished) = machine.state else { throw ExchangeError.notReady }
    guard let presentation = finished.presentation else { throw ExchangeError.ended }
    return presentation.attaching(only: try? presentation.content())
  }

  /// The judgement as JSON text: `{"state", "proof_state", "verified", "reasons", "warnings"}`. `verified` is null before
  /// there is a presentation.
  package var explanation: String {
    let assessment: Assessment? = if case .finished(let finished) = machine.state { finished.assessment } else { nil }
    let explain: JSON = [
      "state": .integer(Int64(state)), "proof_state": .integer(Int64(result)),
      "verified": assessment.map { .bool($0.isVerified) } ?? .null,
      "reasons": .array((assessment?.reasons ?? []).map { Self.json($0, Verdict.text(ofReason:check:)) }),
      "warnings": .array(
        (assessment?.warnings ?? []).map { remark in
          Self.json(remark) { code, _ in Verdict.Warning(rawValue: code)?.text }
        }),
    ]
    return explain.text
  }

  private static func json(
    _ remark: Assessment.Remark, _ text: (_ code: String, _ check: String?) -> String?
  ) -> JSON {
    [
      "code": .string(remark.code), "referent": JSON(remark.referent), "check": JSON(remark.check),
      "text": .string(text(remark.code, remark.check) ?? remark.code),
    ]
  }
}

extension Assessment {
  init(_ verdict: Verdict) {
    self.init(
      reasons: verdict.reasons.map { Remark(code: $0.code.rawValue, referent: $0.referent, check: $0.check?.rawValue) },
      warnings: verdict.warnings.map { Remark(code: $0.code.rawValue, referent: $0.referent) })
  }
}

internal import JSON

/// The end of an exchange.
package enum ExchangeStatus: Equatable, Sendable {
  case succeeded
  /// The exchange failed, for the reason in the report. For holders and provers: the peer ended the exchange.
  case failed(ProblemReport)
  /// One side declined: on a holder's and a prover's side, this side, whose report went to the peer; on an issuer's and
  /// a verifier's side, the peer. Other libraries did not keep the report.
  case rejected(ProblemReport?)
  /// The exchange comes from a library that stored no reason for its end.
  case undefined

  /// The report that ended the exchange. Nil if no report ended it.
  package var report: ProblemReport? {
    switch self {
    case .failed(let report): report
    case .rejected(let report): report
    case .succeeded, .undefined: nil
    }
  }
}

// MARK: - Stored

extension ExchangeStatus {
  var json: JSON {
    switch self {
    case .succeeded: "Success"
    case .undefined: "Undefined"
    case .failed(let report): ["Failed": report.json]
    case .rejected(let report): ["Rejected": report?.json ?? .null]
    }
  }

  init(stored json: JSON) throws(JSONError) {
    switch json {
    case "Success": self = .succeeded
    case "Undefined": self = .undefined
    default:
      let object = try json.requireObject()
      if let report = object["Rejected"] {
        self = .rejected(report.object.map { ProblemReport($0) })
      } else {
        self = .failed(ProblemReport(try object.object("Failed")))
      }
    }
  }
}

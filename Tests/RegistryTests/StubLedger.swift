import IndyVDR
import JSON
import Threading

@testable import Registry

/// A ledger that answers as it is told, and notes the requests.
final class StubLedger: Ledger {
  typealias Answer = @Sendable (_ request: LedgerRequest) throws(LedgerError) -> JSON
  private let asked = Locked<[LedgerRequest]>([])
  private let answer: Answer

  init(_ answer: @escaping Answer) { self.answer = answer }

  var requests: [LedgerRequest] { asked.withLock { $0 } }

  /// The transactions that were written.
  var written: [JSON] {
    requests.compactMap { request in
      guard case .written(let text) = request else { return nil }
      return try? JSON(parsing: text)
    }
  }

  func submit(_ request: LedgerRequest) throws(LedgerError) -> JSON {
    asked.withLock { $0.append(request) }
    return try answer(request)
  }
}

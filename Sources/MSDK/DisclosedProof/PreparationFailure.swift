internal import AnonCreds
internal import Aries
internal import Credentials
internal import JSON

/// Why no presentation could be made, as far as a stored proof keeps it: by the names that Evernym's library gives to its
/// errors. The text stands in the problem report.
enum PreparationFailure: String {
  case request = "InvalidProofRequest"
  case selection = "InvalidProofCredentialData"
  case selfAttested = "InvalidJson"
  /// The fault is on this side and may pass: no engine, no ledger, a wallet that cannot be read. The verifier is not told.
  case local = "IOError"

  /// Returns nil for errors that have no name of their own there.
  init?(_ error: any Error) {
    switch error {
    case CredentialsError.malformedRequest, is MessageError: self = .request
    case CredentialsError.malformedSelection: self = .selection
    case CredentialsError.malformedSelfAttested: self = .selfAttested
    case AnonCredsError.failed(.io, _): self = .local
    case CredentialsError.revoked, CredentialsError.unsupportedRestriction, AnonCredsError.failed: return nil
    case let error as PresentationFailed where !error.isLocal: return nil
    default: self = .local
    }
  }

  /// The error of a proof that was restored.
  static func error(_ kind: String?, because report: ProblemReport) -> any Error {
    let text = report.json["comment"]?.string ?? ""
    return switch kind.flatMap(PreparationFailure.init(rawValue:)) {
    case .request: CredentialsError.malformedRequest(text)
    case .selection: CredentialsError.malformedSelection(text)
    case .selfAttested: CredentialsError.malformedSelfAttested(text)
    case .local: PresentationFailed(reason: text, isLocal: true)
    case nil: PresentationFailed(reason: text, isLocal: false)
    }
  }
}

/// No presentation could be made, by a process that has ended.
package struct PresentationFailed: Error, Equatable, Sendable {
  let reason: String
  let isLocal: Bool
}

extension PresentationFailed: CustomStringConvertible {
  package var description: String { "no presentation could be made: \(reason)" }
}

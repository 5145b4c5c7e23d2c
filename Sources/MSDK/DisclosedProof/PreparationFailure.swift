internal import AnonCreds
internal import Aries
internal import Credentials
internal import JSON

/// The reason why no presentation could be made, as a stored proof keeps it: the names are the names of errors of
/// Evernym's library. The problem report has the text.
enum PreparationFailure: String {
  case request = "InvalidProofRequest"
  case selection = "InvalidProofCredentialData"
  case selfAttested = "InvalidJson"
  /// This side is at fault, and the fault may pass: no engine, no ledger, an unreadable wallet. The verifier is not
  /// told.
  case local = "IOError"

  /// Returns nil for errors that have no name in that library.
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

/// An earlier process could make no presentation.
package struct PresentationFailed: Error, Equatable, Sendable {
  let reason: String
  let isLocal: Bool
}

extension PresentationFailed: CustomStringConvertible {
  package var description: String { "no presentation could be made: \(reason)" }
}

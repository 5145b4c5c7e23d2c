/// The reasons why a DID cannot be resolved.
package enum DIDLogError: Error, Equatable, Sendable {
  /// The text is no DID of a method that msdk resolves over the web.
  case malformedDID
  /// The server has no log of the DID.
  case notFound
  /// The server gave no answer, for the given reason.
  case unreachable(String)
  /// The answer of the server is no file, for the given reason.
  case unusable(String)
  case tooLarge
  case empty
  /// The entry with this number is invalid.
  case invalidEntry(Int, EntryError)
  case witnesses(String)
  /// The log is not the log of the DID.
  case otherDID
  /// The log does not have the version that was asked for.
  case noSuchVersion
  /// The log is shorter than a log that was seen before.
  case shortened(seen: String)
  /// The log has another version in the place of one that was seen before.
  case forked(seen: String)
  case deactivated
  /// The document of a `did:web` is malformed.
  case malformedDocument
}

extension DIDLogError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformedDID: "the DID is malformed"
    case .notFound: "the server has no log of the DID"
    case .unreachable(let reason): "no answer: \(reason)"
    case .unusable(let reason): "the answer is no file of the DID: \(reason)"
    case .tooLarge: "the log of the DID is too long"
    case .empty: "the log of the DID is empty"
    case .invalidEntry(let number, let error): "entry \(number) of the DID's log is invalid: \(error)"
    case .witnesses(let reason): "the witnesses of the DID have not approved its log: \(reason)"
    case .otherDID: "the log is of another DID"
    case .noSuchVersion: "the DID has no such version"
    case .shortened(let seen): "the DID's log has become shorter: it lacks version \(seen), which was seen before"
    case .forked(let seen): "the DID's log contradicts version \(seen), which was seen before"
    case .deactivated: "the controller has deactivated the DID"
    case .malformedDocument: "the DID's document is malformed"
    }
  }
}

package import DIDComm
package import Sodium

/// Somebody who vouches for users, with tokens, and is told when they get messages.
package struct Sponsor: Sendable {
  package let id: String
  package var isActive = true
  package var keys: [VerKey] = []

  /// Where notifications are posted.
  package var endpoint: String?

  /// The sponsor's push account; nil where the agency sends no push messages in its name.
  package var push: Firebase?

  /// Where those are posted that are for the sponsor's push account, when the agency does not have it.
  package var pushRelay: String?

  /// Where the agency gets tokens for whoever asks it for one. Without it, it gives none.
  package var tokenEndpoint: String?

  /// The key of the signatures of what is posted to the sponsor.
  package var webhookSecret: SecretBytes?

  package init(id: String) { self.id = id }
}

/// Who may have an agent.
package struct Admission: Sendable {
  package enum Mode: String, CaseIterable, Sendable {
    /// Only who has a sponsor's token.
    case token
    /// Anybody.
    case open
    /// Anybody by the older requests; by the newer one, who has a token.
    case both
  }

  package private(set) var mode: Mode

  /// How far a token's time may be from the agency's, in seconds.
  package let window: Int64

  private let sponsors: [String: Sponsor]

  package init(mode: Mode = .open, window: Int64 = 600) {
    self.mode = mode
    self.window = window
    sponsors = [:]
  }

  /// Fails when two ids are alike enough to be mistaken: what a sponsor signs has no separator between the user's id and
  /// the sponsor's, so no sponsor's id may be the end of another's.
  package init(mode: Mode, window: Int64 = 600, sponsors: [Sponsor]) throws(AdmissionError) {
    for (index, first) in sponsors.enumerated() {
      guard !first.id.isEmpty else { throw .emptySponsorID }
      for second in sponsors[(index + 1)...]
      where first.id.hasSuffix(second.id) || second.id.hasSuffix(first.id) {
        throw .ambiguousSponsorIDs(first.id, second.id)
      }
    }
    self.mode = mode
    self.window = window
    self.sponsors = Dictionary(uniqueKeysWithValues: sponsors.map { ($0.id, $0) })
    try change(to: mode)
  }

  /// Fails when only tokens are to give an agent and a sponsor who is active has no key to sign them with.
  package mutating func change(to mode: Mode) throws(AdmissionError) {
    let silent = sponsors.values.filter { $0.isActive && $0.keys.isEmpty }.map(\.id).min()
    if mode == .token, let silent { throw .noKeys(silent) }
    self.mode = mode
  }

  package subscript(sponsor id: String) -> Sponsor? { sponsors[id] }
}

package enum AdmissionError: Error, Equatable, Sendable {
  case emptySponsorID
  case ambiguousSponsorIDs(String, String)
  case noKeys(String)
}

extension AdmissionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .emptySponsorID: "a sponsor has an empty id"
    case .ambiguousSponsorIDs(let first, let second): "the sponsor ids \(first) and \(second) end alike"
    case .noKeys(let id): "the sponsor \(id) is active and has no verkeys"
    }
  }
}

package import DIDComm
package import Sodium

/// A sponsor vouches for users with tokens, and receives notifications of their messages.
package struct Sponsor: Sendable {
  package let id: String
  package var isActive = true
  package var keys: [VerKey] = []

  /// The URL for notifications.
  package var endpoint: String?

  /// The sponsor's push account; nil if the agency sends no push messages in its name.
  package var push: Firebase?

  /// The URL for notifications through the sponsor's push account, if the agency does not have it.
  package var pushRelay: String?

  /// The URL that gives tokens for anybody who asks the agency. Without it, the agency gives none.
  package var tokenEndpoint: String?

  /// The key that signs all posts to the sponsor.
  package var webhookSecret: SecretBytes?

  package init(id: String) { self.id = id }
}

/// The condition for creating an account.
package struct Admission: Sendable {
  package enum Mode: String, CaseIterable, Sendable {
    /// A sponsor's token.
    case token
    /// Anybody.
    case open
    /// The older requests need no token; the newer request needs one.
    case both
  }

  package private(set) var mode: Mode

  /// The longest difference between a token's time and the agency's, in seconds.
  package let window: Int64

  /// The longest `window` that an operator may set.
  static let longestWindow: Int64 = 7 * 86_400

  private let sponsors: [String: Sponsor]

  package init(mode: Mode = .open, window: Int64 = 600) {
    self.mode = mode
    self.window = window
    sponsors = [:]
  }

  /// Fails if two ids could be mistaken: the signed text has no separator between the user's id and the sponsor's, so
  /// no sponsor's id may be the end of another's.
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

  /// Fails if the mode requires tokens and an active sponsor has no key to sign them with.
  package mutating func change(to mode: Mode) throws(AdmissionError) {
    let silent = sponsors.values.filter { $0.isActive && $0.keys.isEmpty }.map(\.id).min()
    if mode == .token, let silent { throw .noKeys(silent) }
    self.mode = mode
  }

  /// Whether it holds a secret that the agency shares with a sponsor.
  var hasSecrets: Bool { sponsors.values.contains { $0.webhookSecret != nil } }

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

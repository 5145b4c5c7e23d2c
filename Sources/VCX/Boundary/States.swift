/// The state of a connection, a credential or a proof.
public enum State: UInt32, CaseIterable, Sendable {
  /// The exchange failed, the object was deleted, or there is no such connection.
  case none = 0
  /// Created. This side has sent nothing.
  case initialized = 1
  /// Connection: the invitation exists. Credential: this side sent the request. Proofs: this side sent the
  /// presentation, the proposal or the request. Issuer: this side sent the offer.
  case offerSent = 2
  /// Connection: the invitee sent its request, or the inviter received one. Credential: an offer arrived. Proofs: a
  /// request or a proposal arrived.
  case requestReceived = 3
  /// Completed: connected, stored, issued, accepted or verified.
  case accepted = 4
  /// Reserved; never returned.
  case unfulfilled = 5
  /// Reserved; never returned.
  case expired = 6
  /// Reserved; never returned.
  case revoked = 7
  /// The invitee answered the invitation with an existing connection.
  case redirected = 8
  /// One of the sides declined.
  case rejected = 9
  /// Credential: this side sent a proposal. Issuer: the holder proposes a credential.
  case proposed = 10
}

/// The result of a proof that this side requested.
public enum ProofState: UInt32, CaseIterable, Sendable {
  /// No presentation has arrived.
  case undefined = 0
  /// The presentation is valid.
  case verified = 1
  /// The presentation is not valid.
  case invalid = 2
  /// The other side declined.
  case rejected = 3
}

/// The state of a backup of the wallet in the cloud.
public enum BackupState: UInt32, CaseIterable, Sendable {
  /// Nothing has begun.
  case uninitialized = 0
  /// The library has asked the Cloud Agent for space.
  case initRequested = 1
  /// The program can send the wallet.
  case readyToExport = 2
  /// The program has sent the wallet, and the Cloud Agent has not confirmed it. State 2 follows.
  case inProgress = 3
  /// Reserved; never returned.
  case stored = 4
}

/// Whether a ledger or a registry has a schema or a credential definition.
public enum PublicationState: UInt32, CaseIterable, Sendable {
  /// Created, but not seen there yet.
  case built = 0
  /// Published there.
  case published = 1
}

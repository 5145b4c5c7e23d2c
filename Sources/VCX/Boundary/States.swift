/// The state of a connection, a credential or a proof, as the functions that get or update a state give it.
public enum State: UInt32, CaseIterable, Sendable {
  /// The exchange failed, the object was deleted, or there is no such connection.
  case none = 0
  /// Created; nothing has left this side.
  case initialized = 1
  /// Connection: there is an invitation. Credential: the request is out. Proofs: the presentation, the proposal or the
  /// request is out. Issuer: the offer is out.
  case offerSent = 2
  /// Connection: the request is out (invitee) or has come in (inviter). Credential: an offer is here. Proofs: a request
  /// or a proposal is here.
  case requestReceived = 3
  /// Completed: connected, stored, issued, accepted or verified.
  case accepted = 4
  /// Not reached any more; the number is kept.
  case unfulfilled = 5
  /// Not reached any more; the number is kept.
  case expired = 6
  /// Not reached any more; the number is kept.
  case revoked = 7
  /// The invitation was answered with an existing connection.
  case redirected = 8
  /// Declined by one of the sides.
  case rejected = 9
}

/// What became of a proof that this side asked for.
public enum ProofState: UInt32, CaseIterable, Sendable {
  /// No presentation has come in.
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
  /// The Cloud Agent was asked to make room.
  case initRequested = 1
  /// The wallet can be sent.
  case readyToExport = 2
  /// The wallet is on its way.
  case inProgress = 3
  /// The Cloud Agent has stored the wallet.
  case stored = 4
}

/// Whether a schema or a credential definition is on the ledger.
public enum PublicationState: UInt32, CaseIterable, Sendable {
  /// Made, and not seen on the ledger.
  case built = 0
  /// On the ledger.
  case published = 1
}

/// The kinds of objects that a wallet keeps. Their names are those of the functions on them.
package enum KeptKind: String, CaseIterable, Sendable {
  case connection, credential, schema, proof
  case disclosedProof = "disclosed_proof"
  case issuerCredential = "issuer_credential"
  case credentialDefinition = "credentialdef"
}

/// The facts of an object by which programs find it.
package struct KeptFacts: Equatable, Sendable {
  var sourceID: String
  /// The number of the state in the API.
  var state: UInt32
  /// The thread id of its exchange (RFC 0008).
  var thread: String?
  /// This side's pairwise DID of the connection.
  var pairwiseDID: String?
  /// The other side's DID.
  var theirDID: String?
  /// Whether the exchange is over.
  var isFinished = false
  /// Whether `keep_finished_days` deletes the record in time: the exchange is over, and nobody needs it.
  var isDisposable = false
  /// Whether no peer knows of the object. A program may make several such objects from one text.
  var isTemplate = false
}

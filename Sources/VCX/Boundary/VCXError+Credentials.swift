internal import AnonCreds
internal import Aries
internal import Credentials
internal import MSDK
internal import Registry

// The numbers of the errors of credentials and proofs.

extension AnonCredsError: NumberedError {
  /// The library does not return libindy's own numbers for these errors: wrappers for it do not know them.
  var code: ErrorCode {
    switch self {
    case .unavailable: .actionNotSupported
    case .failed(let code, _):
      switch code {
      case .input: .libindyInvalidStructure
      case .io: .ioerror
      case .invalidState, .unexpected: .unknownLibindyError
      case .credentialRevoked: .credentialRevoked
      case .invalidRevocationIndex: .invalidRevocationDetails
      case .proofRejected: .invalidProof
      case .registryFull: .invalidRevEntry
      }
    }
  }
}

extension CredentialsError: NumberedError {
  var code: ErrorCode {
    switch self {
    case .malformedRequest: .invalidProofRequest
    case .malformedRequestedAttributes: .invalidAttributesStructure
    case .malformedRequestedPredicates: .invalidPredicatesStructure
    case .malformedInterval: .invalidJson
    case .unsupportedRestriction: .libindyInvalidStructure
    case .malformedSelection: .invalidProofCredentialData
    case .malformedSelfAttested: .invalidJson
    case .malformedOffer: .invalidCredentialOffer
    case .malformedCredential: .invalidCredentialJson
    case .notVerified: .invalidProof
    case .absentObject, .unusableObject: .credentialDefinitionNotFound
    case .notFound: .walletRecordNotFound
    case .exists: .duplicateWalletRecord
    case .revoked: .credentialRevoked
    case .malformedRegistry: .invalidRevocationDetails
    case .malformedQuery: .invalidLibindyParam
    }
  }
}

extension IssuingError: NumberedError {
  var code: ErrorCode {
    switch self {
    case .malformedNames: .libindyInvalidStructure
    case .invalidSchema: .invalidSchemaCreation
    case .invalidTag: .createCredentialDefErr
    case .invalidIssuer: .invalidDid
    case .malformedValues: .invalidAttributesStructure
    case .malformedRevocation, .registryFull: .invalidRevocationDetails
    case .otherTerms: .invalidState
    case .noKeys: .walletRecordNotFound
    case .malformedRequest: .invalidCredentialRequest
    }
  }
}

extension PublicationFailure: NumberedError {
  var code: ErrorCode {
    switch (error, kind) {
    case (.notConfigured, _): .noPoolOpen
    case (.unreachable, _): .poolLedgerConnect
    case (.noKey, _): .walletRecordNotFound
    case (.forged, _), (.unknownAuthor, _): .invalidJson
    case (_, .transaction): .invalidLedgerResponse
    case (.exists, .object(.schema)): .duplicateSchema
    case (.refused, .object(.schema)), (.notAccepted, .object(.schema)): .unknownSchemaRejection
    case (_, .object(.definition)): .createCredentialDefErr
    case (_, .object(.revocationRegistry)), (_, .tails): .invalidRevRegDefCreation
    case (_, .did): .invalidDid
    case (_, .statusList): .invalidRevEntry
    }
  }
}

extension StateError: NumberedError {
  var code: ErrorCode {
    switch self {
    case .malformed, .unsupportedVersion: .invalidJson
    case .proprietary: .actionNotSupported
    }
  }
}

extension PresentationFailed: NumberedError {
  /// The error's own code is lost with the process of the attempt.
  var code: ErrorCode { .createProofError }
}

extension ExchangeError: NumberedError {
  var code: ErrorCode {
    switch self {
    case .notReady: .notReady
    case .ended: .invalidState
    case .noService: .invalidConnectionHandle
    case .otherMessage: .invalidAgencyResponse
    }
  }
}

internal import AnonCreds
internal import Aries
internal import CloudAgent
internal import Credentials
internal import DIDComm
internal import JSON
internal import MSDK
internal import Registry
internal import Sodium
internal import Wallet

// The numbers of the errors of the layers below. No switch over an error has a default: a new case does not compile until it
// has a number. `ErrorNumberTests` fails until a new type of error has an extension here.

extension SettingsError: NumberedError {
  var code: ErrorCode {
    switch self {
    case .malformed, .missing, .invalidValue, .noCloudAgent, .twoCloudAgents, .noFile: .invalidConfiguration
    case .unreadable: .ioerror
    case .missingWalletKey: .missingWalletKey
    case .incompleteImport: .invalidWalletImportConfig
    case .invalidDID: .invalidDid
    case .invalidVerKey: .invalidVerkey
    case .invalidURL: .invalidUrl
    case .malformedAuthorAgreement: .invalidJson
    case .invalidGenesis: .invalidGenesisTxnPath
    }
  }
}

extension TokenError: NumberedError {
  var code: ErrorCode {
    switch self {
    case .malformed: .invalidProvisionToken
    case .malformedAttestation: .invalidConfiguration
    }
  }
}

extension SessionError: NumberedError {
  var code: ErrorCode {
    switch self {
    case .notRunning, .closed: .invalidConfiguration
    case .alreadyRunning: .alreadyInitialized
    case .noRegistry, .noLedger: .noPoolOpen
    case .ledgerUnreachable: .poolLedgerConnect
    }
  }
}

extension WalletError: NumberedError {
  var code: ErrorCode {
    switch self {
    case .alreadyExists: .walletAlreadyExists
    case .notFound, .removed: .walletNotFound
    case .alreadyOpen: .walletAlreadyOpen
    case .accessDenied: .walletAccessFailed
    case .closed: .invalidWalletHandle
    case .recordNotFound: .walletRecordNotFound
    case .recordExists: .duplicateWalletRecord
    case .reservedType, .malformedLocation, .malformedQuery: .invalidLibindyParam
    case .malformedKey, .malformedTags, .malformedOptions, .malformedExport, .malformedSeed, .undecipherable:
      .libindyInvalidStructure
    case .corrupt, .foreignObjects, .unreadableExport, .diskFull, .readOnly, .busy, .recordChanged, .outOfMemory, .io:
      .ioerror
    case .database: .unknownLibindyError
    }
  }
}

extension CloudAgentError: NumberedError {
  var code: ErrorCode {
    switch self {
    case .unreachable, .refused(_, nil), .denied, .recoveryKeyTaken: .postMsgFailure
    case .refused(_, let refusal?):
      switch refusal.statusCode {
      case "GNR-115": .invalidAgencyRequest
      case "CS-101", "CS-104": .connectionAlreadyExists
      case "CS-102", "CS-103": .connectionDoesNotExist
      default: .postMsgFailure
      }
    case .invalidAnswer, .tooMuch: .invalidAgencyResponse
    case .declined: .invalidProvisionToken
    case .unable: .actionNotSupported
    case .missingKey: .walletRecordNotFound
    case .unknownMailbox: .connectionDoesNotExist
    case .recoveryKeyReplaced: .createWalletBackup
    }
  }
}

extension InvitationError: NumberedError {
  var code: ErrorCode { .invalidInviteDetails }

  /// The description. For an invitation of another form it names the function that accepts it.
  var detail: String {
    switch self {
    case .otherKind(.connection): "\(description): use vcx_connection_create_with_invite"
    case .otherKind(.outOfBand): "\(description): use vcx_connection_create_with_outofband_invitation"
    case .malformed, .unsupported: description
    }
  }
}

extension ConnectionError: NumberedError {
  var code: ErrorCode {
    switch self {
    case .noMailbox: .invalidDid
    case .notReady, .beingAnswered: .notReady
    case .notCompleted: .connectionNotCompleted
    case .proprietary, .foreignInvitation, .ariesConnection, .needsLedger: .actionNotSupported
    case .malformedState, .unsupportedVersion, .malformedOptions, .mailboxInUse, .unknownOption, .unknownHandshake,
      .handshakeNotOffered, .unknownDIDMethod, .didMethodNotPossible:
      .invalidJson
    }
  }
}

extension PublicDIDError: NumberedError {
  var code: ErrorCode {
    switch self {
    case .notFound: .invalidDid
    case .unreachable: .poolLedgerConnect
    case .noEndpoint, .invalid: .invalidDidDoc
    }
  }
}

extension ProtocolError: NumberedError {
  var code: ErrorCode {
    switch self {
    case .wrongThread: .messageIsOutOfThread
    case .notFromPeer, .wrongSigner, .badSignature, .tooDeep: .invalidJson
    case .otherKeys, .ownKey: .invalidDidDoc
    case .needsLedger: .actionNotSupported
    case .outOfTurn: .invalidState
    case .noReplyService: .postMsgFailure
    case .malformed(let error): error.code
    }
  }
}

extension MessageError: NumberedError {
  var code: ErrorCode {
    switch self {
    case .malformed, .tooLarge, .otherType, .ambiguous: .invalidJson
    case .malformedDocument: .invalidDidDoc
    case .malformedAttachment(let error): error.code
    case .unsupportedFormat: .invalidAttachmentEncoding
    }
  }
}

extension MailboxError: NumberedError {
  var code: ErrorCode {
    switch self {
    case .unknownStatus, .malformedList, .unprovenSender: .invalidJson
    case .notOneMessage: .invalidAgencyResponse
    }
  }
}

extension AttachmentError: NumberedError {
  var code: ErrorCode {
    switch self {
    case .missing, .malformed: .invalidJson
    case .empty, .undecodable: .invalidAttachmentEncoding
    }
  }
}

extension RegistryFailure: NumberedError {
  var code: ErrorCode {
    switch (kind, error) {
    case (.schema, _): .invalidSchema
    case (.definition, _): .credentialDefinitionNotFound
    case (.revocationRegistry, .notConfigured): .noPoolOpen
    case (.revocationRegistry, _): .invalidRevocationDetails
    }
  }
}

extension BackupError: NumberedError {
  var code: ErrorCode {
    switch self {
    case .shortPassphrase: .invalidOption
    case .notReady: .notReady
    case .tooLarge: .maxBackupSize
    case .unreadableExport, .nothingStored: .retrieveExportedWallet
    case .notFound: .retrieveDeadDrop
    case .unknownVersion: .invalidJson
    }
  }
}

extension EnvelopeError: NumberedError {
  var code: ErrorCode {
    switch self {
    case .malformed, .unsupported, .notAuthentic: .invalidAgencyResponse
    case .noRecipient, .unusableKey, .malformedRoutingKey, .tooManyKeys: .invalidVerkey
    }
  }
}

extension IdentifierError: NumberedError {
  var code: ErrorCode {
    switch self {
    case .malformedVerKey, .unsupportedKeyType: .invalidVerkey
    case .malformedDID: .invalidDid
    }
  }
}

extension WalletFailure: NumberedError {
  var code: ErrorCode { error.code }
}

extension DeliveryError: NumberedError {
  var code: ErrorCode { .postMsgFailure }
}

extension LinkError: NumberedError {
  var code: ErrorCode { .invalidUrl }
}

extension QuestionError: NumberedError {
  var code: ErrorCode { .invalidJson }
}

extension DIDDocumentError: NumberedError {
  var code: ErrorCode { .invalidDidDoc }
}

extension SodiumError: NumberedError {
  var code: ErrorCode { .unknownLibindyError }
}

extension JSONError: NumberedError {
  var code: ErrorCode { .invalidJson }
}

/// Replaces the code, for functions that have an error of their own for a malformed text.
func reporting<Value>(_ code: ErrorCode, _ body: () throws -> Value) throws(VCXError) -> Value {
  do { return try body() } catch { throw VCXError(code, VCXError(error).detail) }
}

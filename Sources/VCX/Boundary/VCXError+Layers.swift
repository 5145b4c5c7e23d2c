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

// Maps the errors of the layers below to their numbers. No switch over an error has a default: a new case of `MSDKError`,
// or of one of the errors in it, does not compile until it has a number.

extension VCXError {
  /// Converts the error that ended an operation.
  init(_ error: any Error) { self = error as? VCXError ?? VCXError(MSDKError(error)) }

  init(_ error: MSDKError) {
    self =
      switch error {
      case .settings(let error): VCXError(error.code, error.description)
      case .token(let error): VCXError(error.code, error.description)
      case .session(let error): VCXError(error.code, error.description)
      case .wallet(let error): VCXError(error.code, error.description)
      case .walletFile(let error): VCXError(error.error.code, error.description)
      case .cloudAgent(let error): VCXError(error.code, error.description)
      case .delivery(let error): VCXError(.postMsgFailure, error.description)
      case .link(let error): VCXError(.invalidUrl, error.description)
      case .mailbox(let error): VCXError(error.code, error.description)
      case .invitation(let error): VCXError(.invalidInviteDetails, error.advice)
      case .connection(let error): VCXError(error.code, error.description)
      case .publicDID(let error): VCXError(error.code, error.description)
      case .exchange(let error): VCXError(error.code, error.description)
      case .backup(let error): VCXError(error.code, error.description)
      case .presentation(let error): VCXError(error.code, error.description)
      case .protocolRule(let error): VCXError(error.code, error.description)
      case .message(let error): VCXError(error.code, error.description)
      case .question(let error): VCXError(.invalidJson, error.description)
      case .attachment(let error): VCXError(error.code, error.description)
      case .state(let error): VCXError(error.code, error.description)
      case .document(let error): VCXError(.invalidDidDoc, error.description)
      case .identifier(let error): VCXError(error.code, error.description)
      case .envelope(let error): VCXError(error.code, error.description)
      case .credentials(let error): VCXError(error.code, error.description)
      case .registry(let error): VCXError(error.code, error.description)
      case .publication(let error): VCXError(error.code, error.description)
      case .issuing(let error): VCXError(error.code, error.description)
      case .engine(let error): VCXError(error.code, error.description)
      case .sodium(let error): VCXError(.unknownLibindyError, error.description)
      case .json(let error): VCXError(.invalidJson, error.description)
      case .unexpected(let type): VCXError(.unknownError, "an error without a code: \(type)")
      }
  }
}

extension SettingsError {
  fileprivate var code: ErrorCode {
    switch self {
    case .malformed, .missing, .invalidValue, .noFile: .invalidConfiguration
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

extension TokenError {
  fileprivate var code: ErrorCode {
    switch self {
    case .malformed: .invalidProvisionToken
    case .malformedAttestation: .invalidConfiguration
    }
  }
}

extension SessionError {
  fileprivate var code: ErrorCode {
    switch self {
    case .notRunning: .invalidConfiguration
    case .alreadyRunning: .alreadyInitialized
    case .noRegistry, .noLedger: .noPoolOpen
    case .ledgerUnreachable: .poolLedgerConnect
    }
  }
}

extension WalletError {
  fileprivate var code: ErrorCode {
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
    case .corrupt, .foreignObjects, .unreadableExport, .diskFull, .readOnly, .busy, .outOfMemory, .io: .ioerror
    case .database: .unknownLibindyError
    }
  }
}

extension CloudAgentError {
  fileprivate var code: ErrorCode {
    switch self {
    case .unreachable, .refused(_, nil), .recoveryKeyTaken: .postMsgFailure
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

extension InvitationError {
  /// The description. For an invitation of another form it names the function that accepts it.
  fileprivate var advice: String {
    switch self {
    case .otherKind(.connection): "\(description): use vcx_connection_create_with_invite"
    case .otherKind(.outOfBand): "\(description): use vcx_connection_create_with_outofband_invitation"
    case .malformed, .unsupported: description
    }
  }
}

extension ConnectionError {
  fileprivate var code: ErrorCode {
    switch self {
    case .noMailbox: .invalidDid
    case .notReady: .notReady
    case .notCompleted: .connectionNotCompleted
    case .proprietary, .foreignInvitation, .ariesConnection, .needsLedger: .actionNotSupported
    case .malformedState, .unsupportedVersion, .malformedOptions, .unknownOption, .unknownHandshake,
      .handshakeNotOffered, .unknownDIDMethod, .didMethodNotPossible:
      .invalidJson
    }
  }
}

extension PublicDIDError {
  fileprivate var code: ErrorCode {
    switch self {
    case .notFound: .invalidDid
    case .unreachable: .poolLedgerConnect
    case .noEndpoint: .invalidDidDoc
    }
  }
}

extension ProtocolError {
  fileprivate var code: ErrorCode {
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

extension MessageError {
  fileprivate var code: ErrorCode {
    switch self {
    case .malformed, .tooLarge, .otherType, .ambiguous: .invalidJson
    case .malformedDocument: .invalidDidDoc
    case .malformedAttachment(let error): error.code
    case .unsupportedFormat: .invalidAttachmentEncoding
    }
  }
}

extension MailboxError {
  fileprivate var code: ErrorCode {
    switch self {
    case .unknownStatus, .malformedList, .unprovenSender: .invalidJson
    case .notOneMessage: .invalidAgencyResponse
    }
  }
}

extension AttachmentError {
  fileprivate var code: ErrorCode {
    switch self {
    case .missing, .malformed: .invalidJson
    case .empty, .undecodable: .invalidAttachmentEncoding
    }
  }
}

extension RegistryFailure {
  fileprivate var code: ErrorCode {
    switch (kind, error) {
    case (.schema, _): .invalidSchema
    case (.definition, _): .credentialDefinitionNotFound
    case (.revocationRegistry, .notConfigured): .noPoolOpen
    case (.revocationRegistry, _): .invalidRevocationDetails
    }
  }
}

extension BackupError {
  fileprivate var code: ErrorCode {
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

extension EnvelopeError {
  fileprivate var code: ErrorCode {
    switch self {
    case .malformed, .unsupported, .notAuthentic: .invalidAgencyResponse
    case .noRecipient, .unusableKey, .malformedRoutingKey, .tooManyKeys: .invalidVerkey
    }
  }
}

extension IdentifierError {
  fileprivate var code: ErrorCode {
    switch self {
    case .malformedVerKey, .unsupportedKeyType: .invalidVerkey
    case .malformedDID: .invalidDid
    }
  }
}

/// Replaces the code, for functions with an error of their own for a malformed text.
func reporting<Value>(_ code: ErrorCode, _ body: () throws -> Value) throws(VCXError) -> Value {
  do { return try body() } catch { throw VCXError(code, VCXError(error).detail) }
}

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

// Maps the errors of the layers below to their numbers. No switch has a default, so a new case does not compile until
// it has a code.

extension VCXError {
  init(_ error: any Error) {
    switch error {
    case let error as VCXError: self = error
    case let error as SettingsError: self.init(error.code, error.description)
    case let error as TokenError: self.init(error.code, error.description)
    case let error as SessionError: self.init(error.code, error.description)
    case let error as WalletError: self.init(error.code, error.description)
    case let error as WalletFailure: self.init(error.error.code, error.description)
    case let error as CloudAgentError: self.init(error.code, error.description)
    case let error as DeliveryError: self.init(.postMsgFailure, error.description)
    case let error as LinkError: self.init(.invalidUrl, error.description)
    case let error as InvitationError: self.init(.invalidInviteDetails, error.advice)
    case let error as ConnectionError: self.init(error.code, error.description)
    case let error as PublicDIDError: self.init(error.code, error.description)
    case let error as ProtocolError: self.init(error.code, error.description)
    case let error as MessageError: self.init(error.code, error.description)
    case let error as DIDDocumentError: self.init(.invalidDidDoc, error.description)
    case let error as JSONError: self.init(.invalidJson, error.description)
    case let error as MailboxError: self.init(error.code, error.description)
    case let error as AttachmentError: self.init(error.code, error.description)
    case let error as RegistryFailure: self.init(error.code, error.description)
    case let error as EnvelopeError: self.init(error.code, error.description)
    case let error as IdentifierError: self.init(error.code, error.description)
    case let error as AnonCredsError: self.init(error.code, error.description)
    case let error as CredentialsError: self.init(error.code, error.description)
    case let error as StateError: self.init(error.code, error.description)
    case let error as PresentationFailed: self.init(error.code, error.description)
    case let error as ExchangeError: self.init(error.code, error.description)
    case let error as SodiumError: self.init(.unknownLibindyError, error.description)
    default: self.init(.unknownError, "an error without a code: \(type(of: error))")
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
    case .noRegistry: .noPoolOpen
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
    case .corrupt, .diskFull, .readOnly, .busy, .outOfMemory, .io: .ioerror
    case .database: .unknownLibindyError
    }
  }
}

extension CloudAgentError {
  fileprivate var code: ErrorCode {
    switch self {
    case .unreachable, .refused(_, nil): .postMsgFailure
    case .refused(_, let refusal?):
      switch refusal.statusCode {
      case "GNR-115": .invalidAgencyRequest
      case "CS-101", "CS-104": .connectionAlreadyExists
      case "CS-102", "CS-103": .connectionDoesNotExist
      default: .postMsgFailure
      }
    case .invalidAnswer, .tooMuch: .invalidAgencyResponse
    case .declined: .invalidProvisionToken
    case .missingKey: .walletRecordNotFound
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
    case .malformedState, .stateFromTheFuture, .malformedOptions, .unknownOption, .unknownHandshake,
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
    case .needsLedger: .actionNotSupported
    case .outOfTurn: .invalidState
    case .malformed(let error): error.code
    }
  }
}

extension MessageError {
  fileprivate var code: ErrorCode {
    switch self {
    case .malformed, .tooLarge, .otherType: .invalidJson
    case .malformedDocument: .invalidDidDoc
    case .malformedAttachment(let error): error.code
    case .unsupportedFormat: .invalidAttachmentEncoding
    }
  }
}

extension MailboxError {
  fileprivate var code: ErrorCode {
    switch self {
    case .unknownStatus, .malformedList: .invalidJson
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

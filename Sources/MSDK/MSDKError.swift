package import AnonCreds
package import Aries
package import CloudAgent
package import Credentials
package import DIDComm
package import JSON
package import Registry
package import Sodium
package import Wallet

/// An error of a call: the closed list of the errors that the functions of this module throw.
///
/// Functions that call several layers throw plain errors, because Swift has no type for one of several errors. Functions
/// that call one layer throw that layer's type. `VCX` converts the error once, with `init(_:)`, when the call ends.
/// Decision 22 has the reasons.
package enum MSDKError: Error, Equatable, Sendable {
  case settings(SettingsError)
  case token(TokenError)
  case session(SessionError)
  case wallet(WalletError)
  case walletFile(WalletFailure)
  case cloudAgent(CloudAgentError)
  case delivery(DeliveryError)
  case link(LinkError)
  case mailbox(MailboxError)
  case invitation(InvitationError)
  case connection(ConnectionError)
  case publicDID(PublicDIDError)
  case exchange(ExchangeError)
  case backup(BackupError)
  case presentation(PresentationFailed)
  case protocolRule(ProtocolError)
  case message(MessageError)
  case question(QuestionError)
  case attachment(AttachmentError)
  case state(StateError)
  case document(DIDDocumentError)
  case identifier(IdentifierError)
  case envelope(EnvelopeError)
  case credentials(CredentialsError)
  case issuing(IssuingError)
  case registry(RegistryFailure)
  case publication(PublicationFailure)
  case engine(AnonCredsError)
  case sodium(SodiumError)
  case json(JSONError)
  /// An error that a layer below should have converted. The text names its type.
  case unexpected(String)
}

extension MSDKError {
  /// Sorts an error of this module or of a layer below. A test compares the list with the error types of these layers.
  package init(_ error: any Error) {
    switch error {
    case let error as MSDKError: self = error
    case let error as SettingsError: self = .settings(error)
    case let error as TokenError: self = .token(error)
    case let error as SessionError: self = .session(error)
    case let error as WalletError: self = .wallet(error)
    case let error as WalletFailure: self = .walletFile(error)
    case let error as CloudAgentError: self = .cloudAgent(error)
    case let error as DeliveryError: self = .delivery(error)
    case let error as LinkError: self = .link(error)
    case let error as MailboxError: self = .mailbox(error)
    case let error as InvitationError: self = .invitation(error)
    case let error as ConnectionError: self = .connection(error)
    case let error as PublicDIDError: self = .publicDID(error)
    case let error as ExchangeError: self = .exchange(error)
    case let error as BackupError: self = .backup(error)
    case let error as PresentationFailed: self = .presentation(error)
    case let error as ProtocolError: self = .protocolRule(error)
    case let error as MessageError: self = .message(error)
    case let error as QuestionError: self = .question(error)
    case let error as AttachmentError: self = .attachment(error)
    case let error as StateError: self = .state(error)
    case let error as DIDDocumentError: self = .document(error)
    case let error as IdentifierError: self = .identifier(error)
    case let error as EnvelopeError: self = .envelope(error)
    case let error as CredentialsError: self = .credentials(error)
    case let error as IssuingError: self = .issuing(error)
    case let error as RegistryFailure: self = .registry(error)
    case let error as PublicationFailure: self = .publication(error)
    case let error as AnonCredsError: self = .engine(error)
    case let error as SodiumError: self = .sodium(error)
    case let error as JSONError: self = .json(error)
    default: self = .unexpected("\(type(of: error))")
    }
  }
}

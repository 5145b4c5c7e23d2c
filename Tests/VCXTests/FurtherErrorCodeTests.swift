import Aries
import CloudAgent
import Credentials
import DIDComm
import Registry
import Sodium
import Testing
import Wallet

@testable import MSDK
@testable import VCX

/// The number of each error of ledgers, backups and exchanges, which programs compare.
@Suite struct FurtherErrorCodeTests {
  @Test(
    arguments: [
      (SessionError.noRegistry, 1030), (SettingsError.invalidGenesis(reason: "x"), 1024), (WalletError.removed, 1079),
      (PublicDIDError.notFound("x"), 1008), (PublicDIDError.unreachable("x", "y"), 1025),
      (PublicDIDError.noEndpoint("x"), 1108), (PublicDIDError.invalid("x", "y"), 1108),
      (BackupError.shortPassphrase, 1007), (BackupError.notReady, 1005),
      (BackupError.tooLarge, 1105), (BackupError.unreadableExport, 1097), (BackupError.notFound, 1099),
      (BackupError.nothingStored, 1097), (CloudAgentError.recoveryKeyTaken, 1010),
      (CloudAgentError.recoveryKeyReplaced, 1096), (CloudAgentError.unable("x"), 1103),
      (CloudAgentError.denied("x"), 1010),
      (CloudAgentError.unknownMailbox(KeyPair().verkey.did), 1063),
      (BackupError.unknownVersion, 1016),
      (PublicationFailure(.object(.schema), "x", .noKey("y")), 1073),
      (PublicationFailure(.object(.schema), "x", .forged(author: "y")), 1016),
      (PublicationFailure(.transaction, "x", .unknownAuthor("y")), 1016),
      (PublicationFailure(.transaction, "x", .refused("y")), 1082),
      (PublicationFailure(.transaction, "x", .unreachable("y")), 1025),
      (PublicationFailure(.object(.definition), "x", .exists("y")), 1034),
    ] as [(any Error & Sendable, UInt32)])
  func walletsAndLedgers(error: any Error & Sendable, code: UInt32) { #expect(VCXError(error).code.rawValue == code) }

  @Test(
    arguments: [
      (ConnectionError.foreignInvitation, 1103), (ConnectionError.needsLedger("x"), 1103),
      (ConnectionError.unknownOption("x"), 1016), (ConnectionError.unknownDIDMethod, 1016),
      (ConnectionError.didMethodNotPossible, 1016), (ProtocolError.needsLedger, 1103),
      (MessageError.otherType(expected: "x"), 1016), (EnvelopeError.unusableKey(KeyPair().verkey), 1009),
      (EnvelopeError.malformedRoutingKey, 1009), (EnvelopeError.tooManyKeys, 1009),
      (CredentialsError.malformedRequestedAttributes("x"), 1021),
      (CredentialsError.malformedRequestedPredicates("x"), 1028), (CredentialsError.malformedInterval("x"), 1016),
      (CredentialsError.absentObject, 1036), (CredentialsError.unusableObject("x"), 1036),
      (PresentationFailed(reason: "x", isLocal: true), 1056),
      (PresentationFailed(reason: "x", isLocal: false), 1056),
    ] as [(any Error & Sendable, UInt32)])
  func connectionsAndExchanges(error: any Error & Sendable, code: UInt32) {
    #expect(VCXError(error).code.rawValue == code)
  }

  @Test(arguments: [RegistryError.notConfigured, .notFound, .unreachable("x"), .invalid("x")])
  func aMissingObjectHasTheCodeOfItsKind(error: RegistryError) {
    #expect(VCXError(RegistryFailure(.schema, "x", error)).code.rawValue == 1031)
    #expect(VCXError(RegistryFailure(.definition, "x", error)).code.rawValue == 1036)
    let code = VCXError(RegistryFailure(.revocationRegistry, "x", error)).code.rawValue
    #expect(code == (error == .notConfigured ? 1030 : 1091))
  }

  /// The developer has used the function of the other kind of invitation.
  @Test(arguments: [
    (InvitationKind.connection, "vcx_connection_create_with_invite"),
    (.outOfBand, "vcx_connection_create_with_outofband_invitation"),
  ])
  func anInvitationOfAnotherKindNamesItsFunction(kind: InvitationKind, function: String) {
    let error = VCXError(InvitationError.otherKind(kind))
    #expect(error.code.rawValue == 1045 && error.detail.hasSuffix("use \(function)"))
  }
}

import AgencyWire
import Aries
import CloudAgent
import DIDComm
import HTTP
import JSON
import MSDK
import Sodium
import Testing
import Wallet

@testable import VCX

/// The number of each error of the layers below, which programs compare.
@Suite struct ErrorCodeTests {
  private static let json = JSONError.missing(key: "x")

  @Test(
    arguments: [
      (SettingsError.malformed(json), 1004), (SettingsError.missing("x"), 1004),
      (SettingsError.invalidValue("x", "y"), 1004), (SettingsError.noFile(path: "x"), 1004),
      (SettingsError.unreadable(path: "x", reason: "y"), 1074), (SettingsError.missingWalletKey, 1069),
      (SettingsError.incompleteImport("x"), 1076), (SettingsError.invalidDID("x"), 1008),
      (SettingsError.invalidVerKey("x"), 1009), (SettingsError.invalidURL("x"), 1013),
      (SettingsError.malformedAuthorAgreement, 1016),
      (TokenError.malformed(json), 1107), (TokenError.malformedAttestation(json), 1004),
      (SessionError.notRunning, 1004), (SessionError.alreadyRunning, 1044), (SessionError.noLedger, 1030),
      (SessionError.ledgerUnreachable("x"), 1025),
    ] as [(any Error & Sendable, UInt32)])
  func settingsAndTheAgent(error: any Error & Sendable, code: UInt32) { #expect(VCXError(error).code.rawValue == code) }

  @Test(
    arguments: [
      (.alreadyExists, 1051), (.notFound, 1079), (.alreadyOpen, 1052), (.accessDenied, 1075), (.closed, 1057),
      (.recordNotFound, 1073), (.recordExists, 1072), (.reservedType, 1067), (.malformedLocation, 1067),
      (.malformedQuery(reason: "x", at: "y"), 1067), (.malformedKey, 1080), (.malformedTags(reason: "x"), 1080),
      (.malformedOptions(reason: "x"), 1080), (.malformedExport(reason: "x"), 1080), (.malformedSeed, 1080),
      (.undecipherable, 1080), (.corrupt(reason: "x"), 1074), (.diskFull, 1074), (.readOnly, 1074), (.busy, 1074),
      (.outOfMemory, 1074), (.io(reason: "x"), 1074), (.database(code: 1, reason: "x"), 1035),
    ] as [(WalletError, UInt32)])
  func theWallet(error: WalletError, code: UInt32) {
    #expect(VCXError(error).code.rawValue == code)
    let placed = VCXError(WalletFailure(error, at: "/wallets/alice/sqlite.db"))
    #expect(placed.code.rawValue == code)
    #expect(placed.detail == "\(error): /wallets/alice/sqlite.db")
  }

  @Test(
    arguments: [
      (.unreachable(.invalidURL), 1010), (.refused(status: 500, nil), 1010), (.invalidAnswer("x"), 1020),
      (.declined("x"), 1107), (.tooMuch, 1020), (.missingKey(KeyPair().verkey), 1073), (refusal("GNR-115"), 1029),
      (refusal("CS-101"), 1062), (refusal("CS-104"), 1062), (refusal("CS-102"), 1063), (refusal("CS-103"), 1063),
      (refusal("GNR-105"), 1010),
    ] as [(CloudAgentError, UInt32)])
  func theCloudAgent(error: CloudAgentError, code: UInt32) { #expect(VCXError(error).code.rawValue == code) }

  private static func refusal(_ code: String) -> CloudAgentError {
    .refused(status: 400, .init(statusCode: code, statusMessage: "x"))
  }

  @Test(
    arguments: [
      (ConnectionError.noMailbox, 1008), (ConnectionError.notReady, 1005),
      (ConnectionError.proprietary("x"), 1103),
      (ConnectionError.ariesConnection, 1103), (ConnectionError.malformedState("x"), 1016),
      (ConnectionError.unsupportedVersion("x"), 1016), (ConnectionError.malformedOptions(json), 1016),
      (ConnectionError.unknownHandshake, 1016), (ConnectionError.handshakeNotOffered("x"), 1016),
      (ProtocolError.wrongThread, 1109), (ProtocolError.tooDeep, 1016), (ProtocolError.notFromPeer, 1016),
      (ProtocolError.wrongSigner, 1016), (ProtocolError.noReplyService, 1010),
      (ProtocolError.badSignature(.notAuthentic), 1016), (ProtocolError.malformed(.malformed(json)), 1016),
      (ProtocolError.malformed(.malformedDocument(.noService(.unsupported))), 1108),
      (MessageError.malformed(json), 1016),
      (MessageError.malformedDocument(.noService(.unsupported)), 1108),
      (DIDDocumentError.noService(.unsupported), 1108),
      (InvitationError.malformed("x"), 1045), (DeliveryError.refused(status: 500), 1010),
      (DeliveryError.unreachable(.invalidURL), 1010), (LinkError.tooManyHops, 1013), (json, 1016),
      (MailboxError.unknownStatus, 1016), (MailboxError.malformedList("x"), 1016),
      (MailboxError.notOneMessage(count: 2), 1020), (AttachmentError.missing, 1016),
      (AttachmentError.malformed("x"), 1016),
      (AttachmentError.empty, 1100), (AttachmentError.undecodable("x"), 1100), (EnvelopeError.malformed("x"), 1020),
      (EnvelopeError.unsupported("x"), 1020), (EnvelopeError.notAuthentic, 1020), (EnvelopeError.noRecipient, 1009),
      (IdentifierError.malformedVerKey, 1009), (IdentifierError.unsupportedKeyType, 1009),
      (IdentifierError.malformedDID, 1008), (SodiumError.unusableKey, 1035),
      (VCXError(.invalidNonce, "x"), 1011), (CancellationError(), 1001),
    ] as [(any Error & Sendable, UInt32)])
  func connectionsAndMessages(error: any Error & Sendable, code: UInt32) {
    #expect(VCXError(error).code.rawValue == code)
  }

  @Test func aTextMayHaveACodeOfItsOwn() throws {
    #expect(throws: VCXError(.invalidNonce, "member \"x\" is missing")) {
      try reporting(.invalidNonce) { throw Self.json }
    }
  }
}

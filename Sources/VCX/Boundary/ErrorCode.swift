// The header explains each code by its text, in ErrorText.swift, and by the comment of the case, if there is one.

/// The codes of errors. Those below 1200 are libvcx's numbers; the others are the library's own. Some are reserved: programs for libvcx name them, and the library never
/// returns them.
public enum ErrorCode: UInt32, CaseIterable, Sendable {
  case success = 0
  /// The failure has no code of its own.
  case unknownError = 1001
  case invalidConnectionHandle = 1003
  /// Calls that need a session also return it while the library is not initialised, or if their agent is closed.
  case invalidConfiguration = 1004
  case notReady = 1005
  /// A text is NULL, empty or not UTF-8, or a number is out of range. Only functions return it; callbacks never receive
  /// it.
  case invalidOption = 1007
  /// Also if the connection has no DID before `vcx_connection_connect`.
  case invalidDid = 1008
  case invalidVerkey = 1009
  case postMsgFailure = 1010
  /// Reserved; never returned.
  case invalidNonce = 1011
  case invalidUrl = 1013
  /// Reserved; never returned.
  case notBase58 = 1014
  /// No issuer credential has this handle. `vcx_proof_set_connection` also returns it for an unknown proof.
  case invalidIssuerCredentialHandle = 1015
  /// The text is not JSON, or not the expected JSON.
  case invalidJson = 1016
  case invalidProofHandle = 1017
  case invalidCredentialRequest = 1018
  /// Reserved; never returned.
  case invalidMsgpack = 1019
  /// Also if the Cloud Agent does not have the message.
  case invalidAgencyResponse = 1020
  case invalidAttributesStructure = 1021
  /// Reserved; never returned.
  case bigNumberError = 1022
  case invalidProof = 1023
  case invalidGenesisTxnPath = 1024
  case poolLedgerConnect = 1025
  /// Reserved; never returned.
  case createPoolConfig = 1026
  case invalidProofCredentialData = 1027
  case invalidPredicatesStructure = 1028
  case invalidAgencyRequest = 1029
  case noPoolOpen = 1030
  case invalidSchema = 1031
  case createCredentialDefErr = 1034
  case unknownLibindyError = 1035
  /// The credential definition is not published, or not usable.
  case credentialDefinitionNotFound = 1036
  /// No credential definition has this handle.
  case invalidCredentialDefHandle = 1037
  /// Reserved; never returned.
  case timeoutLibindyError = 1038
  /// Reserved; never returned.
  case credentialDefAlreadyCreated = 1039
  case invalidSchemaSeqNo = 1040
  case invalidSchemaCreation = 1041
  case invalidSchemaHandle = 1042
  case invalidCredentialOffer = 1043
  case alreadyInitialized = 1044
  case invalidInviteDetails = 1045
  /// For agents and wallet backups, and for the connection of an answer or of an invite-action.
  case invalidObjHandle = 1048
  case invalidDisclosedProofHandle = 1049
  /// Reserved; never returned.
  case serializationError = 1050
  case walletAlreadyExists = 1051
  case walletAlreadyOpen = 1052
  case invalidCredentialHandle = 1053
  case invalidCredentialJson = 1054
  case createProofError = 1056
  case invalidWalletHandle = 1057
  /// Reserved; never returned.
  case invalidWalletCreation = 1058
  /// Reserved; never returned.
  case cannotDeleteConnection = 1060
  /// Reserved; never returned.
  case createConnectionError = 1061
  case connectionAlreadyExists = 1062
  case connectionDoesNotExist = 1063
  /// Reserved; never returned.
  case insufficientTokenAmount = 1064
  /// Reserved; never returned.
  case connectionNotReadyToUpgrade = 1065
  /// Reserved; never returned.
  case invalidPaymentAddress = 1066
  case invalidLibindyParam = 1067
  case missingWalletKey = 1069
  case objectCacheError = 1070
  case noPaymentInformation = 1071
  case duplicateWalletRecord = 1072
  case walletRecordNotFound = 1073
  /// A file that is to be created may exist already.
  case ioerror = 1074
  case walletAccessFailed = 1075
  case invalidWalletImportConfig = 1076
  /// Reserved; never returned.
  case missingBackupKey = 1078
  case walletNotFound = 1079
  case libindyInvalidStructure = 1080
  case invalidState = 1081
  case invalidLedgerResponse = 1082
  /// Reserved; never returned.
  case didAlreadyExistsInWallet = 1083
  /// Reserved; never returned.
  case duplicateMasterSecret = 1084
  case invalidProofRequest = 1086
  case missingPaymentMethod = 1087
  case duplicateSchema = 1088
  case loggingError = 1090
  case invalidRevocationDetails = 1091
  case invalidRevEntry = 1092
  /// Reserved; never returned.
  case invalidRevocationTimestamp = 1093
  case unknownSchemaRejection = 1094
  case invalidRevRegDefCreation = 1095
  /// A newer backup has another passphrase.
  case createWalletBackup = 1096
  /// For a restore: an account has the passphrase, but has stored no backup.
  case retrieveExportedWallet = 1097
  case retrieveDeadDrop = 1099
  case invalidAttachmentEncoding = 1100
  /// Also without the AnonCreds engine or the library for ledgers, and for functions that are not implemented.
  case actionNotSupported = 1103
  case invalidRedirectDetails = 1104
  case maxBackupSize = 1105
  /// Reserved; never returned.
  case noAgentInfo = 1106
  case invalidProvisionToken = 1107
  case invalidDidDoc = 1108
  case messageIsOutOfThread = 1109
  case invalidProofProposal = 1110
  case incompatibleParameters = 1111
  /// A completed connection has state 4.
  case connectionNotCompleted = 1112
  /// libvcx has no such code: its provers send a proof that fails.
  case credentialRevoked = 1200
  /// The time of `msdk_call_timeout` is over.
  case callTimedOut = 1201
}

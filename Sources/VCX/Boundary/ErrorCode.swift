/// Every code that the library returns, with libvcx's number. Missing numbers are unused or obsolete.
public enum ErrorCode: UInt32, CaseIterable, Sendable {
  /// The operation succeeded.
  case success = 0
  /// The operation failed for a reason without a code of its own.
  case unknownError = 1001
  /// No connection has this handle.
  case invalidConnectionHandle = 1003
  /// The configuration cannot be used, or a setting that the call needs is missing.
  case invalidConfiguration = 1004
  /// The object is not in a state that allows the call.
  case notReady = 1005
  /// An argument is NULL, empty, not UTF-8 or out of range. Only ever a return value, never passed to a callback.
  case invalidOption = 1007
  /// A DID has the wrong length, or the connection has none yet.
  case invalidDid = 1008
  /// A key has the wrong length.
  case invalidVerkey = 1009
  /// An HTTP request failed or was refused.
  case postMsgFailure = 1010
  /// The nonce is not a number of at most 80 bits.
  case invalidNonce = 1011
  /// The text is not an absolute URL, or nothing usable is at the URL.
  case invalidUrl = 1013
  /// A DID or a key is not base58.
  case notBase58 = 1014
  /// No credential being issued has this handle. `vcx_proof_set_connection` also returns it for an unknown proof.
  case invalidIssuerCredentialHandle = 1015
  /// The text is not JSON, or is JSON of another shape.
  case invalidJson = 1016
  /// No requested proof has this handle.
  case invalidProofHandle = 1017
  /// The credential request is malformed.
  case invalidCredentialRequest = 1018
  /// A body of protocol 1.0 is malformed.
  case invalidMsgpack = 1019
  /// The Cloud Agent gave an answer of another kind, or has no such message.
  case invalidAgencyResponse = 1020
  /// The attribute list is malformed.
  case invalidAttributesStructure = 1021
  /// An attribute could not be encoded as a number.
  case bigNumberError = 1022
  /// The proof is malformed or does not verify.
  case invalidProof = 1023
  /// The genesis file of a ledger cannot be read.
  case invalidGenesisTxnPath = 1024
  /// The ledger cannot be reached.
  case poolLedgerConnect = 1025
  /// The configuration of the ledger exists already or is malformed.
  case createPoolConfig = 1026
  /// The credentials chosen for a proof are malformed.
  case invalidProofCredentialData = 1027
  /// The predicate list is malformed.
  case invalidPredicatesStructure = 1028
  /// The Cloud Agent refused the message as malformed.
  case invalidAgencyRequest = 1029
  /// The call reads a ledger and none is connected.
  case noPoolOpen = 1030
  /// The schema is missing or malformed.
  case invalidSchema = 1031
  /// The credential definition could not be created.
  case createCredentialDefErr = 1034
  /// The wallet or the cryptography failed in a way that has no code of its own.
  case unknownLibindyError = 1035
  /// The credential definition is not on the ledger.
  case credentialDefinitionNotFound = 1036
  /// No credential definition has this handle.
  case invalidCredentialDefHandle = 1037
  /// Reserved; never returned.
  case timeoutLibindyError = 1038
  /// The credential definition is in the wallet already.
  case credentialDefAlreadyCreated = 1039
  /// No schema has the sequence number.
  case invalidSchemaSeqNo = 1040
  /// The schema could not be created.
  case invalidSchemaCreation = 1041
  /// No schema has this handle.
  case invalidSchemaHandle = 1042
  /// The credential offer is malformed.
  case invalidCredentialOffer = 1043
  /// A wallet is open already.
  case alreadyInitialized = 1044
  /// The invitation is malformed.
  case invalidInviteDetails = 1045
  /// No object has this handle: a wallet backup, or the connection of an answer or of an invite-action.
  case invalidObjHandle = 1048
  /// No disclosed proof has this handle.
  case invalidDisclosedProofHandle = 1049
  /// The object could not be written as JSON.
  case serializationError = 1050
  /// A wallet of this name exists.
  case walletAlreadyExists = 1051
  /// The wallet is open already.
  case walletAlreadyOpen = 1052
  /// No credential has this handle.
  case invalidCredentialHandle = 1053
  /// The credential is malformed.
  case invalidCredentialJson = 1054
  /// The proof object could not be created.
  case createProofError = 1056
  /// No wallet is open, or no search has this handle.
  case invalidWalletHandle = 1057
  /// The wallet could not be created.
  case invalidWalletCreation = 1058
  /// Reserved; never returned.
  case cannotDeleteConnection = 1060
  /// The connection object could not be created.
  case createConnectionError = 1061
  /// The invitation has already been accepted.
  case connectionAlreadyExists = 1062
  /// The Cloud Agent does not know the connection, or has deleted it.
  case connectionDoesNotExist = 1063
  /// The wallet has too few tokens.
  case insufficientTokenAmount = 1064
  /// The other side of the connection has not migrated.
  case connectionNotReadyToUpgrade = 1065
  /// The payment address is malformed.
  case invalidPaymentAddress = 1066
  /// The wallet or the cryptography refused an argument.
  case invalidLibindyParam = 1067
  /// The configuration has no `wallet_key`.
  case missingWalletKey = 1069
  /// The library can hold no more objects.
  case objectCacheError = 1070
  /// The object has no payment information.
  case noPaymentInformation = 1071
  /// The wallet already has a record of this type and id.
  case duplicateWalletRecord = 1072
  /// The wallet has no such record, key or DID.
  case walletRecordNotFound = 1073
  /// A file could not be read or written, or already exists.
  case ioerror = 1074
  /// The key does not open the wallet.
  case walletAccessFailed = 1075
  /// The import configuration is incomplete.
  case invalidWalletImportConfig = 1076
  /// Reserved; never returned.
  case missingBackupKey = 1078
  /// No wallet of this name exists.
  case walletNotFound = 1079
  /// A record, tags, a key or a file given to the wallet or the cryptography is malformed.
  case libindyInvalidStructure = 1080
  /// The object lacks data that it should have in its state.
  case invalidState = 1081
  /// The ledger refused the request or gave an unusable answer.
  case invalidLedgerResponse = 1082
  /// The DID is in the wallet already.
  case didAlreadyExistsInWallet = 1083
  /// The link secret is in the wallet already.
  case duplicateMasterSecret = 1084
  /// The proof request is malformed.
  case invalidProofRequest = 1086
  /// No payment method is configured.
  case missingPaymentMethod = 1087
  /// The schema is on the ledger already.
  case duplicateSchema = 1088
  /// A logger is already set.
  case loggingError = 1090
  /// The revocation settings are incomplete.
  case invalidRevocationDetails = 1091
  /// The revocation entry could not be written.
  case invalidRevEntry = 1092
  /// The revocation timestamp is malformed.
  case invalidRevocationTimestamp = 1093
  /// The ledger refused the schema.
  case unknownSchemaRejection = 1094
  /// The revocation registry could not be created.
  case invalidRevRegDefCreation = 1095
  /// The backup could not be started.
  case createWalletBackup = 1096
  /// The backup could not be fetched.
  case retrieveExportedWallet = 1097
  /// The stored backup could not be read.
  case retrieveDeadDrop = 1099
  /// The attachment cannot be decoded.
  case invalidAttachmentEncoding = 1100
  /// The operation does not exist for this kind of object, or not in this build.
  case actionNotSupported = 1103
  /// The out-of-band invitation or the redirect details are malformed.
  case invalidRedirectDetails = 1104
  /// The backup is larger than 5 000 000 bytes.
  case maxBackupSize = 1105
  /// The object lacks the data of its pairwise agent.
  case noAgentInfo = 1106
  /// The token of the sponsor is malformed or was refused.
  case invalidProvisionToken = 1107
  /// The DID document is malformed.
  case invalidDidDoc = 1108
  /// The message belongs to another thread.
  case messageIsOutOfThread = 1109
  /// The proposal is malformed.
  case invalidProofProposal = 1110
  /// The arguments exclude each other.
  case incompatibleParameters = 1111
  /// The connection is not in state 4.
  case connectionNotCompleted = 1112
}

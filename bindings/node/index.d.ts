// Written by scripts/bindings from the Swift sources.
// Not here, since their types do not cross: vcx_get_current_error, vcx_set_logger_with_max_lvl, vcx_set_logger, vcx_get_logger, vcx_provision_agent_with_token, vcx_provision_agent, vcx_issuer_get_credential_request.

/** An error of the library. */
export class MsdkError extends Error {
  /** The number, one of ErrorCode. */
  readonly code: number;
  /** Its name in ErrorCode. */
  readonly codeName: string;
  /** The number's fixed text. */
  readonly text: string;
  /** The exact cause, a sentence for developers; empty if the library gives none. */
  readonly cause: string;
}

/**
 * The package for one agent: each function selects the agent for its call, and leaves the selection of the program as it is.
 * After an `await`, the functions of the package itself work for the agent that was selected last.
 */
export function agent(agentHandle: number): typeof import('./index');

/**
 * The codes of errors. Those below 1200 are libvcx's numbers; the others are the library's own.
 * Some are reserved: programs for libvcx name them, and the library never returns them.
 */
export const ErrorCode: {
  /** Success. */
  readonly SUCCESS: 0;
  /** Unknown Error. The failure has no code of its own. */
  readonly UNKNOWN_ERROR: 1001;
  /** No connection has this handle. */
  readonly INVALID_CONNECTION_HANDLE: 1003;
  /**
   * Configuration is unusable or incomplete. Calls that need a session also return it while the
   * library is not initialised, or if their agent is closed.
   */
  readonly INVALID_CONFIGURATION: 1004;
  /** Object not ready for specified action. */
  readonly NOT_READY: 1005;
  /**
   * An argument is missing or malformed. A text is NULL, empty or not UTF-8, or a number is out of
   * range. Only functions return it; callbacks never receive it.
   */
  readonly INVALID_OPTION: 1007;
  /** DID is malformed. Also if the connection has no DID before vcx_connection_connect. */
  readonly INVALID_DID: 1008;
  /** Verification key is malformed. */
  readonly INVALID_VERKEY: 1009;
  /** Message could not be delivered. */
  readonly POST_MSG_FAILURE: 1010;
  /** Nonce is not a number of at most 80 bits. Reserved; never returned. */
  readonly INVALID_NONCE: 1011;
  /** URL is malformed or cannot be resolved. */
  readonly INVALID_URL: 1013;
  /** Value is not base58. Reserved; never returned. */
  readonly NOT_BASE58: 1014;
  /**
   * Invalid Credential Issuer Handle. No issuer credential has this handle.
   * vcx_proof_set_connection also returns it for an unknown proof.
   */
  readonly INVALID_ISSUER_CREDENTIAL_HANDLE: 1015;
  /** Invalid JSON string. The text is not JSON, or not the expected JSON. */
  readonly INVALID_JSON: 1016;
  /** No proof has this handle. */
  readonly INVALID_PROOF_HANDLE: 1017;
  /** Credential request is malformed. */
  readonly INVALID_CREDENTIAL_REQUEST: 1018;
  /** MessagePack body is malformed. Reserved; never returned. */
  readonly INVALID_MSGPACK: 1019;
  /** Cloud Agent gave an unexpected answer. Also if the Cloud Agent does not have the message. */
  readonly INVALID_AGENCY_RESPONSE: 1020;
  /** Attribute list is malformed. */
  readonly INVALID_ATTRIBUTES_STRUCTURE: 1021;
  /** Number could not be encoded. Reserved; never returned. */
  readonly BIG_NUMBER_ERROR: 1022;
  /** Proof is malformed or does not verify. */
  readonly INVALID_PROOF: 1023;
  /** Genesis file cannot be read. */
  readonly INVALID_GENESIS_TXN_PATH: 1024;
  /** Ledger cannot be reached. */
  readonly POOL_LEDGER_CONNECT: 1025;
  /** Ledger configuration exists or is malformed. Reserved; never returned. */
  readonly CREATE_POOL_CONFIG: 1026;
  /** Credentials chosen for the proof are malformed. */
  readonly INVALID_PROOF_CREDENTIAL_DATA: 1027;
  /** Predicate list is malformed. */
  readonly INVALID_PREDICATES_STRUCTURE: 1028;
  /** Cloud Agent refused the message as malformed. */
  readonly INVALID_AGENCY_REQUEST: 1029;
  /** No ledger is connected. */
  readonly NO_POOL_OPEN: 1030;
  /** Schema is missing or malformed. */
  readonly INVALID_SCHEMA: 1031;
  /** Credential definition could not be created. */
  readonly CREATE_CREDENTIAL_DEF_ERR: 1034;
  /** Wallet or cryptography failed for an unclassified reason. */
  readonly UNKNOWN_LIBINDY_ERROR: 1035;
  /**
   * Credential Def not in valid json. The credential definition is not published, or not usable.
   */
  readonly CREDENTIAL_DEFINITION_NOT_FOUND: 1036;
  /** Invalid Credential Definition handle. No credential definition has this handle. */
  readonly INVALID_CREDENTIAL_DEF_HANDLE: 1037;
  /** Wallet or cryptography did not answer in time. Reserved; never returned. */
  readonly TIMEOUT_LIBINDY_ERROR: 1038;
  /** Credential definition exists in the wallet. Reserved; never returned. */
  readonly CREDENTIAL_DEF_ALREADY_CREATED: 1039;
  /** No schema has this sequence number. */
  readonly INVALID_SCHEMA_SEQ_NO: 1040;
  /** Schema could not be created. */
  readonly INVALID_SCHEMA_CREATION: 1041;
  /** No schema has this handle. */
  readonly INVALID_SCHEMA_HANDLE: 1042;
  /** Credential offer is malformed. */
  readonly INVALID_CREDENTIAL_OFFER: 1043;
  /** Library is initialised already. */
  readonly ALREADY_INITIALIZED: 1044;
  /** Invitation is malformed. */
  readonly INVALID_INVITE_DETAILS: 1045;
  /**
   * No object has this handle. For agents and wallet backups, and for the connection of an answer
   * or of an invite-action.
   */
  readonly INVALID_OBJ_HANDLE: 1048;
  /** No disclosed proof has this handle. */
  readonly INVALID_DISCLOSED_PROOF_HANDLE: 1049;
  /** Object could not be written as JSON. Reserved; never returned. */
  readonly SERIALIZATION_ERROR: 1050;
  /** Wallet exists already. */
  readonly WALLET_ALREADY_EXISTS: 1051;
  /** Wallet is open already. */
  readonly WALLET_ALREADY_OPEN: 1052;
  /** No credential has this handle. */
  readonly INVALID_CREDENTIAL_HANDLE: 1053;
  /** Credential is malformed. */
  readonly INVALID_CREDENTIAL_JSON: 1054;
  /** Proof could not be created. */
  readonly CREATE_PROOF_ERROR: 1056;
  /** No wallet is open, or no search has this handle. */
  readonly INVALID_WALLET_HANDLE: 1057;
  /** Wallet could not be created. Reserved; never returned. */
  readonly INVALID_WALLET_CREATION: 1058;
  /** Connection could not be deleted. Reserved; never returned. */
  readonly CANNOT_DELETE_CONNECTION: 1060;
  /** Connection could not be created. Reserved; never returned. */
  readonly CREATE_CONNECTION_ERROR: 1061;
  /** Invitation was accepted before. */
  readonly CONNECTION_ALREADY_EXISTS: 1062;
  /** Cloud Agent does not know the connection. */
  readonly CONNECTION_DOES_NOT_EXIST: 1063;
  /** Not enough tokens. Reserved; never returned. */
  readonly INSUFFICIENT_TOKEN_AMOUNT: 1064;
  /** Other side has not upgraded the connection. Reserved; never returned. */
  readonly CONNECTION_NOT_READY_TO_UPGRADE: 1065;
  /** Payment address is malformed. Reserved; never returned. */
  readonly INVALID_PAYMENT_ADDRESS: 1066;
  /** Wallet or cryptography refused an argument. */
  readonly INVALID_LIBINDY_PARAM: 1067;
  /** Configuration has no wallet key. */
  readonly MISSING_WALLET_KEY: 1069;
  /** Object could not be kept. */
  readonly OBJECT_CACHE_ERROR: 1070;
  /** Object has no payment information. */
  readonly NO_PAYMENT_INFORMATION: 1071;
  /** Record exists already. */
  readonly DUPLICATE_WALLET_RECORD: 1072;
  /** Record, key or DID is not in the wallet. */
  readonly WALLET_RECORD_NOT_FOUND: 1073;
  /** File could not be read or written. A file that is to be created may exist already. */
  readonly IOERROR: 1074;
  /** Wallet key is wrong. */
  readonly WALLET_ACCESS_FAILED: 1075;
  /** Import configuration is incomplete. */
  readonly INVALID_WALLET_IMPORT_CONFIG: 1076;
  /** Backup key is missing. Reserved; never returned. */
  readonly MISSING_BACKUP_KEY: 1078;
  /** Wallet Not Found. */
  readonly WALLET_NOT_FOUND: 1079;
  /** Wallet or cryptography was given a malformed value. */
  readonly LIBINDY_INVALID_STRUCTURE: 1080;
  /** Object lacks data that its state requires. */
  readonly INVALID_STATE: 1081;
  /** Ledger refused or gave an unusable answer. */
  readonly INVALID_LEDGER_RESPONSE: 1082;
  /** DID exists in the wallet. Reserved; never returned. */
  readonly DID_ALREADY_EXISTS_IN_WALLET: 1083;
  /** Link secret exists in the wallet. Reserved; never returned. */
  readonly DUPLICATE_MASTER_SECRET: 1084;
  /** Proof request is malformed. */
  readonly INVALID_PROOF_REQUEST: 1086;
  /** No payment method is configured. */
  readonly MISSING_PAYMENT_METHOD: 1087;
  /** Schema exists on the ledger. */
  readonly DUPLICATE_SCHEMA: 1088;
  /** Logger could not be set. */
  readonly LOGGING_ERROR: 1090;
  /** Revocation settings are incomplete. */
  readonly INVALID_REVOCATION_DETAILS: 1091;
  /** Revocation entry could not be written. */
  readonly INVALID_REV_ENTRY: 1092;
  /** Revocation timestamp is malformed. Reserved; never returned. */
  readonly INVALID_REVOCATION_TIMESTAMP: 1093;
  /** Ledger refused the schema. */
  readonly UNKNOWN_SCHEMA_REJECTION: 1094;
  /** Revocation registry could not be created. */
  readonly INVALID_REV_REG_DEF_CREATION: 1095;
  /** Backup could not be started. A newer backup has another passphrase. */
  readonly CREATE_WALLET_BACKUP: 1096;
  /**
   * Backup could not be fetched. For a restore: an account has the passphrase, but has stored no
   * backup.
   */
  readonly RETRIEVE_EXPORTED_WALLET: 1097;
  /** Place of the backup could not be read. */
  readonly RETRIEVE_DEAD_DROP: 1099;
  /** Attachment cannot be decoded. */
  readonly INVALID_ATTACHMENT_ENCODING: 1100;
  /**
   * Operation is not supported for this object. Also without the AnonCreds engine or the library
   * for ledgers, and for functions that are not implemented.
   */
  readonly ACTION_NOT_SUPPORTED: 1103;
  /** Out-of-band invitation or redirect details are malformed. */
  readonly INVALID_REDIRECT_DETAILS: 1104;
  /** Backup is larger than 5000000 bytes. */
  readonly MAX_BACKUP_SIZE: 1105;
  /** Object has no pairwise agent. Reserved; never returned. */
  readonly NO_AGENT_INFO: 1106;
  /** Provisioning token is malformed or was refused. */
  readonly INVALID_PROVISION_TOKEN: 1107;
  /** DID document is malformed. */
  readonly INVALID_DID_DOC: 1108;
  /** Message belongs to another thread. */
  readonly MESSAGE_IS_OUT_OF_THREAD: 1109;
  /** Proof proposal is malformed. */
  readonly INVALID_PROOF_PROPOSAL: 1110;
  /** Arguments exclude each other. */
  readonly INCOMPATIBLE_PARAMETERS: 1111;
  /** Connection is not completed. A completed connection has state 4. */
  readonly CONNECTION_NOT_COMPLETED: 1112;
  /** Credential is revoked. libvcx has no such code: its provers send a proof that fails. */
  readonly CREDENTIAL_REVOKED: 1200;
  /** Call timed out. The time of msdk_call_timeout is over. */
  readonly CALL_TIMED_OUT: 1201;
};

/** The state of a connection, a credential or a proof. */
export const State: {
  /** The exchange failed, the object was deleted, or there is no such connection. */
  readonly NONE: 0;
  /** Created. This side has sent nothing. */
  readonly INITIALIZED: 1;
  /**
   * Connection: the invitation exists. Credential: this side sent the request. Proofs: this side
   * sent the presentation, the proposal or the request. Issuer: this side sent the offer.
   */
  readonly OFFER_SENT: 2;
  /**
   * Connection: the invitee sent its request, or the inviter received one. Credential: an offer
   * arrived. Proofs: a request or a proposal arrived.
   */
  readonly REQUEST_RECEIVED: 3;
  /** Completed: connected, stored, issued, accepted or verified. */
  readonly ACCEPTED: 4;
  /** Reserved; never returned. */
  readonly UNFULFILLED: 5;
  /** Reserved; never returned. */
  readonly EXPIRED: 6;
  /** Reserved; never returned. */
  readonly REVOKED: 7;
  /** The invitee answered the invitation with an existing connection. */
  readonly REDIRECTED: 8;
  /** One of the sides declined. */
  readonly REJECTED: 9;
  /** Credential: this side sent a proposal. Issuer: the holder proposes a credential. */
  readonly PROPOSED: 10;
};

/** The result of a proof that this side requested. */
export const ProofState: {
  /** No presentation has arrived. */
  readonly UNDEFINED: 0;
  /** The presentation is valid. */
  readonly VERIFIED: 1;
  /** The presentation is not valid. */
  readonly INVALID: 2;
  /** The other side declined. */
  readonly REJECTED: 3;
};

/** The state of a backup of the wallet in the cloud. */
export const BackupState: {
  /** Nothing has begun. */
  readonly UNINITIALIZED: 0;
  /** The library has asked the Cloud Agent for space. */
  readonly INIT_REQUESTED: 1;
  /** The program can send the wallet. */
  readonly READY_TO_EXPORT: 2;
  /** The program has sent the wallet, and the Cloud Agent has not confirmed it. State 2 follows. */
  readonly IN_PROGRESS: 3;
  /** Reserved; never returned. */
  readonly STORED: 4;
};

/** Whether a ledger or a registry has a schema or a credential definition. */
export const PublicationState: {
  /** Created, but not seen there yet. */
  readonly BUILT: 0;
  /** Published there. */
  readonly PUBLISHED: 1;
};

/** The severity of a line of the log. As a maximum, 0 lets nothing through. */
export const LogLevel: {
  /** Something failed that should not. */
  readonly ERROR: 1;
  /** Something is wrong and the work goes on. */
  readonly WARNING: 2;
  /**
   * Each call with its object, outcome and milliseconds; each new state of a connection; each
   * message by type and uid.
   */
  readonly INFO: 3;
  /** Each HTTP request with its status and sizes; decisions of polling. */
  readonly DEBUG: 4;
  /** The beginning of each call. */
  readonly TRACE: 5;
};

/**
 * Opens the wallet and starts a session.
 *
 * Returns the error of an unusable configuration: VCX_INVALID_CONFIGURATION (1004),
 * VCX_MISSING_WALLET_KEY (1069) without wallet_key, VCX_INVALID_DID (1008) and VCX_INVALID_VERKEY
 * (1009) for a DID or a key, VCX_INVALID_URL (1013) for a URL, VCX_ALREADY_INITIALIZED (1044) if a
 * wallet is already open.
 *
 * @param config (required) The configuration from provisioning, as JSON text. With
 *     public_endpoints_only true, the library does not connect to peers and links at loopback,
 *     private and link-local addresses. With push_details true, the library tells the agencies of
 *     peers the type of each message and institution_name, for their notifications.
 * @return 0, or VCX_WALLET_NOT_FOUND (1079) if there is no such wallet, VCX_WALLET_ACCESS_FAILED
 *     (1075) for a wrong key, VCX_WALLET_ALREADY_OPEN (1052) if another call is opening it.
 */
export function initWithConfig(config: string): Promise<void>;

/**
 * Opens the wallet and starts a session like vcx_init_with_config, with the configuration from a
 * file.
 *
 * @param configPath (required) The path of a file that holds the JSON text. NULL, or no such file:
 *     VCX_INVALID_CONFIGURATION (1004); a file that cannot be read: VCX_IOERROR (1074); an empty
 *     text: VCX_INVALID_OPTION (1007). ENABLE_TEST_MODE stands for fixed settings and a wallet of
 *     the default name, which is created if it is missing; nothing is simulated.
 * @return 0, or the errors of vcx_init_with_config.
 */
export function init(configPath: string): Promise<void>;

/**
 * Names the Indy ledgers from which the library reads schemas and definitions of credentials. A
 * program may call this before it initialises the library. The library connects to a ledger when it
 * first needs it, so the call succeeds while the nodes are down.
 *
 * Does nothing if ledgers are named already. Ignores a network that has only a pool_network_alias,
 * with a warning in the log.
 *
 * @param poolConfig (required) JSON text: a network, an array of networks, or an object with the
 *     array in indy_pool_networks. Each network names its first transactions: genesis_path, the
 *     path of a file, or genesis_transactions, their text. Any other text gives
 *     VCX_INVALID_CONFIGURATION (1004).
 * @return 0, or VCX_INVALID_GENESIS_TXN_PATH (1024) if the transactions of a network cannot be
 *     read.
 */
export function initPool(poolConfig: string): Promise<void>;

/**
 * Closes the wallet and forgets all objects and settings of the agent that vcx_init_with_config has
 * started. Agents of msdk_agent_open go on.
 *
 * Any thread may call it, also inside a callback, and without initialisation. Running operations
 * end, with an error if they need the session, and call back. Subscriptions end: the call waits for
 * their running callbacks, except for one in which it is made. The resolver ends too. The logger
 * stays. A session that another thread starts meanwhile keeps its objects.
 *
 * @param deleteWallet Whether to delete the wallet too. Without initialisation, this deletes the
 *     wallet that the program has provisioned or imported since the last vcx_shutdown.
 * @return Always 0.
 */
export function shutdown(deleteWallet: boolean): void;

/**
 * Ends all callbacks for good, including the logger's. Waits for running callbacks, and starts no
 * more. It serves programs whose code becomes uncallable before the process ends, such as programs
 * of an interpreter.
 *
 * Call it at the very end, and not inside a callback. Running operations end without a callback.
 *
 * @return 0, or VCX_NOT_READY (1005) if a callback still runs after ten seconds.
 */
export function endCallbacks(): void;

/**
 * Returns the version of the library and the revision of its source, such as 0.1.0+1a2b3c4.
 *
 * @return Text that lives as long as the process; never free it.
 */
export function version(): string;

/**
 * Returns the fixed text of an error code.
 *
 * @param errorCode Any number.
 * @return Text that lives as long as the process; never free it. Unknown numbers have the text of
 *     VCX_UNKNOWN_ERROR (1001).
 */
export function errorCMessage(errorCode: number): string;

/**
 * Returns the name of an object's state, such as requested, as docs/states.md explains it.
 *
 * @param type (required) A type of msdk_objects_list: connection, credential, disclosed_proof,
 *     issuer_credential, proof, schema or credentialdef.
 * @param state The number that the function for the object's state returned.
 * @return Text that lives as long as the process; never free it. NULL if there is no such type, or
 *     no such state of it.
 */
export function stateName(type: string, state: number): string | null;

/**
 * Limits the time of the next call on this thread whose function has a callback, for an answer
 * within this time.
 *
 * The call fails with VCX_CALL_TIMED_OUT (1201) if its turn on an object does not come in time: it
 * then has done nothing. An operation that has begun waits for a server no longer than this time,
 * and then fails with VCX_CALL_TIMED_OUT (1201). It may have had its effect: a server may have
 * received the request whose answer did not come. Look at the object's state, and repeat the call.
 * Work of the processor, such as making a key, is not cut short, and the wallet's disk is waited
 * for. A call that is refused at once uses the limit up too. Subscriptions ignore it.
 *
 * @param milliseconds The limit, or 0 for a call with the library's own limits, which are 10 to 60
 *     seconds for each answer of a server.
 */
export function callTimeout(milliseconds: number): void;

/**
 * Changes the name and the logo that later invitations and requests show. Nothing is sent.
 *
 * @param name (required) The name.
 * @param logoUrl (required) The URL of the logo. It is not checked.
 * @return 0, or VCX_INVALID_OPTION (1007).
 */
export function updateInstitutionInfo(name: string, logoUrl: string): void;

/**
 * Checks that the Cloud Agent answers.
 *
 * @return 0, VCX_POST_MSG_FAILURE (1010) if it cannot be reached, VCX_INVALID_AGENCY_RESPONSE
 *     (1020) for an unusable answer, VCX_INVALID_CONFIGURATION (1004) if the configuration has no
 *     Cloud Agent.
 */
export function healthCheck(): Promise<void>;

/**
 * Does nothing. In libvcx it queued answers of a simulated agency; this library simulates none.
 *
 * @param messageIndex Ignored.
 */
export function setNextAgencyResponse(messageIndex: number): void;

/**
 * Opens an agent: opens its wallet and starts its session, as vcx_init_with_config does for the
 * agent of the process. Select it with msdk_agent_select, and end it with msdk_agent_close.
 *
 * Returns the error of an unusable configuration: VCX_INVALID_OPTION (1007),
 * VCX_INVALID_CONFIGURATION (1004), VCX_MISSING_WALLET_KEY (1069) without wallet_key,
 * VCX_INVALID_DID (1008) and VCX_INVALID_VERKEY (1009) for a DID or a key, VCX_INVALID_URL (1013)
 * for a URL.
 *
 * @param config (required) The configuration from provisioning, as JSON text. No two agents can
 *     have one wallet.
 * @return the handle of the agent, or VCX_WALLET_NOT_FOUND (1079) if there is no such wallet,
 *     VCX_WALLET_ACCESS_FAILED (1075) for a wrong key, VCX_WALLET_ALREADY_OPEN (1052) if an agent
 *     has the wallet open.
 */
export function agentOpen(config: string): Promise<number>;

/**
 * Makes an agent the current one of the calling thread. Later calls of this thread work for it,
 * until the thread selects another. A new thread has agent 0. An agent that is closed stays
 * selected: calls then fail with VCX_INVALID_CONFIGURATION (1004) or VCX_INVALID_WALLET_HANDLE
 * (1057).
 *
 * Inside a callback of C, the agent of the call is current, and agent 0 in those of msdk_agent_open
 * and msdk_agent_close. A selection made there ends with the callback.
 *
 * @param agentHandle The agent, or 0 for the agent of vcx_init_with_config.
 * @return 0, or VCX_INVALID_OBJ_HANDLE (1048) if no open agent has the handle; the selection does
 *     not change then.
 */
export function agentSelect(agentHandle: number): void;

/**
 * Closes an agent: closes its wallet, and forgets its objects and settings. Other agents do not
 * notice.
 *
 * Handles of its objects become unknown at once. Its running calls end with their results, or with
 * an error if they need the wallet, and call back. Its subscriptions end: no callback of them runs
 * once cb is called, so a callback of a subscription must not wait for cb.
 *
 * @param agentHandle The agent. vcx_shutdown ends the agent 0.
 * @return 0, or VCX_INVALID_OBJ_HANDLE (1048) if no open agent has the handle.
 */
export function agentClose(agentHandle: number): Promise<void>;

/**
 * In indy-sdk, starts a session with a wallet and a ledger that the program has opened through
 * libindy.
 *
 * @param config (required) The configuration as JSON text.
 * @return VCX_ACTION_NOT_SUPPORTED (1103), or VCX_INVALID_OPTION (1007) if the argument is NULL,
 *     empty or not UTF-8.
 */
export function initMinimal(config: string): void;

/**
 * In indy-sdk, names the open wallet for vcx_init_minimal, and returns its handle.
 *
 * @param handle A handle of libindy.
 * @return VCX_ACTION_NOT_SUPPORTED (1103). The library keeps nothing.
 */
export function walletSetHandle(handle: number): void;

/**
 * In indy-sdk, names the open ledger for vcx_init_minimal, and returns its handle.
 *
 * @param handle A handle of libindy.
 * @return VCX_ACTION_NOT_SUPPORTED (1103). The library keeps nothing.
 */
export function poolSetHandle(handle: number): void;

/**
 * Prints the log to standard error.
 *
 * @param pattern (optional) The levels to print, such as info or warn,HTTP=debug. NULL reads the
 *     environment variable RUST_LOG; without it the pattern is warn.
 * @return 0, VCX_INVALID_OPTION (1007) for text that is not UTF-8, VCX_LOGGING_ERROR (1090) if a
 *     logger is already set: it stays.
 */
export function setDefaultLogger(pattern?: string | null): void;

/**
 * Sets the highest level that reaches the logger.
 *
 * @param maxLvl 0 to 5.
 * @return 0, or VCX_INVALID_OPTION (1007) for another level.
 */
export function setLogMaxLvl(maxLvl: number): void;

/**
 * Creates the wallet and the Cloud Agent with a sponsor's token.
 *
 * A token serves once. If a call gets no answer, call again with the same wallet and the same
 * token: the wallet remembers the key that it used with the token, and the agency gives the same
 * Cloud Agent.
 *
 * @param config (required) JSON text with agency_endpoint, agency_did, agency_verkey, wallet_name,
 *     wallet_key, and others.
 * @param token (required) JSON text of the sponsor's token.
 * @return the configuration as JSON text; VCX_INVALID_PROVISION_TOKEN (1107) if the token is
 *     malformed or refused, with the agency's reason in the current error;
 *     VCX_INVALID_CONFIGURATION (1004), VCX_INVALID_DID (1008), VCX_INVALID_VERKEY (1009) and
 *     VCX_INVALID_URL (1013) for the configuration, VCX_IOERROR (1074) or VCX_WALLET_ACCESS_FAILED
 *     (1075) for the wallet, VCX_POST_MSG_FAILURE (1010), VCX_INVALID_AGENCY_RESPONSE (1020).
 */
export function provisionAgentWithTokenAsync(config: string, token: string): Promise<string | null>;

/**
 * Creates the wallet and the Cloud Agent.
 *
 * @param config (required) JSON text with agency_endpoint, agency_did, agency_verkey, or
 *     mediator_invitation, with wallet_name, wallet_key, and others.
 * @return the configuration as JSON text, or VCX_INVALID_CONFIGURATION (1004), VCX_INVALID_DID
 *     (1008), VCX_INVALID_VERKEY (1009) and VCX_INVALID_URL (1013) for the configuration,
 *     VCX_IOERROR (1074) or VCX_WALLET_ACCESS_FAILED (1075) for the wallet, VCX_POST_MSG_FAILURE
 *     (1010), VCX_INVALID_AGENCY_RESPONSE (1020).
 */
export function agentProvisionAsync(config: string): Promise<string | null>;

/**
 * Asks the agency for a provisioning token, if the agency signs tokens for the sponsor. Most
 * sponsors hand out their tokens themselves. Needs no wallet.
 *
 * @param config (required) JSON text with vcx_config, whose agency is asked, sponsee_id and
 *     sponsor_id. Returns VCX_INVALID_CONFIGURATION (1004), VCX_INVALID_DID (1008) and
 *     VCX_INVALID_VERKEY (1009) for the agency's DID and key, VCX_INVALID_URL (1013) for its URL.
 * @return the token as JSON text; VCX_INVALID_PROVISION_TOKEN (1107) if the agency gives no token,
 *     VCX_POST_MSG_FAILURE (1010), VCX_INVALID_AGENCY_RESPONSE (1020).
 */
export function getProvisionToken(config: string): Promise<string | null>;

/**
 * Tells the Cloud Agent where to announce messages: a push token or a web address. A second call
 * with the same id replaces the first; an empty value ends the announcements. msdk_parse_push reads
 * the notifications.
 *
 * @param json (required) JSON text with id, value and type: 1 push, 2 the web address of an
 *     institution, 3 push through the sponsor's address, 4 push with the sponsor's account. The
 *     default of type is 1. Returns VCX_INVALID_JSON (1016) for bad JSON.
 * @return 0, or VCX_INVALID_CONFIGURATION (1004), VCX_POST_MSG_FAILURE (1010),
 *     VCX_INVALID_AGENCY_RESPONSE (1020), VCX_INVALID_AGENCY_REQUEST (1029).
 */
export function agentUpdateInfo(json: string): Promise<void>;

/**
 * Tells the Cloud Agent a web address for announcements of messages, like vcx_agent_update_info
 * with the type 2. A second call replaces the address.
 *
 * @param notificationWebhookUrl (required) The web address.
 * @return 0, or VCX_INVALID_CONFIGURATION (1004), VCX_POST_MSG_FAILURE (1010),
 *     VCX_INVALID_AGENCY_RESPONSE (1020), VCX_INVALID_AGENCY_REQUEST (1029).
 */
export function updateWebhookUrl(notificationWebhookUrl: string): Promise<void>;

/**
 * Prepares keys and a mailbox for a future connection, so that vcx_connection_connect is faster.
 *
 * @return JSON text for the member pairwise_agent_info of the options of one
 *     vcx_connection_connect, or VCX_INVALID_CONFIGURATION (1004), VCX_INVALID_WALLET_HANDLE
 *     (1057), VCX_POST_MSG_FAILURE (1010), VCX_INVALID_AGENCY_RESPONSE (1020).
 */
export function createPairwiseAgent(): Promise<string | null>;

/**
 * Creates the invitee's side of a connection from any invitation. Nothing is sent to the inviter; a
 * link is fetched.
 *
 * @param sourceId (optional) A name that the program chooses and the object keeps, or NULL for a
 *     random one.
 * @param invitation (required) The invitation as JSON text (RFC 0160, RFC 0434, or Evernym's own
 *     protocol), the URL of a QR code, a short link to the invitation, or an inviter's public DID.
 *     Blanks, quotes and ends of lines around it are ignored.
 * @return the handle of the connection, in the state that vcx_connection_create_with_invite or
 *     vcx_connection_create_with_outofband_invitation gives; VCX_INVALID_INVITE_DETAILS (1045) for
 *     an unusable invitation, VCX_INVALID_URL (1013) for an unusable URL.
 */
export function connectionAccept(sourceId: string | null, invitation: string): Promise<number>;

/**
 * Creates the invitee's side of a connection from a connection invitation. Nothing is sent.
 *
 * Invitations of Evernym's proprietary protocol are accepted too, in full and abbreviated. Both
 * programs of such a connection must use msdk: Evernym's agencies carried answers and messages and
 * rewrote them on the way, while msdk sends them in envelopes, as for any connection. An invitation
 * that another library has made can be compared, shown and serialized, but not connected.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param inviteDetails (required) The invitation as JSON text. Its @type may be missing. An
 *     out-of-band invitation is refused; the error names the function that accepts it.
 * @return the handle of the connection, in state 2, or 3 for a proprietary invitation; or
 *     VCX_INVALID_INVITE_DETAILS (1045).
 */
export function connectionCreateWithInvite(sourceId: string, inviteDetails: string): Promise<number>;

/**
 * Another name of vcx_connection_create_with_invite.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param inviteDetails (required) The invitation as JSON text.
 * @return the handle of the connection, in state 2, or VCX_INVALID_INVITE_DETAILS (1045).
 */
export function createConnectionWithInvite(sourceId: string, inviteDetails: string): Promise<number>;

/**
 * Creates the invitee's side of a connection from an out-of-band invitation. Nothing is sent.
 *
 * An invitation whose only service is a public DID (did:sov) can be kept, shown, compared and
 * serialized. vcx_connection_connect looks the DID up in the configured ledgers, and reports
 * VCX_ACTION_NOT_SUPPORTED (1103) if there is none.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param invite (required) The invitation as JSON text, or a public DID of Indy, which is an
 *     invitation to a DID Exchange.
 * @return the handle of the connection: in state 2, or 4 when the invitation asks for no handshake
 *     and names no public DID; or VCX_INVALID_REDIRECT_DETAILS (1104).
 */
export function connectionCreateWithOutofbandInvitation(sourceId: string, invite: string): Promise<number>;

/**
 * Creates a connection from an invitation, connects and serializes it, in one call.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param inviteDetails (required) The invitation as JSON text.
 * @param connectionOptions (optional) As for vcx_connection_connect.
 * @return the handle of the connection and its serialized form, or the errors of the three calls.
 */
export function connectionAcceptConnectionInvite(sourceId: string, inviteDetails: string, connectionOptions?: string | null): Promise<{ number: number; text: string | null }>;

/**
 * Creates the inviter's side of a connection. Nothing is sent.
 *
 * With protocol_type 1.0 or 2.0 in the configuration, the connection is of Evernym's proprietary
 * protocol, which only another program that uses msdk can accept.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @return the handle of the connection, in state 1.
 */
export function connectionCreate(sourceId: string): Promise<number>;

/**
 * Creates the inviter's side of a connection with the next peer that asks for one at this agent's
 * public DID.
 *
 * Peers that know institution_did need no invitation (RFC 0023, implicit invitations): publish its
 * endpoint with msdk_public_did_publish, create an object for each peer that is awaited, call
 * vcx_connection_connect, serialize the object, and update its state. Each object answers the
 * oldest request that no other object has answered. It presents keys and a mailbox of its own, and
 * the key of the public DID signs them. A request that reaches a message listener has the pairwise
 * DID of the public DID's key.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @return the handle of the connection, in state 1. Then vcx_connection_connect gives
 *     VCX_INVALID_CONFIGURATION (1004) without institution_did or institution_verkey, and
 *     VCX_WALLET_RECORD_NOT_FOUND (1073) when the wallet lacks the key.
 */
export function publicDidListen(sourceId: string): Promise<number>;

/**
 * Creates the inviter's side of a connection, with an out-of-band invitation.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param goalCode (optional) The purpose for machines, or NULL.
 * @param goal (optional) The purpose for people, or NULL.
 * @param handshake Whether the invitation asks for a connection. If false, it only carries
 *     request_attach.
 * @param requestAttach (optional) The message to attach, as JSON text, or NULL.
 * @return the handle of the connection, in state 1; VCX_INVALID_JSON (1016) if request_attach is
 *     not a JSON object, VCX_INVALID_INVITE_DETAILS (1045) without both a handshake and a request.
 */
export function connectionCreateOutofband(sourceId: string, goalCode: string | null, goal: string | null, handshake: boolean, requestAttach?: string | null): Promise<number>;

/**
 * Advances the handshake: an invitee sends its request, an inviter creates its invitation.
 *
 * @param connectionHandle The connection.
 * @param connectionOptions (optional) JSON text, or NULL. pairwise_agent_info: the text from
 *     vcx_create_pairwise_agent, for this connection alone: VCX_INVALID_JSON (1016) if another
 *     connection uses the mailbox. handshake_protocol: connections/1.0, didexchange/1.0 or
 *     didexchange/1.1. It replaces an invitee's default, which is the first protocol of the
 *     invitation that the library speaks, and is the only protocol that an inviter offers.
 *     use_did_method: unqualified, did:peer:2 or did:peer:4, the kind of DID that a DID exchange
 *     presents; an inviter's out-of-band invitation then names the DID instead of keys and
 *     endpoint. By default DID Exchange 1.0 presents an unqualified DID and 1.1 a did:peer:4.
 *     use_public_did: whether an inviter names its public DID. connection_type, phone and
 *     update_agent_info have no effect. Any other member is an error.
 * @return the invitation as JSON text, abbreviated under the proprietary protocol; or
 *     VCX_INVALID_CONNECTION_HANDLE (1003), VCX_INVALID_JSON (1016) for bad options,
 *     VCX_INVALID_CONFIGURATION (1004), VCX_POST_MSG_FAILURE (1010), VCX_INVALID_AGENCY_RESPONSE
 *     (1020), VCX_ACTION_NOT_SUPPORTED (1103) for an invitation that needs a ledger. Under the
 *     proprietary protocol also VCX_NOT_READY (1005) once the connection is accepted or redirected,
 *     VCX_INVALID_INVITE_DETAILS (1045) for an invitation whose sender has not signed for its
 *     mailbox, VCX_ACTION_NOT_SUPPORTED (1103) for an invitation that msdk has not made.
 */
export function connectionConnect(connectionHandle: number, connectionOptions?: string | null): Promise<string | null>;

/**
 * Asks the Cloud Agent for messages and applies at most one to the connection.
 *
 * A message that ends the connection sets its state to 0 and stays unread at the Cloud Agent. Two
 * other messages also stay unread, and the library answers each once: a handshake-reuse for an
 * invitation of this wallet, and an issuer's notice that it has revoked a credential, if the issuer
 * asks for an acknowledgement.
 *
 * @param connectionHandle The connection.
 * @return the state, also on error; VCX_INVALID_CONNECTION_HANDLE (1003), VCX_INVALID_DID (1008)
 *     before vcx_connection_connect, VCX_POST_MSG_FAILURE (1010), VCX_INVALID_AGENCY_RESPONSE
 *     (1020). After VCX_INVALID_DID_DOC (1108) the state is 0: the library has told the peer that
 *     its response cannot be used.
 */
export function connectionUpdateState(connectionHandle: number): Promise<number>;

/**
 * Applies a message that the program downloaded to the connection. The message keeps its status at
 * the Cloud Agent.
 *
 * The library takes the sender from the envelope in the connection's mailbox, and not from the
 * program's text. It remembers the messages that this process has downloaded, and looks for others
 * in the mailbox. A message without a proven sender has only the effects that need no sender: the
 * signature in a response is enough to confirm the response.
 *
 * @param connectionHandle The connection.
 * @param message (required) An entry of vcx_messages_download or vcx_download_message, or a
 *     decrypted message as JSON text.
 * @return the state, also on error; VCX_INVALID_CONNECTION_HANDLE (1003), VCX_POST_MSG_FAILURE
 *     (1010), VCX_INVALID_JSON (1016) also for a message that is not proven to be the peer's.
 */
export function connectionUpdateStateWithMessage(connectionHandle: number, message: string): Promise<number>;

/**
 * Reads the state of a connection, one of vcx_state.
 *
 * @param connectionHandle The connection.
 * @return the state; 0 without an error for an unknown handle.
 */
export function connectionGetState(connectionHandle: number): Promise<number>;

/**
 * Reads the invitation of a connection.
 *
 * @param connectionHandle The connection.
 * @param abbreviated Whether to shorten the names of members. Only the proprietary form has short
 *     names.
 * @return the invitation as JSON text; {}, or under the proprietary protocol null, if there is no
 *     invitation; VCX_INVALID_CONNECTION_HANDLE (1003).
 */
export function connectionInviteDetails(connectionHandle: number, abbreviated: boolean): Promise<string | null>;

/**
 * Writes a connection as JSON text for the program to store. vcx_connection_deserialize restores
 * it.
 *
 * @param connectionHandle The connection.
 * @return the text, or VCX_INVALID_CONNECTION_HANDLE (1003).
 */
export function connectionSerialize(connectionHandle: number): Promise<string | null>;

/**
 * Restores a serialized connection.
 *
 * @param connectionData (required) The text from vcx_connection_serialize, of this process or an
 *     earlier one.
 * @return a new handle at each call, or VCX_INVALID_JSON (1016).
 */
export function connectionDeserialize(connectionData: string): Promise<number>;

/**
 * Releases the handle of a connection. The mailbox at the Cloud Agent and the keys in the wallet
 * stay.
 *
 * @param connectionHandle The connection.
 * @return Always 0.
 */
export function connectionRelease(connectionHandle: number): void;

/**
 * Deletes the connection's mailbox at the Cloud Agent and releases the handle. The handle is
 * released even if the Cloud Agent cannot be reached: restore the connection from its serialized
 * form and delete it again. Deleting a mailbox that is gone succeeds. The keys stay in the wallet,
 * and the peer is not told.
 *
 * @param connectionHandle The connection.
 * @return 0, or VCX_INVALID_CONNECTION_HANDLE (1003), VCX_INVALID_DID (1008) before
 *     vcx_connection_connect, VCX_POST_MSG_FAILURE (1010), VCX_INVALID_AGENCY_RESPONSE (1020).
 */
export function connectionDeleteConnection(connectionHandle: number): Promise<void>;

/**
 * Describes the two sides of a connection: DIDs, keys, endpoints, protocols. my.did is the DID that
 * the peer sees, which is a did:peer if the handshake presented one.
 *
 * @param connectionHandle The connection.
 * @return JSON text with invitation, my and their; or VCX_INVALID_CONNECTION_HANDLE (1003),
 *     VCX_INVALID_CONFIGURATION (1004), VCX_ACTION_NOT_SUPPORTED (1103).
 */
export function connectionInfo(connectionHandle: number): Promise<string | null>;

/**
 * Reads this side's DID of the connection: the unqualified DID that names its mailbox. Downloaded
 * messages give it as pairwiseDID. The peer may know the connection by another DID, which
 * vcx_connection_info gives as my.did.
 *
 * @param connectionHandle The connection.
 * @return the DID, an empty text before vcx_connection_connect, or VCX_INVALID_CONNECTION_HANDLE
 *     (1003).
 */
export function connectionGetPwDid(connectionHandle: number): Promise<string | null>;

/**
 * Reads the peer's DID of the connection. The peer has proven its key (their.recipientKeys of
 * vcx_connection_info), and by the key its DID, except for a did:peer:1, which is only a claim.
 *
 * @param connectionHandle The connection.
 * @return the DID. Before the peer's answer, an invitee receives the @id of a connection invitation
 *     instead, or an empty text for an out-of-band invitation. An @id that is itself a DID is
 *     replaced by the DID that is derived from the invitation's key. VCX_INVALID_CONNECTION_HANDLE
 *     (1003); VCX_NOT_READY (1005) for an inviter without an answer, and after a failure.
 */
export function connectionGetTheirPwDid(connectionHandle: number): Promise<string | null>;

/**
 * Looks among stored connections for one that serves a new invitation. Needs neither network nor
 * initialisation.
 *
 * Anybody can write an invitation with other people's names, so only a connection's proven facts
 * count. The connection comes from the same invitation if both have the same @id (or connReqId),
 * first recipient key and address, or one DID instead of the key and the address. The connection is
 * with the same inviter if it is completed, and the new invitation names, by its first key or by a
 * DID, the key that signed the response, the peer's key, or a DID that these keys prove. A DID that
 * the old invitation only claimed in public_did does not count, nor do failed connections,
 * connections without a handshake, and connections to which this side invited. A connection from
 * the same invitation comes first. Among equals the first in the array counts. If an invitation has
 * several services, only the service for an answer counts: the first usable one.
 *
 * @param invitation (required) The new invitation of any form as JSON text.
 * @param connections (required) A JSON array of serialized connections, as texts or as the objects
 *     in the texts.
 * @return {"index": 2, "same": "inviter"}: the place of the connection in the array, or null, and
 *     the match with the invitation: invitation, inviter or none. Unreadable connections are
 *     skipped; if there are any, unreadable lists their places. VCX_INVALID_JSON (1016) for bad
 *     JSON.
 */
export function connectionFindExisting(invitation: string, connections: string): Promise<string | null>;

/**
 * Tells the author of a new out-of-band invitation that this connection serves it too.
 *
 * The peer agrees with a message named handshake-reuse-accepted, whose ~thread has the invitation's
 * @id as pthid; the program downloads it. If the invitation has an attachment, answer the
 * attachment over this connection and send no reuse: the inviter would take the reuse for the whole
 * answer.
 *
 * @param connectionHandle The connection.
 * @param invite (required) The new invitation as JSON text.
 * @return 0, or VCX_INVALID_CONNECTION_HANDLE (1003), VCX_NOT_READY (1005), VCX_POST_MSG_FAILURE
 *     (1010), VCX_INVALID_JSON (1016), VCX_ACTION_NOT_SUPPORTED (1103).
 */
export function connectionSendReuse(connectionHandle: number, invite: string): Promise<void>;

/**
 * Sends a message to the peer.
 *
 * @param connectionHandle The connection.
 * @param msg (required) JSON text is sent as it is; any other text is sent as a basic message.
 *     Under the proprietary protocol every text is sent as it is.
 * @param sendMsgOptions (required) JSON text with msg_type, msg_title and ref_msg_id. Only the
 *     proprietary protocol uses it: msg_type, a name of at most 64 letters, digits, - and _, is the
 *     name in the peer's decryptedPayload, message without it; ref_msg_id is the id of the message
 *     that is answered.
 * @return an empty text, or the id of the message under the proprietary protocol;
 *     VCX_INVALID_CONNECTION_HANDLE (1003), VCX_NOT_READY (1005), VCX_POST_MSG_FAILURE (1010),
 *     VCX_INVALID_JSON (1016) for bad options, VCX_ACTION_NOT_SUPPORTED (1103) for a proprietary
 *     connection with another library.
 */
export function connectionSendMessage(connectionHandle: number, msg: string, sendMsgOptions: string): Promise<string | null>;

/**
 * Sends a trust ping.
 *
 * @param connectionHandle The connection.
 * @param comment (optional) Text for the peer, or NULL.
 * @return 0, or VCX_INVALID_CONNECTION_HANDLE (1003), VCX_NOT_READY (1005), VCX_POST_MSG_FAILURE
 *     (1010), VCX_ACTION_NOT_SUPPORTED (1103).
 */
export function connectionSendPing(connectionHandle: number, comment?: string | null): Promise<void>;

/**
 * Asks the peer for the protocols that it speaks.
 *
 * @param connectionHandle The connection.
 * @param query (optional) A protocol, with * for any characters; NULL asks for all.
 * @param comment (optional) Text for the peer, or NULL.
 * @return 0, or VCX_INVALID_CONNECTION_HANDLE (1003), VCX_NOT_READY (1005), VCX_POST_MSG_FAILURE
 *     (1010), VCX_ACTION_NOT_SUPPORTED (1103).
 */
export function connectionSendDiscoveryFeatures(connectionHandle: number, query?: string | null, comment?: string | null): Promise<void>;

/**
 * Signs bytes with this side's key of the connection (Ed25519). Returns
 * VCX_INVALID_CONNECTION_HANDLE (1003) for an unknown handle.
 *
 * @param connectionHandle The connection.
 * @param dataRaw (required) The bytes.
 * @return the signature, 64 bytes; VCX_INVALID_DID (1008) before vcx_connection_connect.
 */
export function connectionSignData(connectionHandle: number, dataRaw: Uint8Array): Promise<Buffer>;

/**
 * Verifies a signature with the peer's key of the connection. Returns VCX_INVALID_CONNECTION_HANDLE
 * (1003) for an unknown handle, and VCX_NOT_READY (1005) if the peer's key is not known. While
 * another operation on the connection runs, VCX_NOT_READY (1005) goes to the callback.
 *
 * @param connectionHandle The connection.
 * @param dataRaw (required) The bytes that were signed.
 * @param signatureRaw (required) The signature.
 * @return whether the signature is valid.
 */
export function connectionVerifySignature(connectionHandle: number, dataRaw: Uint8Array, signatureRaw: Uint8Array): Promise<boolean>;

/**
 * Reads the message that ended a connection: a problem report of either side, or the peer's
 * did-rotate/1.0/hangup.
 *
 * @param connectionHandle The connection.
 * @return JSON text, null if no message ended the connection; VCX_INVALID_CONNECTION_HANDLE (1003),
 *     VCX_ACTION_NOT_SUPPORTED (1103).
 */
export function connectionGetProblemReport(connectionHandle: number): Promise<string | null>;

/**
 * Answers a structured question of questionanswer/1.0 or committedanswer/1.0. The answer is signed
 * if the protocol or the question requires it. The library signs one answer for each nonce, which
 * may be sent again.
 *
 * The library refuses a question that the connection's peer did not send, such as a question from a
 * stranger, or over another connection. It knows the senders of the messages that this process has
 * downloaded, and looks for other questions in the connection's mailbox. It cannot tell the sender
 * of a question that is in neither, for example if another process has downloaded it from another
 * connection: pass each question to the connection with its pairwiseDID.
 *
 * @param connectionHandle The connection.
 * @param question (required) The question as it arrived, as JSON text, or the downloaded entry that
 *     holds it.
 * @param answer (required) JSON text with the member text of the chosen response. For a committed
 *     answer also nonce, which the library otherwise takes from the question.
 * @return 0; VCX_INVALID_JSON (1016) if the JSON is no question or no answer, if the question is
 *     not the peer's, if it does not offer the response, if its time has passed, or if another
 *     answer is signed with its nonce; VCX_INVALID_OBJ_HANDLE (1048) for an unknown handle,
 *     VCX_NOT_READY (1005), VCX_POST_MSG_FAILURE (1010).
 */
export function connectionSendAnswer(connectionHandle: number, question: string, answer: string): Promise<void>;

/**
 * Invites the peer to act. Returns VCX_INVALID_JSON (1016) for bad JSON.
 *
 * @param connectionHandle The connection.
 * @param data (required) JSON text with goal_code, and ack_on for the wanted acknowledgements.
 * @return the message that was sent, as JSON text; VCX_INVALID_OBJ_HANDLE (1048) for an unknown
 *     handle, VCX_POST_MSG_FAILURE (1010).
 */
export function connectionSendInviteAction(connectionHandle: number, data: string): Promise<string | null>;

/**
 * Tells whether a serialized connection uses the proprietary protocol.
 *
 * @param serialized (required) The text from vcx_connection_serialize.
 * @return true for the proprietary protocol, or VCX_INVALID_JSON (1016).
 */
export function connectionNeedUpgrade(serialized: string): Promise<boolean>;

/**
 * In libvcx, this turns a connection of the proprietary protocol into a connection of the Aries
 * protocols. It served the move of Evernym's own customers, and needs data that only Evernym's
 * agency has. Make a new connection instead.
 *
 * Not implemented in this version: returns VCX_ACTION_NOT_SUPPORTED (1103).
 *
 * @param connectionHandle The connection.
 * @param data (optional) The upgrade information as JSON text, or NULL.
 * @return Never called.
 */
export function connectionUpgrade(connectionHandle: number, data?: string | null): Promise<string | null>;

/**
 * Answers an invitation of the proprietary protocol with an existing connection to the inviter.
 * Both sides' state becomes 8, the inviter's when vcx_connection_update_state finds the answer.
 *
 * @param connectionHandle The connection that was created from the invitation, in state 3.
 * @param redirectConnectionHandle The existing connection of the proprietary protocol, in state 4.
 * @return 0; or VCX_INVALID_CONNECTION_HANDLE (1003), VCX_NOT_READY (1005) in another state,
 *     VCX_POST_MSG_FAILURE (1010), VCX_INVALID_INVITE_DETAILS (1045) for an invitation whose sender
 *     has not signed for its mailbox, VCX_ACTION_NOT_SUPPORTED (1103) for an Aries connection and
 *     for an invitation that msdk has not made.
 */
export function connectionRedirect(connectionHandle: number, redirectConnectionHandle: number): Promise<void>;

/**
 * Reads the connection that the invitee wants to use instead of this one, under the proprietary
 * protocol.
 *
 * The invitee has proven only theirVerKey. Compare theirVerKey with the peer's key in the
 * connection that the program then uses. The library refuses a redirection to a connection that it
 * knows to have another peer.
 *
 * @param connectionHandle The connection.
 * @return JSON text, null if the invitee has named none; VCX_INVALID_CONNECTION_HANDLE (1003),
 *     VCX_ACTION_NOT_SUPPORTED (1103) for an Aries connection. theirDID and theirVerKey are the
 *     invitee's in the existing connection, DID and verKey the inviter's.
 */
export function connectionGetRedirectDetails(connectionHandle: number): Promise<string | null>;

/**
 * Lists the objects that the wallet keeps, as they were after their last change: the object that
 * has changed last comes first.
 *
 * @param queryJson (required) The conditions as a JSON object, all of which must hold; {} finds all
 *     objects. type is connection, credential, disclosed_proof, issuer_credential, proof, schema or
 *     credentialdef. source_id, thread, pairwise_did (this side's) and their_did are texts, state
 *     is a number, and finished is a boolean. limit is the highest number of objects.
 * @return a JSON array of objects with id, these members, and changed, seconds since 1970. A member
 *     is null if the object does not have it. VCX_INVALID_JSON (1016) for a bad or unknown
 *     condition; VCX_INVALID_CONFIGURATION (1004).
 */
export function objectsList(queryJson: string): Promise<string | null>;

/**
 * Opens an object that the wallet keeps. Release its handle with the function for its type.
 *
 * If the object is open, the new handle leads to the same object.
 *
 * @param objectId (required) The id of the object in the list.
 * @return the handle and the object's type; VCX_WALLET_RECORD_NOT_FOUND (1073) if the wallet does
 *     not keep such an object, VCX_INVALID_JSON (1016) for a record that a newer version has
 *     written, VCX_INVALID_CONFIGURATION (1004).
 */
export function objectOpen(objectId: string): Promise<{ number: number; text: string | null }>;

/**
 * Deletes an object from the wallet, and releases its handles. A credential stays in the wallet,
 * and a connection's mailbox stays at the Cloud Agent: vcx_delete_credential and
 * vcx_connection_delete_connection delete them together with the object.
 *
 * @param objectId (required) The id of the object in the list.
 * @return 0, or VCX_WALLET_RECORD_NOT_FOUND (1073) if the wallet does not keep such an object,
 *     VCX_INVALID_CONFIGURATION (1004).
 */
export function objectDelete(objectId: string): Promise<void>;

/**
 * Downloads and decrypts messages of the connections.
 *
 * @param messageStatus (optional) Only messages with one of these statuses, separated by commas,
 *     such as MS-103; NULL means all.
 * @param uids (optional) Only the messages with these ids, separated by commas; NULL means all.
 * @param pwDids (optional) Only the messages of the connections whose DIDs on this side are these,
 *     separated by commas; NULL means all.
 * @return a JSON array with an object per connection: pairwiseDID and msgs. Anyone who knows the
 *     connection's key can write to it, so a message is from the peer only if its senderVerkey is
 *     one of the peer's keys (vcx_connection_info, their). senderVerkey is null if the envelope
 *     does not prove its sender. VCX_INVALID_JSON (1016) for an unknown status,
 *     VCX_INVALID_CONFIGURATION (1004), VCX_POST_MSG_FAILURE (1010), VCX_INVALID_AGENCY_RESPONSE
 *     (1020), also if the messages exceed 64 MiB.
 */
export function messagesDownload(messageStatus?: string | null, uids?: string | null, pwDids?: string | null): Promise<string | null>;

/**
 * Gives messages a new status at the Cloud Agent. Mark handled messages with MS-106.
 *
 * @param messageStatus (required) MS-101 to MS-107.
 * @param msgJson (required) JSON array of objects with pairwiseDID and uids.
 * @return 0, VCX_INVALID_JSON (1016) for a bad status or bad JSON, VCX_INVALID_CONFIGURATION
 *     (1004), VCX_POST_MSG_FAILURE (1010), VCX_INVALID_AGENCY_RESPONSE (1020).
 */
export function messagesUpdateStatus(messageStatus: string, msgJson: string): Promise<void>;

/**
 * Downloads and decrypts one message of a connection.
 *
 * @param uid (required) The id of the message.
 * @return the message as JSON text, as vcx_messages_download lists it, with the additional member
 *     pairwiseDID; VCX_INVALID_AGENCY_RESPONSE (1020) unless exactly one message has the id,
 *     VCX_INVALID_CONFIGURATION (1004), VCX_POST_MSG_FAILURE (1010).
 */
export function downloadMessage(uid: string): Promise<string | null>;

/**
 * Subscribes to the messages of the connections: calls back once for each new message, and for each
 * one that is unread when the subscription begins. Messages come at once from a Cloud Agent that
 * tells of them, such as msdk-agency or a mediator with a WebSocket. From others they come within
 * some seconds.
 *
 * The subscription lasts until msdk_messages_unsubscribe or vcx_shutdown, also if the Cloud Agent
 * or the network is away meanwhile. A message that a call has applied or marked before the
 * subscription has seen it does not come. Messages keep their status: an unread one comes again in
 * the next subscription.
 *
 * Returns 0; VCX_INVALID_OPTION (1007) without cb, or beyond 16 subscriptions;
 * VCX_ALREADY_INITIALIZED (1044) if this command_handle has a subscription;
 * VCX_INVALID_CONFIGURATION (1004) if the library is not initialised, or has no Cloud Agent.
 *
 * With apply_messages in the configuration, the library first applies a message to the kept object
 * that it belongs to: to the unfinished exchange on its thread, or to the connection. The text then
 * has the member object with the id, the type and the state of the object. Anybody can write a
 * message on a thread: the state tells whether the library has believed it. The statusCode of the
 * text is MS-106 if the library has applied or refused the message, which is not unread any more. A
 * message that belongs to no object is given as it is. Messages for other objects do not wait for a
 * slow one, so they may come before it. If a message cannot be applied, it stays unread, the object
 * keeps its state, and the program may call the object's update function. Mark a message as read
 * only after the subscription has told of it: otherwise the library may not apply it.
 *
 * @param receive Called any number of times, one call at a time, on a thread of the library; while
 *     it runs, no further message comes. Its error is always 0. Its text is the message as
 *     vcx_download_message gives it, with two further members: kind, the name in its
 *     decryptedPayload, and thread, the id of its thread; both are null for a message that cannot
 *     be decrypted.
 * @return The subscription.
 */
export function messagesSubscribe(receive: (error: MsdkError | null, result: string | null) => void): number;

/**
 * Ends a subscription. Waits for its running callback, unless it is called inside it: no callback
 * runs after this function. Does nothing if there is no such subscription.
 *
 * @param subscription The command_handle of msdk_messages_subscribe.
 * @return Always 0.
 */
export function messagesUnsubscribe(subscription: number): void;

/**
 * Downloads messages to the Cloud Agent itself, which belong to no connection. They stay encrypted.
 *
 * @param messageStatus (optional) Only messages with one of these statuses, separated by commas;
 *     NULL means all.
 * @param uids (optional) Only the messages with these ids, separated by commas; NULL means all.
 * @return a JSON array; VCX_INVALID_JSON (1016) for an unknown status, VCX_INVALID_CONFIGURATION
 *     (1004), VCX_POST_MSG_FAILURE (1010), VCX_INVALID_AGENCY_RESPONSE (1020).
 */
export function downloadAgentMessages(messageStatus?: string | null, uids?: string | null): Promise<string | null>;

/**
 * Reads a push notification and names the call that fetches the announced message. Works without
 * initialisation.
 *
 * @param payload (required) The notification as it arrived, as JSON text: from an agency to a
 *     sponsor (msgId, relationshipDid, metaData), from an agency to a web address (msgUid, pwDid),
 *     or from Firebase (uid, forDID), also inside data.
 * @return JSON text with call (vcx_messages_download, or vcx_download_agent_messages for the
 *     agency's own messages), its arguments uids and pw_dids, and msgType and sender from the
 *     notification, or null. VCX_INVALID_JSON (1016) if the text is no such notification.
 */
export function parsePush(payload: string): Promise<string | null>;

/**
 * Finds the message behind a URL: an invitation in its query, or the message at its address.
 *
 * @param url (required) An absolute URL, often from a QR code.
 * @return the message as JSON text, or VCX_INVALID_URL (1013).
 */
export function resolveMessageByUrl(url: string): Promise<string | null>;

/**
 * Reads the first attachment of a message.
 *
 * @param message (required) The message as JSON text.
 * @return the content of the attachment, as compact text if it is JSON; VCX_INVALID_JSON (1016)
 *     without an attachment, VCX_INVALID_ATTACHMENT_ENCODING (1100) if the list of attachments is
 *     empty or the content is not base64 of UTF-8.
 */
export function extractAttachedMessage(message: string): Promise<string | null>;

/**
 * Reads the id of a message's thread: the id in its ~thread, or otherwise the message's own id.
 *
 * @param message (required) The message as JSON text.
 * @return the id of the thread, or VCX_INVALID_JSON (1016).
 */
export function extractThreadId(message: string): Promise<string | null>;

/**
 * Adds a record.
 *
 * @param type (required) The type of the record.
 * @param id (required) The id of the record, unique within its type.
 * @param value (required) The text to keep.
 * @param tagsJson (required) The tags as a JSON object, {} for none.
 * @return 0, VCX_DUPLICATE_WALLET_RECORD (1072) if the record exists, VCX_LIBINDY_INVALID_STRUCTURE
 *     (1080) for bad tags, VCX_INVALID_WALLET_HANDLE (1057).
 */
export function walletAddRecord(type: string, id: string, value: string, tagsJson: string): Promise<void>;

/**
 * Replaces the text of a record. Its tags do not change.
 *
 * @param type (required) The type of the record.
 * @param id (required) The id of the record, unique within its type.
 * @param value (required) The new text.
 * @return 0, VCX_WALLET_RECORD_NOT_FOUND (1073) if there is no such record,
 *     VCX_INVALID_WALLET_HANDLE (1057).
 */
export function walletUpdateRecordValue(type: string, id: string, value: string): Promise<void>;

/**
 * Replaces all tags of a record.
 *
 * @param type (required) The type of the record.
 * @param id (required) The id of the record, unique within its type.
 * @param tags (required) The tags as a JSON object.
 * @return 0, VCX_WALLET_RECORD_NOT_FOUND (1073) if there is no such record,
 *     VCX_LIBINDY_INVALID_STRUCTURE (1080) for bad tags, VCX_INVALID_WALLET_HANDLE (1057).
 */
export function walletUpdateRecordTags(type: string, id: string, tags: string): Promise<void>;

/**
 * Adds tags to a record and replaces its tags with the same names.
 *
 * @param type (required) The type of the record.
 * @param id (required) The id of the record, unique within its type.
 * @param tags (required) The tags as a JSON object.
 * @return 0, VCX_WALLET_RECORD_NOT_FOUND (1073) if there is no such record,
 *     VCX_LIBINDY_INVALID_STRUCTURE (1080) for bad tags, VCX_INVALID_WALLET_HANDLE (1057).
 */
export function walletAddRecordTags(type: string, id: string, tags: string): Promise<void>;

/**
 * Deletes tags of a record. Names that the record does not have are ignored.
 *
 * @param type (required) The type of the record.
 * @param id (required) The id of the record, unique within its type.
 * @param tags (required) The names as a JSON array.
 * @return 0, VCX_WALLET_RECORD_NOT_FOUND (1073) if there is no such record,
 *     VCX_LIBINDY_INVALID_STRUCTURE (1080) for bad names, VCX_INVALID_WALLET_HANDLE (1057).
 */
export function walletDeleteRecordTags(type: string, id: string, tags: string): Promise<void>;

/**
 * Reads a record.
 *
 * @param type (required) The type of the record.
 * @param id (required) The id of the record, unique within its type.
 * @param optionsJson (required) JSON object with retrieveType (false unless given), retrieveValue
 *     (true) and retrieveTags (true); {} for the defaults.
 * @return JSON text with type, id, value and tags; unwanted members are null. On an error an empty
 *     text: VCX_WALLET_RECORD_NOT_FOUND (1073), VCX_LIBINDY_INVALID_STRUCTURE (1080),
 *     VCX_INVALID_WALLET_HANDLE (1057).
 */
export function walletGetRecord(type: string, id: string, optionsJson: string): Promise<string | null>;

/**
 * Deletes a record.
 *
 * @param type (required) The type of the record.
 * @param id (required) The id of the record, unique within its type.
 * @return 0, VCX_WALLET_RECORD_NOT_FOUND (1073) if there is no such record,
 *     VCX_INVALID_WALLET_HANDLE (1057).
 */
export function walletDeleteRecord(type: string, id: string): Promise<void>;

/**
 * Opens a search for records. Close it with vcx_wallet_close_search.
 *
 * The search has the wallet's records of this moment: later changes have no effect on it. The order
 * of the records is not specified.
 *
 * @param type (required) The type of the records.
 * @param queryJson (required) The query over tags as JSON text; {} finds all. It maps names of tags
 *     to texts or to one of $neq, $in, $regex, $gt, $gte, $lt, $lte and $like; $and, $or and $not
 *     combine. $like needs an unencrypted tag, and so do $gt, $gte, $lt and $lte with a text; with
 *     a number they take any tag.
 * @param optionsJson (required) JSON object with retrieveRecords (true unless given),
 *     retrieveTotalCount (false), retrieveType (false), retrieveValue (true) and retrieveTags
 *     (true); {} for the defaults.
 * @return the handle of the search; VCX_INVALID_LIBINDY_PARAM (1067) for a bad query, with the
 *     place in the current error's cause; VCX_LIBINDY_INVALID_STRUCTURE (1080) for bad options,
 *     VCX_INVALID_WALLET_HANDLE (1057).
 */
export function walletOpenSearch(type: string, queryJson: string, optionsJson: string): Promise<number>;

/**
 * Reads the next records of a search.
 *
 * @param walletSearchHandle The search.
 * @param count The highest number of records to read.
 * @return JSON text with totalCount, null unless wanted, and records, null at the end and unless
 *     wanted; VCX_INVALID_WALLET_HANDLE (1057) if the search is not open.
 */
export function walletSearchNextRecords(walletSearchHandle: number, count: number): Promise<string | null>;

/**
 * Closes a search.
 *
 * @param searchHandle The search.
 * @return 0, or VCX_INVALID_WALLET_HANDLE (1057) if it is not open.
 */
export function walletCloseSearch(searchHandle: number): Promise<void>;

/**
 * Gives the open wallet another key. No record changes. After the callback, the old key no longer
 * opens the wallet: put the new key into the configuration for the next vcx_init_with_config.
 *
 * @param newKey (required) The new key: a passphrase, or for RAW 32 bytes in base58.
 * @param derivation (optional) The derivation of the file's key from new_key: ARGON2I_MOD, the
 *     default for NULL, ARGON2I_INT or RAW. Returns VCX_INVALID_OPTION (1007) for anything else.
 * @return 0, VCX_LIBINDY_INVALID_STRUCTURE (1080) for a malformed raw key, VCX_IOERROR (1074),
 *     VCX_INVALID_WALLET_HANDLE (1057).
 */
export function walletRekey(newKey: string, derivation?: string | null): Promise<void>;

/**
 * Writes the open wallet to an encrypted file: all records, and the keys and DIDs that the library
 * keeps.
 *
 * The file appears complete or not at all. It has the wallet's records of one moment, and other
 * calls can use the wallet meanwhile.
 *
 * @param path (required) The file, which must not exist. Directories on the way are created.
 * @param backupKey (required) The passphrase for the file.
 * @return 0, VCX_IOERROR (1074) if the file exists or cannot be written, VCX_INVALID_WALLET_HANDLE
 *     (1057).
 */
export function walletExport(path: string, backupKey: string): Promise<void>;

/**
 * Creates a wallet from an exported file, without opening it. The wallet appears complete or not at
 * all. The file stays.
 *
 * @param config (required) JSON text with wallet_name, wallet_key, exported_wallet_path and
 *     backup_key; also wallet_key_derivation and storage_config, as for vcx_init_with_config.
 * @return 0, or VCX_INVALID_CONFIGURATION (1004), VCX_INVALID_WALLET_IMPORT_CONFIG (1076) if a
 *     member is missing, VCX_WALLET_ALREADY_EXISTS (1051) if the wallet exists, VCX_IOERROR (1074)
 *     if a file cannot be read or written, VCX_LIBINDY_INVALID_STRUCTURE (1080) for a wrong
 *     passphrase or a broken file. The current error names the file that is at fault.
 */
export function walletImport(config: string): Promise<void>;

/**
 * Asks the Cloud Agent for room for backups of the wallet. State 2 follows when the Cloud Agent has
 * made room.
 *
 * A new device needs only the passphrase for vcx_wallet_backup_restore. Nobody can look it up or
 * reset it. Everybody with a copy of the backup can try passphrases, so let the program make it:
 * six random words, or more. The configuration's backup_key_derivation says how the passphrase
 * gives the key that finds the backup: ARGON2ID, the default, or SHA256 as in libvcx. A restore
 * tries both.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param walletEncryptionKey (required) The passphrase for the backups. Returns VCX_INVALID_OPTION
 *     (1007) for less than 12 characters.
 * @return the handle of the backup, in state 1, or VCX_POST_MSG_FAILURE (1010), also if another
 *     account has the passphrase.
 */
export function walletBackupCreate(sourceId: string, walletEncryptionKey: string): Promise<number>;

/**
 * Exports the wallet and sends it to the Cloud Agent. State 3 follows, and state 2 again once the
 * Cloud Agent has stored it.
 *
 * A second backup has to wait for the confirmation of the first, but no more than ten minutes. If a
 * later vcx_wallet_backup_create has given the account another passphrase, the backup is refused:
 * its passphrase would not open the agency's backups any more.
 *
 * @param walletBackupHandle The backup, in state 2.
 * @param path (required) A path. The library writes the export beside it, and then removes it.
 * @return 0, or VCX_NOT_READY (1005), VCX_INVALID_OBJ_HANDLE (1048), VCX_IOERROR (1074) if the file
 *     cannot be written, VCX_CREATE_WALLET_BACKUP (1096) if the account has another passphrase now,
 *     VCX_MAX_BACKUP_SIZE (1105) if the export has more than 5000000 bytes, VCX_POST_MSG_FAILURE
 *     (1010).
 */
export function walletBackupBackup(walletBackupHandle: number, path: string): Promise<void>;

/**
 * Asks the Cloud Agent for news of a backup.
 *
 * @param walletBackupHandle The backup.
 * @return the state, one of vcx_backup_state, or VCX_INVALID_OBJ_HANDLE (1048),
 *     VCX_POST_MSG_FAILURE (1010).
 */
export function walletBackupUpdateState(walletBackupHandle: number): Promise<number>;

/**
 * Applies a downloaded message to a backup. Returns VCX_INVALID_JSON (1016) for bad JSON.
 *
 * @param walletBackupHandle The backup.
 * @param message (required) The message as JSON text, as vcx_download_agent_messages gives it: its
 *     type and uid count.
 * @return the state, one of vcx_backup_state, or VCX_INVALID_OBJ_HANDLE (1048).
 */
export function walletBackupUpdateStateWithMessage(walletBackupHandle: number, message: string): Promise<number>;

/**
 * Writes a backup as JSON text for the program to store. vcx_wallet_backup_deserialize restores it.
 * The text contains the passphrase: keep it as secret as the wallet's key.
 *
 * @param walletBackupHandle The backup.
 * @return the text, or VCX_INVALID_OBJ_HANDLE (1048).
 */
export function walletBackupSerialize(walletBackupHandle: number): Promise<string | null>;

/**
 * Restores a serialized backup.
 *
 * @param walletBackupStr (required) The text from vcx_wallet_backup_serialize.
 * @return a new handle, or VCX_INVALID_JSON (1016).
 */
export function walletBackupDeserialize(walletBackupStr: string): Promise<number>;

/**
 * Fetches the newest backup under a passphrase from the agency, and continues with it in place of
 * the open wallet.
 *
 * A new device first provisions a temporary wallet and Cloud Agent at the same agency, and
 * initialises the library with them. This call deletes the temporary wallet once the restored
 * wallet is open; a failure does not change it. The restored wallet is then open with the settings
 * of the temporary wallet: read the program's own old configuration from it, call vcx_shutdown
 * without deleting, and initialise the library with that configuration.
 *
 * If the process ends during the call, initialise the library with the temporary configuration
 * again. If that gives VCX_WALLET_NOT_FOUND (1079), the restore was complete: use the name and the
 * key of config in it. Otherwise call this function again with the same config; it finishes the
 * work, even if the restored wallet exists already.
 *
 * @param config (required) JSON text with wallet_name, wallet_key, exported_wallet_path and
 *     backup_key, the passphrase; also wallet_key_derivation and storage_config, as for
 *     vcx_init_with_config. The library writes the backup beside exported_wallet_path and removes
 *     it again.
 * @return 0, or VCX_INVALID_WALLET_IMPORT_CONFIG (1076) if a member is missing,
 *     VCX_RETRIEVE_DEAD_DROP (1099) if the agency does not know the passphrase,
 *     VCX_RETRIEVE_EXPORTED_WALLET (1097) if it knows the passphrase and has no backup under it,
 *     VCX_POST_MSG_FAILURE (1010) after too many attempts, VCX_WALLET_ALREADY_EXISTS (1051) if
 *     another wallet has the name, VCX_IOERROR (1074) if a file cannot be read or written, or
 *     another process has the temporary wallet open, VCX_LIBINDY_INVALID_STRUCTURE (1080) for a
 *     broken backup, VCX_INVALID_CONFIGURATION (1004) if the library was shut down meanwhile.
 */
export function walletBackupRestore(config: string): Promise<void>;

/**
 * Creates a credential from an offer.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param offer (required) The offer as JSON text: a message of issue-credential 1.0 or 2.0, or an
 *     array that begins with it. It may come from vcx_credential_get_offers, from a downloaded
 *     message, or from vcx_extract_attached_message.
 * @return the handle of the credential, in state 3, or VCX_INVALID_CREDENTIAL_OFFER (1043).
 */
export function credentialCreateWithOffer(sourceId: string, offer: string): Promise<number>;

/**
 * Downloads an offer and creates a credential from it.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param connectionHandle The connection.
 * @param msgId (required) The id of the message with the offer.
 * @return the handle of the credential and the offer; VCX_INVALID_AGENCY_RESPONSE (1020) if the
 *     message is not an offer, VCX_INVALID_JSON (1016) if the peer has not sent it.
 */
export function credentialCreateWithMsgid(sourceId: string, connectionHandle: number, msgId: string): Promise<{ number: number; text: string | null }>;

/**
 * Creates a credential from an offer, sends the request and serializes the credential, in one call.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param offer (required) The offer as JSON text.
 * @param connectionHandle The connection.
 * @return the handle of the credential and its serialized form, or the errors of the three calls.
 */
export function credentialAcceptCredentialOffer(sourceId: string, offer: string, connectionHandle: number): Promise<{ number: number; text: string | null }>;

/**
 * Requests the offered credential. In later states the call does nothing and succeeds.
 *
 * The library fetches the definition and compares the offer with it. It refuses an offer that does
 * not fit with VCX_INVALID_CREDENTIAL_OFFER (1043), and tells the issuer. After a fault on this
 * side the credential does not change, and the program can repeat the call: it sends the same
 * request again. Without a connection, the issuer may answer at once: the credential is then
 * stored, and its state is 4. Otherwise the issuer answers later, into a mailbox that the library
 * opens for this credential, and that vcx_credential_update_state asks.
 *
 * @param credentialHandle The credential.
 * @param connectionHandle The connection, or 0 to answer the service that the offer names itself.
 * @param paymentHandle Ignored.
 * @return 0, or VCX_INVALID_CREDENTIAL_HANDLE (1053), VCX_INVALID_CONNECTION_HANDLE (1003),
 *     VCX_CONNECTION_NOT_COMPLETED (1112) if the connection is not completed, VCX_POST_MSG_FAILURE
 *     (1010), VCX_CREDENTIAL_DEFINITION_NOT_FOUND (1036) if the definition cannot be fetched,
 *     VCX_INVALID_CREDENTIAL_OFFER (1043), VCX_ACTION_NOT_SUPPORTED (1103) without the AnonCreds
 *     engine.
 */
export function credentialSendRequest(credentialHandle: number, connectionHandle: number, paymentHandle: number): Promise<void>;

/**
 * Reads the request of a credential of the proprietary protocol, for programs that send it
 * themselves.
 *
 * The library has no such credentials: the form of their messages and of their stored states is not
 * published. All its credentials are Aries credentials, for which libvcx refuses this call too.
 *
 * @param credentialHandle The credential.
 * @param myPwDid (required) This side's DID of the connection.
 * @param theirPwDid (optional) The peer's DID, or NULL.
 * @param paymentHandle Ignored.
 * @return VCX_INVALID_CREDENTIAL_HANDLE (1053), or VCX_ACTION_NOT_SUPPORTED (1103) for an Aries
 *     credential.
 */
export function credentialGetRequestMsg(credentialHandle: number, myPwDid: string, theirPwDid: string | null, paymentHandle: number): Promise<string | null>;

/**
 * Downloads all offers of the peer that wait on a connection. They keep their status at the Cloud
 * Agent. Strangers may know the connection's key; the library omits their offers.
 *
 * @param connectionHandle The connection.
 * @return a JSON array of offers, as they came; with protocol_type 3.0 or less each offer is an
 *     array with one element, in the older form. VCX_INVALID_CONNECTION_HANDLE (1003),
 *     VCX_POST_MSG_FAILURE (1010).
 */
export function credentialGetOffers(connectionHandle: number): Promise<string | null>;

/**
 * Asks the Cloud Agent for messages, and applies at most one message of the credential's own
 * thread; others do not change.
 *
 * The library verifies an arriving credential, stores and acknowledges it. It refuses a credential
 * that differs from the offer with VCX_INVALID_CREDENTIAL_JSON (1054), and tells the issuer. After
 * a fault on this side the message stays, and the next call tries again.
 *
 * @param credentialHandle The credential.
 * @return the state, also on error; VCX_INVALID_CREDENTIAL_HANDLE (1053), VCX_POST_MSG_FAILURE
 *     (1010), VCX_INVALID_CREDENTIAL_JSON (1054), VCX_ACTION_NOT_SUPPORTED (1103) without the
 *     AnonCreds engine.
 */
export function credentialUpdateState(credentialHandle: number): Promise<number>;

/**
 * Applies a message that the program downloaded to the credential. A message of another thread has
 * no effect.
 *
 * @param credentialHandle The credential.
 * @param message (required) An entry of vcx_messages_download or vcx_download_message, or a
 *     decrypted message as JSON text. The envelope in the mailbox proves its sender, as for
 *     vcx_connection_update_state_with_message.
 * @return the state, also on error; VCX_INVALID_CREDENTIAL_HANDLE (1053), VCX_POST_MSG_FAILURE
 *     (1010), VCX_INVALID_JSON (1016) also for a message that is not proven to be the issuer's,
 *     VCX_INVALID_CREDENTIAL_JSON (1054), VCX_ACTION_NOT_SUPPORTED (1103) without the AnonCreds
 *     engine.
 */
export function credentialUpdateStateWithMessage(credentialHandle: number, message: string): Promise<number>;

/**
 * Reads the state of a credential, one of vcx_state.
 *
 * @param handle The credential.
 * @return the state, or VCX_INVALID_CREDENTIAL_HANDLE (1053).
 */
export function credentialGetState(handle: number): Promise<number>;

/**
 * Writes a credential as JSON text for the program to store. vcx_credential_deserialize restores
 * it.
 *
 * @param handle The credential.
 * @return the text, or VCX_INVALID_CREDENTIAL_HANDLE (1053).
 */
export function credentialSerialize(handle: number): Promise<string | null>;

/**
 * Restores a serialized credential.
 *
 * @param credentialData (required) The text from vcx_credential_serialize, also of libvcx.
 * @return a new handle, or VCX_INVALID_JSON (1016); VCX_ACTION_NOT_SUPPORTED (1103) for a
 *     credential of the proprietary protocol, whose form is not published.
 */
export function credentialDeserialize(credentialData: string): Promise<number>;

/**
 * Releases the handle of a credential. The stored credential stays in the wallet.
 *
 * @param handle The credential.
 * @return Always 0.
 */
export function credentialRelease(handle: number): void;

/**
 * Declines an offer, or withdraws a proposal, and tells the issuer. Once the exchange has ended the
 * call does nothing and succeeds.
 *
 * @param credentialHandle The credential.
 * @param connectionHandle The connection, or 0 to answer the service that the offer names itself.
 * @param comment (optional) The reason, or NULL for a fixed text.
 * @return 0, or VCX_INVALID_CREDENTIAL_HANDLE (1053), VCX_INVALID_CONNECTION_HANDLE (1003),
 *     VCX_CONNECTION_NOT_COMPLETED (1112) when the connection is not completed,
 *     VCX_POST_MSG_FAILURE (1010); VCX_INVALID_STATE (1081) if another object of the same exchange,
 *     such as one from a later serialized text, has stored the credential.
 */
export function credentialReject(credentialHandle: number, connectionHandle: number, comment?: string | null): Promise<void>;

/**
 * Reads an offer without creating a credential.
 *
 * @param offer (required) The offer as JSON text.
 * @return JSON text with name, attributes, cred_def_id, schema_id and thid, or
 *     VCX_INVALID_CREDENTIAL_OFFER (1043).
 */
export function credentialParseOffer(offer: string): Promise<string | null>;

/**
 * Reads the problem report that ended the exchange.
 *
 * @param credentialHandle The credential.
 * @return JSON text, null if no report ended the exchange; VCX_INVALID_CREDENTIAL_HANDLE (1053),
 *     VCX_ACTION_NOT_SUPPORTED (1103).
 */
export function credentialGetProblemReport(credentialHandle: number): Promise<string | null>;

/**
 * Creates a credential that this side proposes.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param proposal (required) The credential to propose, as JSON text with attributes and filter, of
 *     which one may be absent. attributes are values as for vcx_issuer_create_credential; filter is
 *     an object with members among cred_def_id, issuer_did, schema_id, schema_issuer_did,
 *     schema_name and schema_version.
 * @param comment (optional) Text for the issuer, or NULL.
 * @param options (optional) JSON text, or NULL. version: 1.0 or 2.0, the version of
 *     issue-credential; format: hlindy or anoncreds, the format of version 2.0. Without a member,
 *     or with auto, the configuration decides; without it the peer's disclosed protocols or its
 *     invitation decide about the version, and the ids about the format.
 * @return the handle of the credential, in state 1, or VCX_INVALID_JSON (1016).
 */
export function credentialCreateProposal(sourceId: string, proposal: string, comment?: string | null, options?: string | null): Promise<number>;

/**
 * Sends the proposal. If the proposal has been sent, the call succeeds without sending.
 *
 * @param credentialHandle The credential.
 * @param connectionHandle The connection.
 * @return 0, or VCX_INVALID_CREDENTIAL_HANDLE (1053), VCX_INVALID_CONNECTION_HANDLE (1003),
 *     VCX_CONNECTION_NOT_COMPLETED (1112) if the connection is not completed, VCX_INVALID_DID
 *     (1008) if it has no mailbox, VCX_POST_MSG_FAILURE (1010), VCX_ACTION_NOT_SUPPORTED (1103).
 */
export function credentialSendProposal(credentialHandle: number, connectionHandle: number): Promise<void>;

/**
 * Answers an offer with a proposal of another credential, on its thread. State 10 follows, and with
 * the next offer state 3.
 *
 * @param credentialHandle The credential, in state 3.
 * @param connectionHandle The connection. After a proposal before, the new one takes the way of
 *     that one.
 * @param proposal (required) The credential to propose, as for msdk_credential_create_proposal.
 * @param comment (optional) Text for the issuer, or NULL.
 * @return 0, or VCX_INVALID_CREDENTIAL_HANDLE (1053), VCX_INVALID_CONNECTION_HANDLE (1003),
 *     VCX_INVALID_JSON (1016), VCX_CONNECTION_NOT_COMPLETED (1112) if the connection is not
 *     completed, VCX_INVALID_DID (1008) if it has no mailbox, VCX_POST_MSG_FAILURE (1010),
 *     VCX_INVALID_STATE (1081) in other states and after 32 proposals.
 */
export function credentialProposeInstead(credentialHandle: number, connectionHandle: number, proposal: string, comment?: string | null): Promise<void>;

/**
 * Reads the offer of a credential, also one that answers a proposal. vcx_credential_parse_offer
 * reads its content.
 *
 * @param credentialHandle The credential.
 * @return the message as JSON text, or VCX_INVALID_CREDENTIAL_HANDLE (1053), VCX_NOT_READY (1005)
 *     before there is an offer.
 */
export function credentialGetOffer(credentialHandle: number): Promise<string | null>;

/**
 * Reads the stored credential.
 *
 * @param credentialHandle The credential.
 * @return the message that carried the credential, as JSON text; with protocol_type 3.0 or less
 *     credential_id and credential, the latter as text. VCX_INVALID_CREDENTIAL_HANDLE (1053),
 *     VCX_NOT_READY (1005) before it is stored, VCX_INVALID_STATE (1081) after a failure.
 */
export function getCredential(credentialHandle: number): Promise<string | null>;

/**
 * Deletes the stored credential from the wallet and releases the handle. The handle is released
 * even if the deletion fails.
 *
 * @param credentialHandle The credential.
 * @return 0, or VCX_INVALID_CREDENTIAL_HANDLE (1053), VCX_NOT_READY (1005) before it is stored,
 *     VCX_WALLET_RECORD_NOT_FOUND (1073) when it is deleted already, VCX_INVALID_STATE (1081) after
 *     a failure, which closes the mailbox of an exchange without a connection.
 */
export function deleteCredential(credentialHandle: number): Promise<void>;

/**
 * Creates a proposal to present all attributes of the credential.
 *
 * @param credentialHandle The credential.
 * @return the message as JSON text, or VCX_INVALID_CREDENTIAL_HANDLE (1053), VCX_NOT_READY (1005).
 */
export function credentialGetPresentationProposalMsg(credentialHandle: number): Promise<string | null>;

/**
 * Reads the wallet's information about the stored credential.
 *
 * @param credentialHandle The credential.
 * @return JSON text with referent, attrs, schema_id, cred_def_id, rev_reg_id and cred_rev_id;
 *     VCX_INVALID_CREDENTIAL_HANDLE (1053), VCX_NOT_READY (1005).
 */
export function credentialGetInfo(credentialHandle: number): Promise<string | null>;

/**
 * Asks the registry whether the issuer has revoked the stored credential. The wallet notes the
 * answer: vcx_disclosed_proof_retrieve_credentials marks a revoked credential.
 *
 * @param credentialHandle The credential.
 * @return whether it is revoked; false for a credential that cannot be revoked.
 *     VCX_INVALID_CREDENTIAL_HANDLE (1053), VCX_NOT_READY (1005) before it is stored,
 *     VCX_INVALID_STATE (1081) after a failure, VCX_INVALID_REVOCATION_DETAILS (1091) if the
 *     registry does not answer or cannot be used.
 */
export function credentialIsRevoked(credentialHandle: number): Promise<boolean>;

/**
 * Fetches the schemas, definitions and revocation registries of all stored credentials into the
 * wallet, so that proofs without revocation need no network later.
 *
 * @return 0, VCX_NO_POOL_OPEN (1030) if neither a ledger nor a registry is configured,
 *     VCX_INVALID_SCHEMA (1031), VCX_CREDENTIAL_DEFINITION_NOT_FOUND (1036) or
 *     VCX_INVALID_REVOCATION_DETAILS (1091) if a schema, a definition or a revocation registry
 *     cannot be fetched.
 */
export function fetchPublicEntities(): Promise<void>;

/**
 * Opens a search for credentials, in the order in which they were stored. Close it with
 * msdk_credentials_close_search.
 *
 * The search has the wallet's credentials of this moment. Whether a credential is revoked is read
 * with its page.
 *
 * @param queryJson (required) The conditions as a JSON object, all of which must hold; {} finds all
 *     credentials. schema_id, schema_name, schema_version, schema_issuer_did, cred_def_id,
 *     issuer_did and rev_reg_id are texts. attributes maps names, in any spelling, to the wanted
 *     values, or to null for any value. revoked is a boolean. connection is this side's DID of a
 *     connection. received_from and received_to are seconds since 1970.
 * @return the handle of the search; VCX_INVALID_LIBINDY_PARAM (1067) for a bad or unknown
 *     condition, VCX_INVALID_WALLET_HANDLE (1057).
 */
export function credentialsOpenSearch(queryJson: string): Promise<number>;

/**
 * Reads the next credentials of a search.
 *
 * @param searchHandle The search.
 * @param count The highest number of credentials to read. A page has at most 1,000.
 * @return a JSON array of credentials, empty at the end; the attachments in display lack their
 *     data. VCX_INVALID_WALLET_HANDLE (1057) if the search is not open.
 */
export function credentialsSearchNext(searchHandle: number, count: number): Promise<string | null>;

/**
 * Closes a search for credentials.
 *
 * @param searchHandle The search.
 * @return 0, or VCX_INVALID_WALLET_HANDLE (1057) if it is not open.
 */
export function credentialsCloseSearch(searchHandle: number): Promise<void>;

/**
 * Reads one credential of the wallet.
 *
 * @param id (required) The referent of the credential: the thread id of the exchange that brought
 *     it.
 * @return the credential as JSON text; the attachments in display have their data.
 *     VCX_WALLET_RECORD_NOT_FOUND (1073) if the wallet does not have it, VCX_INVALID_WALLET_HANDLE
 *     (1057).
 */
export function credentialsGet(id: string): Promise<string | null>;

/**
 * Reads a proof request without making a proof.
 *
 * @param request (required) The request as JSON text: a message of present-proof 1.0 or 2.0.
 * @return JSON text with name, version, requested_attributes, requested_predicates and thid, or
 *     VCX_INVALID_PROOF_REQUEST (1086).
 */
export function disclosedProofParseRequest(request: string): Promise<string | null>;

/**
 * Creates a proof from a request.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param proofReq (required) The request as JSON text: a message of present-proof 1.0 or 2.0. It
 *     may come from vcx_disclosed_proof_get_requests, from a downloaded message, or from
 *     vcx_extract_attached_message.
 * @return the handle of the proof, in state 3, or VCX_INVALID_PROOF_REQUEST (1086).
 */
export function disclosedProofCreateWithRequest(sourceId: string, proofReq: string): Promise<number>;

/**
 * Downloads a request and creates a proof from it.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param connectionHandle The connection.
 * @param msgId (required) The id of the message with the request.
 * @return the handle of the proof and the request; VCX_INVALID_AGENCY_RESPONSE (1020) if the
 *     message is not a request, VCX_INVALID_JSON (1016) if the peer has not sent it.
 */
export function disclosedProofCreateWithMsgid(sourceId: string, connectionHandle: number, msgId: string): Promise<{ number: number; text: string | null }>;

/**
 * Creates a proof that this side proposes.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param proposal (required) The presentation to propose, as JSON text: attributes with name, and
 *     optionally cred_def_id, value and referent, and predicates with name, predicate, threshold
 *     and optionally cred_def_id.
 * @param comment (required) Text for the verifier.
 * @return the handle of the proof, in state 1, or VCX_INVALID_PROOF_PROPOSAL (1110).
 */
export function disclosedProofCreateProposal(sourceId: string, proposal: string, comment: string): Promise<number>;

/**
 * Creates a proof that this side proposes, as vcx_disclosed_proof_create_proposal does, in a
 * version and a format of the program's choice.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param proposal (required) The presentation to propose, as for
 *     vcx_disclosed_proof_create_proposal.
 * @param comment (required) Text for the verifier.
 * @param options (optional) JSON text, or NULL; as for msdk_credential_create_proposal, about
 *     present-proof.
 * @return the handle of the proof, in state 1, or VCX_INVALID_PROOF_PROPOSAL (1110), also for the
 *     options.
 */
export function disclosedProofCreateProposalWithOptions(sourceId: string, proposal: string, comment: string, options?: string | null): Promise<number>;

/**
 * Finds the credentials that fit each item of the request.
 *
 * @param proofHandle The proof.
 * @return JSON text with attributes and predicates: each item with its credentials, and whether a
 *     credential is missing; with protocol_type 3.0 or less one map attrs of all items.
 *     VCX_INVALID_DISCLOSED_PROOF_HANDLE (1049), VCX_NOT_READY (1005) without a request,
 *     VCX_INVALID_PROOF_REQUEST (1086).
 */
export function disclosedProofRetrieveCredentials(proofHandle: number): Promise<string | null>;

/**
 * Reads all that a screen shows of a request, in one call: the verifier's words, and each item with
 * the stored credentials that fit it.
 *
 * @param proofHandle The proof.
 * @return a JSON object: thid, name and version of the request; display with comment, goal_code,
 *     goal and attachments, as far as the message has them; attributes and predicates as
 *     vcx_disclosed_proof_retrieve_credentials gives them with protocol_type 4.0.
 *     VCX_INVALID_DISCLOSED_PROOF_HANDLE (1049), VCX_NOT_READY (1005) without a request,
 *     VCX_INVALID_PROOF_REQUEST (1086), VCX_LIBINDY_INVALID_STRUCTURE (1080).
 */
export function disclosedProofDescribeRequest(proofHandle: number): Promise<string | null>;

/**
 * Downloads all proof requests of the peer that wait on a connection. They keep their status at the
 * Cloud Agent. Strangers may know the connection's key; the library omits their requests.
 *
 * @param connectionHandle The connection.
 * @return a JSON array of requests; VCX_INVALID_CONNECTION_HANDLE (1003), VCX_POST_MSG_FAILURE
 *     (1010).
 */
export function disclosedProofGetRequests(connectionHandle: number): Promise<string | null>;

/**
 * Builds the proof. If it cannot be built, vcx_disclosed_proof_send_proof reports the error, and
 * vcx_disclosed_proof_get_problem_report has the text for the verifier. The program may call again
 * with another choice. Within cb, vcx_get_current_error has the error, too.
 *
 * Does nothing if the verifier may have a proof already, because a process has ended while it sent
 * the kept proof, or because sending failed after the proof may have arrived:
 * vcx_disclosed_proof_send_proof sends the same one again, and the request cannot be declined.
 *
 * @param proofHandle The proof.
 * @param selectedCredentials (required) The chosen credentials as JSON text: {"attrs": {"<item>":
 *     {"credential": ...}}} with a credential that vcx_disclosed_proof_retrieve_credentials gave
 *     for the item, an attribute or a predicate. Next to credential, "revealed": false hides the
 *     value, and tails_file names the tails file or its directory; without it the library downloads
 *     the file. "present_revoked": true presents the credential even if it is revoked: then without
 *     the proof that it is not, so that the verifier can decide.
 * @param selfAttestedAttrs (required) Attributes that the holder states without a credential, as a
 *     JSON object.
 * @return 0, or VCX_INVALID_DISCLOSED_PROOF_HANDLE (1049), VCX_NOT_READY (1005) without a request,
 *     VCX_INVALID_STATE (1081) once the proof is sent or declined.
 */
export function disclosedProofGenerateProof(proofHandle: number, selectedCredentials: string, selfAttestedAttrs: string): Promise<void>;

/**
 * Sends the proof. If the proof does not exist, or has been sent, the call succeeds without
 * sending.
 *
 * If the proof could not be built, the library tells the verifier, and cb receives the error. The
 * library does not tell the verifier about a fault on this side, such as a missing AnonCreds
 * engine.
 *
 * Without a connection, the verifier can answer only in the response to the delivery. Without such
 * an answer the state is 4 at once, and tells nothing of the verdict.
 *
 * @param proofHandle The proof.
 * @param connectionHandle The connection, or 0 to answer the service that the request names itself.
 * @return 0, or VCX_INVALID_DISCLOSED_PROOF_HANDLE (1049), VCX_INVALID_CONNECTION_HANDLE (1003),
 *     VCX_CONNECTION_NOT_COMPLETED (1112) when the connection is not completed,
 *     VCX_POST_MSG_FAILURE (1010), or the error of the build: VCX_INVALID_PROOF_CREDENTIAL_DATA
 *     (1027) for the choice, VCX_INVALID_JSON (1016) for the self-attested attributes,
 *     VCX_INVALID_PROOF_REQUEST (1086), VCX_INVALID_SCHEMA (1031) and
 *     VCX_CREDENTIAL_DEFINITION_NOT_FOUND (1036) if the schema or the definition cannot be fetched,
 *     VCX_CREDENTIAL_REVOKED (1200) for a revoked credential, VCX_INVALID_REVOCATION_DETAILS (1091)
 *     if the registry cannot be used, VCX_ACTION_NOT_SUPPORTED (1103) without the AnonCreds engine.
 */
export function disclosedProofSendProof(proofHandle: number, connectionHandle: number): Promise<void>;

/**
 * Sends the proposal. If the proposal has been sent, the call succeeds without sending.
 *
 * @param proofHandle The proof.
 * @param connectionHandle The connection.
 * @return 0, or VCX_INVALID_DISCLOSED_PROOF_HANDLE (1049), VCX_INVALID_CONNECTION_HANDLE (1003),
 *     VCX_CONNECTION_NOT_COMPLETED (1112) when the connection is not completed,
 *     VCX_POST_MSG_FAILURE (1010), VCX_ACTION_NOT_SUPPORTED (1103).
 */
export function disclosedProofSendProposal(proofHandle: number, connectionHandle: number): Promise<void>;

/**
 * Declines a request, or withdraws a proposal.
 *
 * @param proofHandle The proof.
 * @param connectionHandle The connection, or 0 to answer the service that the request names itself.
 * @return 0, or VCX_INVALID_DISCLOSED_PROOF_HANDLE (1049), VCX_INVALID_CONNECTION_HANDLE (1003),
 *     VCX_CONNECTION_NOT_COMPLETED (1112) when the connection is not completed,
 *     VCX_POST_MSG_FAILURE (1010), VCX_INVALID_STATE (1081) once the proof is declined, sent, or
 *     may have been sent.
 */
export function disclosedProofRejectProof(proofHandle: number, connectionHandle: number): Promise<void>;

/**
 * Declines a request, or withdraws a proposal, with a reason; or proposes another presentation than
 * the requested one. The program gives exactly one of the two.
 *
 * @param proofHandle The proof.
 * @param connectionHandle The connection, or 0 to answer the service that the request names itself.
 * @param reason (optional) The reason, or NULL.
 * @param proposal (optional) The presentation to propose instead, as for
 *     vcx_disclosed_proof_create_proposal, or NULL.
 * @return 0, VCX_INCOMPATIBLE_PARAMETERS (1111) for both or none,
 *     VCX_INVALID_DISCLOSED_PROOF_HANDLE (1049), VCX_INVALID_CONNECTION_HANDLE (1003),
 *     VCX_INVALID_JSON (1016), VCX_CONNECTION_NOT_COMPLETED (1112) when the connection is not
 *     completed, VCX_POST_MSG_FAILURE (1010), VCX_INVALID_STATE (1081) once the proof is sent or
 *     declined.
 */
export function disclosedProofDeclinePresentationRequest(proofHandle: number, connectionHandle: number, reason?: string | null, proposal?: string | null): Promise<void>;

/**
 * Reads the presentation, for programs that send it themselves.
 *
 * @param proofHandle The proof.
 * @return the message as JSON text, or VCX_INVALID_DISCLOSED_PROOF_HANDLE (1049), VCX_NOT_READY
 *     (1005).
 */
export function disclosedProofGetProofMsg(proofHandle: number): Promise<string | null>;

/**
 * Reads the refusal under the proprietary protocol, for programs that send it themselves. The
 * library has no proofs of that protocol, whose messages are not published.
 *
 * @param proofHandle The proof.
 * @return VCX_INVALID_DISCLOSED_PROOF_HANDLE (1049), or VCX_ACTION_NOT_SUPPORTED (1103) for an
 *     Aries proof.
 */
export function disclosedProofGetRejectMsg(proofHandle: number): Promise<string | null>;

/**
 * Reads the state of a proof, one of vcx_state.
 *
 * @param proofHandle The proof.
 * @return the state, or VCX_INVALID_DISCLOSED_PROOF_HANDLE (1049).
 */
export function disclosedProofGetState(proofHandle: number): Promise<number>;

/**
 * Asks the Cloud Agent for messages, and applies at most one message of the proof's own thread;
 * others do not change.
 *
 * @param proofHandle The proof.
 * @return the state, also on error; VCX_INVALID_DISCLOSED_PROOF_HANDLE (1049), VCX_POST_MSG_FAILURE
 *     (1010), VCX_INVALID_JSON (1016).
 */
export function disclosedProofUpdateState(proofHandle: number): Promise<number>;

/**
 * Applies a downloaded message to the proof. A message of another thread has no effect.
 *
 * @param proofHandle The proof.
 * @param message (required) An entry of vcx_messages_download or vcx_download_message, or a
 *     decrypted message as JSON text. The envelope in the mailbox proves its sender, as for
 *     vcx_connection_update_state_with_message.
 * @return the state, also on error; VCX_INVALID_DISCLOSED_PROOF_HANDLE (1049), VCX_POST_MSG_FAILURE
 *     (1010), VCX_INVALID_JSON (1016) also for a message that is not proven to be the verifier's.
 */
export function disclosedProofUpdateStateWithMessage(proofHandle: number, message: string): Promise<number>;

/**
 * Writes a proof as JSON text for the program to store. vcx_disclosed_proof_deserialize restores
 * it.
 *
 * @param proofHandle The proof.
 * @return the text, or VCX_INVALID_DISCLOSED_PROOF_HANDLE (1049).
 */
export function disclosedProofSerialize(proofHandle: number): Promise<string | null>;

/**
 * Restores a serialized proof.
 *
 * @param proofData (required) The text from vcx_disclosed_proof_serialize, also of libvcx.
 * @return a new handle, or VCX_INVALID_JSON (1016); VCX_ACTION_NOT_SUPPORTED (1103) for a proof of
 *     the proprietary protocol, whose form is not published.
 */
export function disclosedProofDeserialize(proofData: string): Promise<number>;

/**
 * Reads the problem report that ended the exchange, or that says why the proof could not be built.
 *
 * @param proofHandle The proof.
 * @return JSON text, null if there is no report; VCX_INVALID_DISCLOSED_PROOF_HANDLE (1049),
 *     VCX_ACTION_NOT_SUPPORTED (1103).
 */
export function disclosedProofGetProblemReport(proofHandle: number): Promise<string | null>;

/**
 * Releases the handle of a proof.
 *
 * @param handle The proof.
 * @return Always 0.
 */
export function disclosedProofRelease(handle: number): void;

/**
 * Creates a credential to offer. Returns VCX_INVALID_CONFIGURATION (1004) without institution_did
 * in the configuration, if issuer_did is NULL.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param credDefHandle The definition.
 * @param issuerDid (optional) Ignored: the definition names the issuer.
 * @param credentialData (required) The values of all attributes of the definition as JSON text:
 *     {"name": "Alice", "age": "28"}, or [{"name", "value", "mime-type"}]. A number becomes its
 *     JSON text. A number that JSON can write in several ways, such as 1.10, is refused, and so is
 *     a repeated name.
 * @param credentialName (required) The name that the holder sees, the comment of the offer.
 * @param price (required) A number as text; ignored.
 * @return the handle of the credential, in state 1; VCX_INVALID_CREDENTIAL_DEF_HANDLE (1037),
 *     VCX_INVALID_ATTRIBUTES_STRUCTURE (1021) for other values, VCX_ACTION_NOT_SUPPORTED (1103)
 *     without the AnonCreds engine.
 */
export function issuerCreateCredential(sourceId: string, credDefHandle: number, issuerDid: string | null, credentialData: string, credentialName: string, price: string): Promise<number>;

/**
 * Sends the offer. In other states than 1 the call does nothing and succeeds. An offer that answers
 * a proposal goes on the proposal's thread, where the proposal came from.
 *
 * If the connection is an out-of-band invitation without a handshake that carries the offer,
 * nothing is sent: the call ties the credential to the connection, where
 * vcx_issuer_credential_update_state receives the holder's request.
 *
 * The member issue_credential_version of the configuration chooses the version of the protocol, 1.0
 * or 2.0. Without it, the protocols that the peer has disclosed decide. A peer that has disclosed
 * none is asked once, and until its answer has come its invitation decides: 2.0 for an out-of-band
 * invitation of version 1.1, otherwise 1.0.
 *
 * @param credentialHandle The credential.
 * @param connectionHandle The connection.
 * @return 0, or VCX_INVALID_ISSUER_CREDENTIAL_HANDLE (1015), VCX_INVALID_CONNECTION_HANDLE (1003),
 *     VCX_CONNECTION_NOT_COMPLETED (1112) when the connection is not completed,
 *     VCX_WALLET_RECORD_NOT_FOUND (1073) when the wallet lacks the definition's keys,
 *     VCX_INVALID_REVOCATION_DETAILS (1091) if the definition has revocation and the credential no
 *     registry of this definition, or the reverse, VCX_INVALID_STATE (1081) if another object has
 *     offered other values in this exchange, VCX_POST_MSG_FAILURE (1010), VCX_ACTION_NOT_SUPPORTED
 *     (1103) without the AnonCreds engine.
 */
export function issuerSendCredentialOffer(credentialHandle: number, connectionHandle: number): Promise<void>;

/**
 * Makes the offer and reads it, for programs that hand it over themselves, such as in an
 * out-of-band invitation. The state stays 1. Later calls read the same offer.
 *
 * @param credentialHandle The credential.
 * @return the message as JSON text; with protocol_type 3.0 or less in the older form.
 *     VCX_INVALID_ISSUER_CREDENTIAL_HANDLE (1015), VCX_WALLET_RECORD_NOT_FOUND (1073) when the
 *     wallet lacks the definition's keys, VCX_INVALID_REVOCATION_DETAILS (1091) and
 *     VCX_INVALID_STATE (1081) as for sending it, VCX_ACTION_NOT_SUPPORTED (1103) without the
 *     AnonCreds engine.
 */
export function issuerGetCredentialOfferMsg(credentialHandle: number): Promise<string | null>;

/**
 * Makes the credential for the holder's request and sends it. In any state other than 3 the call
 * does nothing and succeeds.
 *
 * A credential that can be revoked gets a place in its registry, which no other credential gets,
 * even if the process ends here. A request that does not answer the offer is refused with
 * VCX_INVALID_CREDENTIAL_REQUEST (1018), and the library tells the holder; state 0 follows. The
 * same happens to a second request in an exchange that already has its credential: a program may
 * have restored one stored text twice.
 *
 * @param credentialHandle The credential.
 * @param connectionHandle The connection over which the offer went, or 0. The credential takes the
 *     offer's route.
 * @return 0, or VCX_INVALID_ISSUER_CREDENTIAL_HANDLE (1015), VCX_INVALID_CONNECTION_HANDLE (1003),
 *     VCX_INVALID_CREDENTIAL_REQUEST (1018), VCX_INVALID_ATTACHMENT_ENCODING (1100),
 *     VCX_WALLET_RECORD_NOT_FOUND (1073) when the wallet lacks keys, VCX_INVALID_REVOCATION_DETAILS
 *     (1091) when the registry is full, VCX_POST_MSG_FAILURE (1010), VCX_ACTION_NOT_SUPPORTED
 *     (1103) without the AnonCreds engine.
 */
export function issuerSendCredential(credentialHandle: number, connectionHandle: number): Promise<void>;

/**
 * Reads the credential under the proprietary protocol, for programs that send it themselves.
 *
 * @param credentialHandle The credential.
 * @param myPwDid (required) This side's DID of the connection.
 * @return the message; VCX_INVALID_ISSUER_CREDENTIAL_HANDLE (1015), VCX_ACTION_NOT_SUPPORTED (1103)
 *     for an Aries credential.
 */
export function issuerGetCredentialMsg(credentialHandle: number, myPwDid: string): Promise<string | null>;

/**
 * Asks the Cloud Agent for messages and applies at most one message of the credential's own thread:
 * the holder's request (state 3), its proposal of another credential (state 10), its ack (state 4
 * stays), or its report that it declines (state 9). A proposal after a request has no effect; the
 * 33rd proposal ends the exchange (state 0).
 *
 * A holder may never answer. The program decides how long it waits.
 *
 * @param credentialHandle The credential.
 * @return the state, also on error; VCX_INVALID_ISSUER_CREDENTIAL_HANDLE (1015),
 *     VCX_POST_MSG_FAILURE (1010), also for a request without a connection that names no service
 *     for the answer.
 */
export function issuerCredentialUpdateState(credentialHandle: number): Promise<number>;

/**
 * Applies a message that the program downloaded to the credential. A message of another thread has
 * no effect.
 *
 * @param credentialHandle The credential.
 * @param message (required) An entry of vcx_messages_download or vcx_download_message, or a
 *     decrypted message as JSON text. The envelope in the mailbox proves its sender, as for
 *     vcx_connection_update_state_with_message.
 * @return the state, also on error; VCX_INVALID_ISSUER_CREDENTIAL_HANDLE (1015); VCX_INVALID_JSON
 *     (1016) also for a message that is not proven to be the holder's; VCX_POST_MSG_FAILURE (1010),
 *     also for a request without a connection that names no service for the answer.
 */
export function issuerCredentialUpdateStateWithMessage(credentialHandle: number, message: string): Promise<number>;

/**
 * Reads the state of a credential being issued, one of vcx_state.
 *
 * @param credentialHandle The credential.
 * @return the state, or VCX_INVALID_ISSUER_CREDENTIAL_HANDLE (1015).
 */
export function issuerCredentialGetState(credentialHandle: number): Promise<number>;

/**
 * Writes the credential as JSON text for the program to store. vcx_issuer_credential_deserialize
 * restores it.
 *
 * @param credentialHandle The credential.
 * @return the text, or VCX_INVALID_ISSUER_CREDENTIAL_HANDLE (1015).
 */
export function issuerCredentialSerialize(credentialHandle: number): Promise<string | null>;

/**
 * Restores a serialized credential.
 *
 * @param credentialData (required) The text from vcx_issuer_credential_serialize.
 * @return a new handle, or VCX_INVALID_JSON (1016).
 */
export function issuerCredentialDeserialize(credentialData: string): Promise<number>;

/**
 * Releases the handle of a credential being issued.
 *
 * @param credentialHandle The credential.
 * @return Always 0.
 */
export function issuerCredentialRelease(credentialHandle: number): void;

/**
 * Reads the place of an issued credential in its revocation registry.
 *
 * @param credentialHandle The credential.
 * @return a JSON object: rev_reg_id and cred_rev_id, null for a credential that cannot be revoked,
 *     and revoked, whether this object has revoked it; VCX_INVALID_ISSUER_CREDENTIAL_HANDLE (1015),
 *     VCX_NOT_READY (1005) before the credential is sent.
 */
export function issuerCredentialGetPlace(credentialHandle: number): Promise<string | null>;

/**
 * Revokes an issued credential: publishes its registry's new status, and tells the holder over the
 * connection of the exchange. A repeated revocation succeeds. The state stays 4.
 *
 * Many credentials of a registry can be revoked at once: calls that come during a publication share
 * the next one. If a call fails to publish, the revocation stays, and the next call on the registry
 * or vcx_credentialdef_update_state publishes it.
 *
 * The member revocation_notification of the configuration chooses the message for the holder: 1.0,
 * 2.0, none, or auto, the version of the exchange.
 *
 * @param credentialHandle The credential.
 * @return 0, or VCX_INVALID_ISSUER_CREDENTIAL_HANDLE (1015), VCX_NOT_READY (1005) before the
 *     credential is sent, VCX_INVALID_REVOCATION_DETAILS (1091) if it cannot be revoked,
 *     VCX_INVALID_REV_ENTRY (1092) if the registry refuses the status, VCX_POOL_LEDGER_CONNECT
 *     (1025) if the registry cannot be reached, VCX_ACTION_NOT_SUPPORTED (1103) without the
 *     AnonCreds engine.
 */
export function issuerRevokeCredential(credentialHandle: number): Promise<void>;

/**
 * Reads the problem report that ended the exchange.
 *
 * @param credentialHandle The credential.
 * @return JSON text, null if no report ended the exchange; VCX_INVALID_ISSUER_CREDENTIAL_HANDLE
 *     (1015).
 */
export function issuerCredentialGetProblemReport(credentialHandle: number): Promise<string | null>;

/**
 * Does nothing; kept for programs written for libvcx.
 *
 * @param credentialHandle The credential.
 * @return Always 0.
 */
export function issuerAcceptCredential(credentialHandle: number): void;

/**
 * Does nothing; kept for programs written for libvcx.
 *
 * @param credentialHandle The credential.
 * @param terminationType Ignored.
 * @param msg Ignored.
 * @return Always 0.
 */
export function issuerTerminateCredential(credentialHandle: number, terminationType: number, msg: string): void;

/**
 * Creates a credential to issue from a holder's proposal. The offer goes on the proposal's thread,
 * in its version and format.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param proposal (required) The message as JSON text: a proposal of issue-credential 1.0 or 2.0.
 * @return the handle of the credential, in state 10, or VCX_INVALID_JSON (1016).
 */
export function issuerCredentialCreateWithProposal(sourceId: string, proposal: string): Promise<number>;

/**
 * Reads the proposal of the holder, until the offer that answers it is sent.
 *
 * @param credentialHandle The credential.
 * @return JSON text with attributes, filter, comment and thid; VCX_INVALID_ISSUER_CREDENTIAL_HANDLE
 *     (1015), VCX_NOT_READY (1005) without a proposal.
 */
export function issuerCredentialGetProposal(credentialHandle: number): Promise<string | null>;

/**
 * Decides about the offer that answers a proposal; vcx_issuer_send_credential_offer sends it. State
 * 1 follows.
 *
 * The values may be those of the proposal or others. Once a credential is made in the exchange, no
 * other is offered: sending the offer reports VCX_INVALID_STATE (1081).
 *
 * @param credentialHandle The credential, in state 10, or in state 1 before the offer is made.
 * @param credDefHandle The definition.
 * @param credentialData (required) The values, as for vcx_issuer_create_credential.
 * @param credentialName (required) The name that the holder sees, the comment of the offer.
 * @return 0, or VCX_INVALID_ISSUER_CREDENTIAL_HANDLE (1015), VCX_INVALID_CREDENTIAL_DEF_HANDLE
 *     (1037), VCX_INVALID_ATTRIBUTES_STRUCTURE (1021) for other values, VCX_INVALID_STATE (1081) in
 *     other states, VCX_ACTION_NOT_SUPPORTED (1103) without the AnonCreds engine.
 */
export function issuerCredentialPlanOffer(credentialHandle: number, credDefHandle: number, credentialData: string, credentialName: string): Promise<void>;

/**
 * Declines a proposal, or withdraws an offer, and tells the holder. State 9 follows.
 *
 * @param credentialHandle The credential, in state 10, 2 or 3. Nobody is told of an offer that only
 *     an invitation carries.
 * @param connectionHandle The connection.
 * @param reason (optional) The reason, or NULL.
 * @return 0, or VCX_INVALID_ISSUER_CREDENTIAL_HANDLE (1015), VCX_INVALID_CONNECTION_HANDLE (1003),
 *     VCX_CONNECTION_NOT_COMPLETED (1112) if the connection is not completed, VCX_INVALID_DID
 *     (1008) if it has no mailbox, VCX_POST_MSG_FAILURE (1010), VCX_INVALID_STATE (1081) in other
 *     states.
 */
export function issuerCredentialDeclineProposal(credentialHandle: number, connectionHandle: number, reason?: string | null): Promise<void>;

/**
 * Creates a credential to offer, as vcx_issuer_create_credential does, in a version and a format of
 * the program's choice.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param credDefHandle The definition.
 * @param credentialData (required) The values, as for vcx_issuer_create_credential.
 * @param credentialName (required) The name that the holder sees, the comment of the offer.
 * @param options (optional) JSON text, or NULL; as for msdk_credential_create_proposal.
 * @return the handle of the credential, in state 1; VCX_INVALID_CREDENTIAL_DEF_HANDLE (1037),
 *     VCX_INVALID_ATTRIBUTES_STRUCTURE (1021) for other values, VCX_INVALID_JSON (1016) for the
 *     options, VCX_ACTION_NOT_SUPPORTED (1103) without the AnonCreds engine.
 */
export function issuerCreateCredentialWithOptions(sourceId: string, credDefHandle: number, credentialData: string, credentialName: string, options?: string | null): Promise<number>;

/**
 * Creates a proof request.
 *
 * Each item may have restrictions on its credential: an array of objects, one of which has to hold,
 * with members among schema_id, schema_issuer_did, schema_name, schema_version, issuer_did,
 * cred_def_id, rev_reg_id, attr::<name>::value and attr::<name>::marker; or one query with $and,
 * $or, $not, $in and $neq. Without restrictions, a prover may answer with a credential of any
 * issuer, and state an attribute without a credential. A restriction on a value holds only if the
 * presentation reveals the value, and a restriction on rev_reg_id only together with non_revoked.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param requestedAttrs (required) The attributes asked for, as a JSON object of items, whose keys
 *     name the items in the request and in all results; or as a JSON array, whose first becomes the
 *     item attribute_0. Each item has name, or names of one credential, and optionally
 *     restrictions, non_revoked and self_attest_allowed.
 * @param requestedPredicates (required) The predicates asked for, as a JSON object of items or as
 *     an array, whose first becomes the item predicate_0: each with name, p_type (one of >=, >, <=,
 *     <), p_value, and optionally restrictions and non_revoked. A predicate may not have the name
 *     of an attribute's item. An item with any other member is refused: a mistyped condition would
 *     not be asked for.
 * @param revocationInterval (required) The time for which credentials must not be revoked, as a
 *     JSON object with from and to, in seconds since 1970; {} for no such time. An interval with
 *     only to, or with equal ends, asks for that time. One with only from asks for any later time,
 *     which the prover chooses.
 * @param name (required) The name of the request, for the prover's user.
 * @return the handle of the proof, in state 1; VCX_INVALID_ATTRIBUTES_STRUCTURE (1021) for the
 *     attributes and for restrictions, VCX_INVALID_PREDICATES_STRUCTURE (1028) for the predicates,
 *     VCX_INVALID_JSON (1016) for an interval.
 */
export function proofCreate(sourceId: string, requestedAttrs: string, requestedPredicates: string, revocationInterval: string, name: string): Promise<number>;

/**
 * Creates a proof request, as vcx_proof_create does, in a version and a format of the program's
 * choice.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param requestedAttrs (required) The attributes asked for, as for vcx_proof_create.
 * @param requestedPredicates (required) The predicates asked for, as for vcx_proof_create.
 * @param revocationInterval (required) The time for which credentials must not be revoked, as for
 *     vcx_proof_create.
 * @param name (required) The name of the request, for the prover's user.
 * @param options (optional) JSON text, or NULL; as for msdk_credential_create_proposal, about
 *     present-proof.
 * @return the handle of the proof, in state 1; VCX_INVALID_ATTRIBUTES_STRUCTURE (1021),
 *     VCX_INVALID_PREDICATES_STRUCTURE (1028) and VCX_INVALID_JSON (1016) as for vcx_proof_create,
 *     VCX_INVALID_JSON (1016) for the options.
 */
export function proofCreateWithOptions(sourceId: string, requestedAttrs: string, requestedPredicates: string, revocationInterval: string, name: string, options?: string | null): Promise<number>;

/**
 * Creates a proof from a prover's proposal. vcx_proof_send_request requests the proposed
 * presentation, and vcx_proof_request_proof another one.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param presentationProposal (required) The message as JSON text: a proposal of present-proof 1.0
 *     or 2.0.
 * @param name (required) Ignored: the request gets the name that the prover proposes.
 * @return the handle of the proof, in state 3, or VCX_INVALID_JSON (1016).
 */
export function proofCreateWithProposal(sourceId: string, presentationProposal: string, name: string): Promise<number>;

/**
 * Sends the request; after a proposal, the request for the proposed presentation. In later states
 * the call succeeds and nothing is sent.
 *
 * present_proof_version in the configuration decides the version, 1.0 or 2.0; without it, the
 * peer's disclosed protocols and its invitation decide.
 *
 * @param proofHandle The proof.
 * @param connectionHandle The connection. If it belongs to an invitation that this side made
 *     without a handshake, and that carries the request, nothing is sent, and the proof awaits the
 *     answer.
 * @return 0, or VCX_INVALID_PROOF_HANDLE (1017), VCX_INVALID_CONNECTION_HANDLE (1003),
 *     VCX_CONNECTION_NOT_COMPLETED (1112) if the connection is not completed, VCX_POST_MSG_FAILURE
 *     (1010), VCX_INVALID_ATTRIBUTES_STRUCTURE (1021) for a proposal without items.
 */
export function proofSendRequest(proofHandle: number, connectionHandle: number): Promise<void>;

/**
 * Answers a proposal with another request, on the same thread. In any state other than 3 the call
 * succeeds and nothing is sent.
 *
 * @param proofHandle The proof.
 * @param connectionHandle The connection.
 * @param requestedAttrs (required) The attributes asked for, as for vcx_proof_create.
 * @param requestedPredicates (required) The predicates asked for, as for vcx_proof_create.
 * @param revocationInterval (required) The time for which credentials must not be revoked, as for
 *     vcx_proof_create.
 * @param name (required) The name of the request, for the prover's user.
 * @return 0, or VCX_INVALID_PROOF_HANDLE (1017), VCX_INVALID_CONNECTION_HANDLE (1003),
 *     VCX_INVALID_ATTRIBUTES_STRUCTURE (1021), VCX_INVALID_PREDICATES_STRUCTURE (1028),
 *     VCX_INVALID_JSON (1016), VCX_CONNECTION_NOT_COMPLETED (1112) if the connection is not
 *     completed, VCX_POST_MSG_FAILURE (1010).
 */
export function proofRequestProof(proofHandle: number, connectionHandle: number, requestedAttrs: string, requestedPredicates: string, revocationInterval: string, name: string): Promise<void>;

/**
 * Declines a proposal, or withdraws a request, and tells the prover. State 9 follows.
 *
 * @param proofHandle The proof, in state 3, or in state 2 after vcx_proof_send_request over a
 *     connection.
 * @param connectionHandle The connection.
 * @param reason (optional) The reason, or NULL.
 * @return 0, or VCX_INVALID_PROOF_HANDLE (1017), VCX_INVALID_CONNECTION_HANDLE (1003),
 *     VCX_CONNECTION_NOT_COMPLETED (1112) if the connection is not completed, VCX_POST_MSG_FAILURE
 *     (1010), VCX_INVALID_STATE (1081) in other states.
 */
export function proofDeclineProposal(proofHandle: number, connectionHandle: number, reason?: string | null): Promise<void>;

/**
 * Names the connection that brings the answer to a request that the program sends by itself, for
 * example in an out-of-band invitation. Call vcx_proof_get_request_msg first; otherwise this has no
 * effect. Returns VCX_INVALID_ISSUER_CREDENTIAL_HANDLE (1015) for an unknown proof,
 * VCX_INVALID_CONNECTION_HANDLE (1003) for an unknown connection.
 *
 * @param proofHandle The proof.
 * @param connectionHandle The connection: completed, or of an invitation without a handshake.
 * @return 0, or VCX_ACTION_NOT_SUPPORTED (1103) for a proprietary connection,
 *     VCX_CONNECTION_NOT_COMPLETED (1112) if the connection is not completed.
 */
export function proofSetConnection(proofHandle: number, connectionHandle: number): Promise<void>;

/**
 * Reads the message of the request, for programs that send it by themselves. The first call makes
 * the message, and the state remains 1. present_proof_version in the configuration decides the
 * version; without it, 1.0.
 *
 * Once the proof is bound to an invitation without a handshake, the message names the service for
 * the answer (~service).
 *
 * @param proofHandle The proof.
 * @return the message as JSON text; VCX_INVALID_PROOF_HANDLE (1017), VCX_NOT_READY (1005) while a
 *     proposal is not answered.
 */
export function proofGetRequestMsg(proofHandle: number): Promise<string | null>;

/**
 * Reads the message of the request, for vcx_connection_create_outofband. vcx_proof_get_request_msg
 * gives the same.
 *
 * @param proofHandle The proof.
 * @return the message as JSON text; VCX_INVALID_PROOF_HANDLE (1017), VCX_NOT_READY (1005) while a
 *     proposal is not answered.
 */
export function proofGetRequestAttach(proofHandle: number): Promise<string | null>;

/**
 * Reads the proposal of the prover, in state 3.
 *
 * @param proofHandle The proof.
 * @return JSON text: the preview of a proposal 1.0, the proof request of a proposal 2.0.
 *     VCX_INVALID_PROOF_HANDLE (1017), VCX_NOT_READY (1005) in other states.
 */
export function getProofProposal(proofHandle: number): Promise<string | null>;

/**
 * Reads the presentation. Looks for it first, as vcx_proof_update_state does, and ignores an error
 * of that search.
 *
 * @param proofHandle The proof.
 * @param unusedConnectionHandle Ignored.
 * @return the result of the proof, one of vcx_proof_state, also on error, and the judged
 *     presentation, also one that is not verified: the message as JSON text; with protocol_type 3.0
 *     or less libindy_proof, as text. The message is reduced to what was judged: its one attachment
 *     is the presentation, without the prover's comment and other attachments. msdk_proof_content
 *     reads the values. VCX_INVALID_PROOF_HANDLE (1017), VCX_NOT_READY (1005) before there is one,
 *     VCX_INVALID_STATE (1081) if the prover declined.
 */
export function getProof(proofHandle: number, unusedConnectionHandle: number): Promise<{ number: number; text: string | null }>;

/**
 * Reads the presentation. Looks for it first, as vcx_proof_update_state does, and ignores an error
 * of that search.
 *
 * @param proofHandle The proof.
 * @return the result and the presentation as from vcx_get_proof.
 */
export function getProofMsg(proofHandle: number): Promise<{ number: number; text: string | null }>;

/**
 * Reads the content of a verified presentation: what is proved, and what the prover states without
 * proof. This function is msdk's own.
 *
 * Programs that show or store values take them from here. The library reads this content and the
 * verdict from the same presentation, also after vcx_proof_deserialize; a message, or another
 * reading of it, may hold other values.
 *
 * The proof is about the numbers that encode the values. Of an integer, it does not prove the
 * spelling: 28, 028 and +28 are one number. self_attested values are the prover's own words.
 *
 * @param proofHandle The proof.
 * @return a JSON object with revealed, self_attested, unrevealed and predicates: objects of the
 *     items by their referents, such as attribute_0. Items have values by name, the withheld names,
 *     or the name, p_type and p_value of a predicate, and except self-attested ones credential: its
 *     schema_id, cred_def_id, and with a proof that it was not revoked rev_reg_id and timestamp,
 *     otherwise null. VCX_INVALID_PROOF_HANDLE (1017), VCX_INVALID_PROOF (1023) if the presentation
 *     is not verified, VCX_NOT_READY (1005) before there is one, VCX_INVALID_STATE (1081) if the
 *     prover declined.
 */
export function proofContent(proofHandle: number): Promise<string | null>;

/**
 * Explains the result of a proof. This function is msdk's own.
 *
 * The codes of reasons are malformed, ambiguous, missing, repeated, unrequested, self-attested,
 * unknown-object, unusable-object, other-object, attribute, value, predicate, restriction,
 * revocation-unproved, time and proof; those of warnings withheld, not-revocable and self-attested.
 * Later versions may add codes.
 *
 * @param proofHandle The proof.
 * @return a JSON object with state, proof_state, verified (true, false, or null without a
 *     presentation), reasons why it is not verified, and warnings. Each of these has a code, the
 *     referent of its item in the request or null, the check of the proof that failed (an id such
 *     as B1) or null, and a text. VCX_INVALID_PROOF_HANDLE (1017).
 */
export function proofExplain(proofHandle: number): Promise<string | null>;

/**
 * Asks the Cloud Agent for messages, and applies at most one message of the proof's own thread;
 * others do not change. The library verifies a presentation, and sends the prover an ack or a
 * problem report.
 *
 * A fault on this side, such as a ledger that does not answer, is an error: the presentation stays
 * in the mailbox, and the next call looks at it again.
 *
 * @param proofHandle The proof.
 * @return the state, also on error: 4 for a verified presentation, 0 for one that is not.
 *     VCX_INVALID_PROOF_HANDLE (1017), VCX_POST_MSG_FAILURE (1010), VCX_INVALID_JSON (1016);
 *     VCX_INVALID_SCHEMA (1031), VCX_CREDENTIAL_DEFINITION_NOT_FOUND (1036) and
 *     VCX_INVALID_REVOCATION_DETAILS (1091) for public objects that cannot be fetched,
 *     VCX_ACTION_NOT_SUPPORTED (1103) without the AnonCreds engine.
 */
export function proofUpdateState(proofHandle: number): Promise<number>;

/**
 * Applies a message that the program downloaded to the proof. A message of another thread has no
 * effect.
 *
 * @param proofHandle The proof.
 * @param message (required) An entry of vcx_messages_download or vcx_download_message, or a
 *     decrypted message as JSON text. The envelope in the mailbox proves its sender, as for
 *     vcx_connection_update_state_with_message.
 * @return the state, also on error, as from vcx_proof_update_state. VCX_INVALID_JSON (1016) also
 *     for a message that is not proven to be the prover's. VCX_INVALID_STATE (1081) before the
 *     request is sent or bound to a connection.
 */
export function proofUpdateStateWithMessage(proofHandle: number, message: string): Promise<number>;

/**
 * Reads the state of a requested proof, one of vcx_state.
 *
 * @param proofHandle The proof.
 * @return the state, or VCX_INVALID_PROOF_HANDLE (1017).
 */
export function proofGetState(proofHandle: number): Promise<number>;

/**
 * Writes a proof as JSON text for the program to store. vcx_proof_deserialize restores it.
 *
 * @param proofHandle The proof.
 * @return the text, or VCX_INVALID_PROOF_HANDLE (1017).
 */
export function proofSerialize(proofHandle: number): Promise<string | null>;

/**
 * Restores a serialized proof.
 *
 * @param proofData (required) The text from vcx_proof_serialize.
 * @return a new handle, or VCX_INVALID_JSON (1016), VCX_ACTION_NOT_SUPPORTED (1103) for a proof of
 *     the proprietary protocol.
 */
export function proofDeserialize(proofData: string): Promise<number>;

/**
 * Releases the handle of a requested proof.
 *
 * @param proofHandle The proof.
 * @return Always 0.
 */
export function proofRelease(proofHandle: number): void;

/**
 * Reads the problem report that ended the exchange: the prover's report, or the report that told
 * the prover that its proof is not verified.
 *
 * @param proofHandle The proof.
 * @return JSON text, null if no report ended the exchange; VCX_INVALID_PROOF_HANDLE (1017).
 */
export function proofGetProblemReport(proofHandle: number): Promise<string | null>;

/**
 * Does nothing; kept for programs written for libvcx.
 *
 * @param proofHandle The proof.
 * @param responseData Ignored.
 * @return Always 0.
 */
export function proofAccepted(proofHandle: number, responseData: string): void;

/**
 * Creates a schema and publishes it. Returns VCX_INVALID_CONFIGURATION (1004) without
 * institution_did in the configuration.
 *
 * The id is <institution_did>:2:<name>:<version>, and for a DID of did:webvh the hash of the
 * schema. To publish the same schema again succeeds.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param schemaName (required) The name, without a colon, and for an issuer of did:indy without a
 *     slash.
 * @param version (required) The version, of digits and dots, such as 1.0.
 * @param schemaData (required) The names of 1 to 125 attributes as a JSON array. Names that differ
 *     only in spaces, in case or in the normal form of Unicode are the same. master_secret and
 *     link_secret are not permitted.
 * @param paymentHandle Ignored.
 * @return the handle of the schema; VCX_LIBINDY_INVALID_STRUCTURE (1080) for another array,
 *     VCX_INVALID_SCHEMA_CREATION (1041) for a name, a version or attributes that are not
 *     permitted, VCX_INVALID_DID (1008) if institution_did is neither a DID of Indy nor of
 *     did:webvh, VCX_DUPLICATE_SCHEMA (1088) if another schema has this id,
 *     VCX_UNKNOWN_SCHEMA_REJECTION (1094) if the registry refuses it, VCX_POOL_LEDGER_CONNECT
 *     (1025) if the registry cannot be reached, VCX_NO_POOL_OPEN (1030) without a registry to write
 *     to.
 */
export function schemaCreate(sourceId: string, schemaName: string, version: string, schemaData: string, paymentHandle: number): Promise<number>;

/**
 * Creates a schema for an endorser to publish on the ledger, in state 0. The author's DID is
 * institution_did.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param schemaName (required) The name.
 * @param version (required) The version, such as 1.0.
 * @param schemaData (required) The names of the attributes as a JSON array.
 * @param endorser (required) The endorser's DID.
 * @return the handle of the schema and the signed transaction as JSON text;
 *     VCX_LIBINDY_INVALID_STRUCTURE (1080), VCX_INVALID_SCHEMA_CREATION (1041), VCX_INVALID_DID
 *     (1008) if institution_did is not a DID of Indy, VCX_WALLET_RECORD_NOT_FOUND (1073) when the
 *     wallet lacks the author's key, VCX_NO_POOL_OPEN (1030) without a ledger.
 */
export function schemaPrepareForEndorser(sourceId: string, schemaName: string, version: string, schemaData: string, endorser: string): Promise<{ number: number; text: string | null }>;

/**
 * Fetches a schema.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param schemaId (required) The id of the schema.
 * @return the handle of the schema and a JSON object with its data (the names of the attributes),
 *     version, schema_id, name, source_id, payment_txn and state, as the wrappers of libvcx read
 *     it; VCX_INVALID_SCHEMA_SEQ_NO (1040) if the schema cannot be fetched.
 */
export function schemaGetAttributes(sourceId: string, schemaId: string): Promise<{ number: number; text: string | null }>;

/**
 * Reads the id of a schema.
 *
 * @param schemaHandle The schema.
 * @return the id, or VCX_INVALID_SCHEMA_HANDLE (1042).
 */
export function schemaGetSchemaId(schemaHandle: number): Promise<string | null>;

/**
 * Writes a schema as JSON text for the program to store. vcx_schema_deserialize restores it.
 *
 * @param schemaHandle The schema.
 * @return the text, or VCX_INVALID_SCHEMA_HANDLE (1042).
 */
export function schemaSerialize(schemaHandle: number): Promise<string | null>;

/**
 * Restores a serialized schema.
 *
 * @param schemaData (required) The text from vcx_schema_serialize.
 * @return a new handle, or VCX_INVALID_JSON (1016).
 */
export function schemaDeserialize(schemaData: string): Promise<number>;

/**
 * Releases the handle of a schema.
 *
 * @param schemaHandle The schema.
 * @return Always 0.
 */
export function schemaRelease(schemaHandle: number): void;

/**
 * Looks whether the registry has the schema. If it cannot look, the state does not change.
 *
 * @param schemaHandle The schema.
 * @return the state, one of vcx_publication_state, or VCX_INVALID_SCHEMA_HANDLE (1042).
 */
export function schemaUpdateState(schemaHandle: number): Promise<number>;

/**
 * Reads whether a schema is published.
 *
 * @param schemaHandle The schema.
 * @return the state, one of vcx_publication_state, or VCX_INVALID_SCHEMA_HANDLE (1042).
 */
export function schemaGetState(schemaHandle: number): Promise<number>;

/**
 * Creates a credential definition and publishes it. Its keys take seconds to make, on threads of
 * their own: no other call waits for them.
 *
 * If the wallet has keys for the schema and the tag, the library uses them, so that a program can
 * repeat a call that failed to publish.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param credentialdefName (required) The name.
 * @param schemaId (required) The id of the schema.
 * @param issuerDid (optional) The issuer, or NULL for the institution's DID. Returns
 *     VCX_INVALID_CONFIGURATION (1004) with neither.
 * @param tag (required) Distinguishes definitions of the same schema. Not empty, without a colon,
 *     and for an issuer of did:indy without a slash.
 * @param revocationDetails (required) JSON text with support_revocation, tails_file and max_creds;
 *     {} for no revocation.
 * @param paymentHandle Ignored.
 * @return the handle of the definition; VCX_INVALID_SCHEMA (1031) if the schema cannot be fetched,
 *     VCX_INVALID_REVOCATION_DETAILS (1091) for other revocation details, VCX_INVALID_DID (1008) if
 *     the issuer has no DID of Indy or of did:webvh, VCX_CREATE_CREDENTIAL_DEF_ERR (1034) for
 *     another tag, or if the registry refuses the definition, VCX_POOL_LEDGER_CONNECT (1025) if the
 *     registry cannot be reached, VCX_NO_POOL_OPEN (1030) without a registry to write to,
 *     VCX_ACTION_NOT_SUPPORTED (1103) without the AnonCreds engine.
 */
export function credentialdefCreate(sourceId: string, credentialdefName: string, schemaId: string, issuerDid: string | null, tag: string, revocationDetails: string, paymentHandle: number): Promise<number>;

/**
 * Creates an object for a credential definition that this wallet has made before, in state 0. Asks
 * neither the wallet nor a registry.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param credDefId (required) The id of the definition.
 * @param issuerDid (optional) The issuer, or NULL for the institution's DID. Returns
 *     VCX_INVALID_CONFIGURATION (1004) with neither.
 * @param revocationConfig (optional) NULL, or the revocation registry as JSON text: {"version":
 *     "1.0", "data": {"tails_file", "rev_reg_id", "rev_reg_def", "rev_reg_entry"}}, as in a
 *     serialized definition.
 * @return the handle of the definition, or VCX_INVALID_JSON (1016).
 */
export function credentialdefCreateWithId(sourceId: string, credDefId: string, issuerDid?: string | null, revocationConfig?: string | null): Promise<number>;

/**
 * Creates a credential definition for an endorser to publish on the ledger, in state 0. Its keys
 * take seconds to make, like the keys of vcx_credentialdef_create.
 *
 * @param sourceId (required) A name that the program chooses; it is kept with the object.
 * @param credentialdefName (required) The name.
 * @param schemaId (required) The id of the schema.
 * @param issuerDid (optional) The issuer, or NULL for the institution's DID. Returns
 *     VCX_INVALID_CONFIGURATION (1004) with neither.
 * @param tag (required) Distinguishes definitions of the same schema. Not empty, without a colon,
 *     and for an issuer of did:indy without a slash.
 * @param revocationDetails (required) JSON text with support_revocation, tails_file and max_creds;
 *     {} for no revocation.
 * @param endorser (required) The endorser's DID.
 * @return the handle of the definition and the signed transactions as JSON texts, in the order in
 *     which they are to be published; VCX_INVALID_SCHEMA (1031), VCX_INVALID_REVOCATION_DETAILS
 *     (1091), VCX_INVALID_DID (1008) if the issuer has no DID of Indy or of did:webvh,
 *     VCX_CREATE_CREDENTIAL_DEF_ERR (1034) for another tag, VCX_WALLET_RECORD_NOT_FOUND (1073) when
 *     the wallet lacks the author's key, VCX_NO_POOL_OPEN (1030) without a ledger,
 *     VCX_ACTION_NOT_SUPPORTED (1103) without the AnonCreds engine.
 */
export function credentialdefPrepareForEndorser(sourceId: string, credentialdefName: string, schemaId: string, issuerDid: string | null, tag: string, revocationDetails: string, endorser: string): Promise<{ credentialdefHandle: number; definitionTransaction: string | null; registryTransaction: string | null; registryEntryTransaction: string | null }>;

/**
 * Reads the id of a credential definition.
 *
 * @param credDefHandle The definition.
 * @return the id, or VCX_INVALID_CREDENTIAL_DEF_HANDLE (1037).
 */
export function credentialdefGetCredDefId(credDefHandle: number): Promise<string | null>;

/**
 * Writes a definition as JSON text for the program to store. vcx_credentialdef_deserialize restores
 * it.
 *
 * @param credentialdefHandle The definition.
 * @return the text, or VCX_INVALID_CREDENTIAL_DEF_HANDLE (1037).
 */
export function credentialdefSerialize(credentialdefHandle: number): Promise<string | null>;

/**
 * Restores a serialized definition.
 *
 * @param credentialdefData (required) The text from vcx_credentialdef_serialize.
 * @return a new handle, or VCX_INVALID_JSON (1016).
 */
export function credentialdefDeserialize(credentialdefData: string): Promise<number>;

/**
 * Releases the handle of a credential definition.
 *
 * @param credentialdefHandle The definition.
 * @return Always 0.
 */
export function credentialdefRelease(credentialdefHandle: number): void;

/**
 * Publishes the parts that an earlier call could not publish. If an endorser publishes the
 * definition, or if its keys are not in the wallet, it only looks whether the definition is
 * published.
 *
 * @param credentialdefHandle The definition.
 * @return the state, one of vcx_publication_state; VCX_INVALID_CREDENTIAL_DEF_HANDLE (1037), and
 *     the errors of publishing: VCX_CREATE_CREDENTIAL_DEF_ERR (1034), VCX_POOL_LEDGER_CONNECT
 *     (1025), VCX_NO_POOL_OPEN (1030), VCX_ACTION_NOT_SUPPORTED (1103).
 */
export function credentialdefUpdateState(credentialdefHandle: number): Promise<number>;

/**
 * Reads whether a definition is published.
 *
 * @param credentialdefHandle The definition.
 * @return the state, one of vcx_publication_state, or VCX_INVALID_CREDENTIAL_DEF_HANDLE (1037).
 */
export function credentialdefGetState(credentialdefHandle: number): Promise<number>;

/**
 * Creates a DID of did:webvh and publishes its log. Its keys are new, and lie in the wallet.
 *
 * @param place (required) The place of the DID: the host with a port and a path, as the DID names
 *     them, such as example.com, localhost%3A8080 or example.com:issuers:1.
 * @param options (optional) NULL, or JSON text with document, pre_rotation and ttl.
 * @return the DID; VCX_INVALID_JSON (1016) for other options, VCX_INVALID_DID (1008) for a
 *     malformed place or one that has a log, VCX_POOL_LEDGER_CONNECT (1025) if the place of the
 *     files cannot be reached, VCX_NO_POOL_OPEN (1030) without a place in the configuration.
 */
export function webvhCreate(place: string, options?: string | null): Promise<string | null>;

/**
 * Publishes the next version of an own DID. Another program with the same wallet may do so at the
 * same time: neither change is lost.
 *
 * @param did (required) The DID.
 * @param changes (required) JSON text with document, rotate, pre_rotation and ttl; {} changes only
 *     the keys of a DID with pre-rotation.
 * @return the id of the version; VCX_INVALID_JSON (1016) for other changes,
 *     VCX_WALLET_RECORD_NOT_FOUND (1073) when the wallet lacks the keys, VCX_INVALID_DID (1008) if
 *     the DID is deactivated, or if its log is not in its place, is not valid or lacks a version
 *     that was seen before, VCX_POOL_LEDGER_CONNECT (1025) if the place of the files cannot be
 *     reached, VCX_NO_POOL_OPEN (1030) without a place in the configuration.
 */
export function webvhUpdate(did: string, changes: string): Promise<string | null>;

/**
 * Deactivates an own DID for ever. Readers then refuse its objects, and nothing can follow.
 *
 * @param did (required) The DID.
 * @return the id of the last version, or the errors of msdk_webvh_update.
 */
export function webvhDeactivate(did: string): Promise<string | null>;

/**
 * Makes the program a registry of the current agent, beside those of the configuration, whose
 * answers count first.
 *
 * The resolver lasts until msdk_remove_resolver, or until the agent ends. It may be set before
 * vcx_init. Returns 0; VCX_INVALID_OPTION (1007) without cb; VCX_ALREADY_INITIALIZED (1044) if the
 * agent has a resolver.
 *
 * @param receive Called any number of times, on threads of the library, up to 16 at the same time.
 *     Its error is always 0. Its text is a question: JSON with request, type, id and time. The
 *     program answers with msdk_answer_resolver, inside the callback or later, within 30 seconds.
 * @return The subscription.
 */
export function setResolver(receive: (error: MsdkError | null, result: string | null) => void): number;

/**
 * Answers a question of the current agent's resolver. The agent is current in the callback; another
 * thread selects it first. Each question takes one answer.
 *
 * @param request The number of the question.
 * @param answer (required) JSON text of at most 2 MB: {"object": {...}}, the object in the form of
 *     the AnonCreds specification; {"found": false}; or {"error": "..."}, if the program cannot ask
 *     its registry.
 * @return 0; VCX_INVALID_OPTION (1007) if no question with this number waits: it has an answer, or
 *     its time is over; VCX_INVALID_JSON (1016) for another answer, which ends the question with an
 *     error.
 */
export function answerResolver(request: number, answer: string): void;

/**
 * Ends the resolver of the current agent. Unanswered questions fail. A call of its callback that
 * has begun goes on.
 *
 * @param resolver The command_handle of msdk_set_resolver.
 * @return Always 0.
 */
export function removeResolver(resolver: number): void;

/**
 * Reads the agreement that the network requires of authors, from the first ledger.
 *
 * The program shows the text to its user, who accepts it in one of the ways of aml. The library
 * then writes with the acceptance that the program gives it: in the configuration's
 * author_agreement, or with vcx_set_active_txn_author_agreement_meta.
 *
 * @return JSON text: the agreement with its text, version and digest, and in aml the ways to accept
 *     it, each with its meaning. {} if the network requires no agreement. VCX_NO_POOL_OPEN (1030)
 *     without a ledger, VCX_POOL_LEDGER_CONNECT (1025) if the ledger cannot be reached.
 */
export function getLedgerAuthorAgreement(): Promise<string | null>;

/**
 * Accepts the agreement of a network: from now on the library writes to the ledger with this
 * acceptance.
 *
 * The acceptance holds until vcx_shutdown. The program keeps it for the next start, in the
 * configuration's author_agreement. Nothing is sent.
 *
 * @param agreementText (optional) The agreement, or NULL if hash is given.
 * @param version (optional) Its version, or NULL if hash is given.
 * @param hash (optional) The digest of the agreement, or NULL if text and version are given.
 * @param accMechType (required) How the user accepted it: one of the ways of the network.
 * @param timeOfAcceptance The time in seconds since 1970. The network learns the day.
 * @return 0, or VCX_INVALID_OPTION (1007), also if hash is not the digest of the text and the
 *     version.
 */
export function setActiveTxnAuthorAgreementMeta(agreementText: string | null, version: string | null, hash: string | null, accMechType: string, timeOfAcceptance: bigint | number): void;

/**
 * Opens the mailbox of the public DID institution_did, and publishes its endpoint and routing keys.
 *
 * The ledger gets the attribute endpoint if the DID is Indy's: the first ledger must know the DID
 * with the key institution_verkey. The program publishes the document of any other DID itself. Then
 * accept peers with msdk_public_did_listen. Repeat the call after the Cloud Agent has changed;
 * otherwise repeating changes nothing.
 *
 * @return JSON text: did, verkey, endpoint, routing_keys in base58, document (the DID document in
 *     the form of today), and published, which is false if no ledger has got the endpoint.
 *     VCX_INVALID_CONFIGURATION (1004) without institution_did or institution_verkey,
 *     VCX_WALLET_RECORD_NOT_FOUND (1073) when the wallet lacks the key, VCX_INVALID_JSON (1016) if
 *     the ledger does not know the DID, VCX_INVALID_LEDGER_RESPONSE (1082) if it has another key or
 *     refuses the attribute, VCX_POOL_LEDGER_CONNECT (1025) if it cannot be reached.
 */
export function publicDidPublish(): Promise<string | null>;

/**
 * Signs a transaction that another author prepared for institution_did, and submits it to the
 * ledger.
 *
 * The library signs only transactions that publish an object of an issuer: a schema, a credential
 * definition, a revocation registry or its status (Indy's types 101, 102, 113 and 114). It refuses
 * all others, such as a change of a DID or a role, since an endorser's signature permits them too.
 * The author's signature must fit the author's key on the ledger.
 *
 * @param transaction (required) The transaction as JSON text.
 * @return 0; VCX_INVALID_JSON (1016) if it is not such a transaction, if the ledger has no key of
 *     its author, or if it is not signed with that key; VCX_WALLET_RECORD_NOT_FOUND (1073) when the
 *     wallet lacks the key of institution_did, VCX_INVALID_LEDGER_RESPONSE (1082) if the ledger
 *     refuses it, VCX_POOL_LEDGER_CONNECT (1025) if the ledger cannot be reached, VCX_NO_POOL_OPEN
 *     (1030) without a ledger.
 */
export function endorseTransaction(transaction: string): Promise<void>;

/**
 * Encrypts a message for receivers, as a DIDComm envelope.
 *
 * Each receiver learns the key of the content. With it, a receiver can write messages to another
 * receiver in the sender's name, and to the sender in the other receiver's name. A program that
 * gives a sender therefore packs one envelope for each receiver.
 *
 * @param walletHandle Ignored; the open wallet is used.
 * @param message (required) The bytes.
 * @param receiverKeys (required) The verification keys of the receivers as a JSON array.
 * @param sender (optional) This side's verification key, or NULL to stay anonymous.
 * @return the envelope; VCX_INVALID_JSON (1016), VCX_INVALID_VERKEY (1009) for a malformed key,
 *     VCX_WALLET_RECORD_NOT_FOUND (1073) if the sender's key is not in the wallet,
 *     VCX_INVALID_WALLET_HANDLE (1057).
 */
export function packMessage(walletHandle: number, message: Uint8Array, receiverKeys: string, sender?: string | null): Promise<Buffer>;

/**
 * Decrypts a DIDComm envelope.
 *
 * @param walletHandle Ignored; the open wallet is used.
 * @param jweData (required) The envelope.
 * @return JSON text with message and recipient_verkey, and sender_verkey unless the sender is
 *     anonymous; VCX_WALLET_RECORD_NOT_FOUND (1073) if the wallet has no receiver's key,
 *     VCX_LIBINDY_INVALID_STRUCTURE (1080) for a broken envelope, VCX_INVALID_WALLET_HANDLE (1057).
 */
export function unpackMessage(walletHandle: number, jweData: Uint8Array): Promise<Buffer>;

/**
 * Reads the thread id of a connection's handshake. Before the request it is the id of the
 * invitation.
 *
 * @param connectionHandle The connection.
 * @return the id, or VCX_INVALID_CONNECTION_HANDLE (1003), VCX_NOT_READY (1005) without a
 *     handshake, VCX_ACTION_NOT_SUPPORTED (1103) under the proprietary protocol.
 */
export function connectionGetThreadId(connectionHandle: number): Promise<string | null>;

/**
 * Reads the thread id of a credential that this side receives. The wallet keeps the credential
 * under this id.
 *
 * @param credentialHandle The credential.
 * @return the id, or VCX_INVALID_CREDENTIAL_HANDLE (1053).
 */
export function credentialGetThreadId(credentialHandle: number): Promise<string | null>;

/**
 * Reads the thread id of a proof that this side gives.
 *
 * @param proofHandle The proof.
 * @return the id, or VCX_INVALID_DISCLOSED_PROOF_HANDLE (1049).
 */
export function disclosedProofGetThreadId(proofHandle: number): Promise<string | null>;

/**
 * Reads the thread id of a credential that this side issues.
 *
 * @param credentialHandle The credential.
 * @return the id, or VCX_INVALID_ISSUER_CREDENTIAL_HANDLE (1015).
 */
export function issuerCredentialGetThreadId(credentialHandle: number): Promise<string | null>;

/**
 * Reads the thread id of a proof that this side requests.
 *
 * @param proofHandle The proof.
 * @return the id, or VCX_INVALID_PROOF_HANDLE (1017), VCX_NOT_READY (1005) before there is a
 *     message.
 */
export function proofGetThreadId(proofHandle: number): Promise<string | null>;

/**
 * Reads the tokens in the wallet: there are none.
 *
 * @param paymentHandle Ignored.
 * @return VCX_MISSING_PAYMENT_METHOD (1087) and an empty text.
 */
export function walletGetTokenInfo(paymentHandle: number): Promise<string | null>;

/**
 * Creates a payment address, with a payment method.
 *
 * @param seed (optional) The seed of its key, or NULL for a random one.
 * @return VCX_MISSING_PAYMENT_METHOD (1087) and an empty text.
 */
export function walletCreatePaymentAddress(seed?: string | null): Promise<string | null>;

/**
 * Makes tokens on a test ledger, with a payment method.
 *
 * @param seed (optional) The seed of the trustee's key, or NULL.
 * @param fees (optional) The fees as JSON text, or NULL.
 * @return VCX_MISSING_PAYMENT_METHOD (1087), or VCX_INVALID_OPTION (1007) if a text is not UTF-8.
 */
export function mintTokens(seed?: string | null, fees?: string | null): void;

/**
 * Signs bytes with the key of a payment address, with a payment method.
 *
 * @param paymentAddress (required) The payment address.
 * @param messageRaw (required) The bytes.
 * @return VCX_MISSING_PAYMENT_METHOD (1087).
 */
export function walletSignWithAddress(paymentAddress: string, messageRaw: Uint8Array): Promise<Buffer>;

/**
 * Verifies a signature with the key of a payment address, with a payment method.
 *
 * @param paymentAddress (required) The payment address.
 * @param messageRaw (required) The bytes that were signed.
 * @param signatureRaw (required) The signature.
 * @return VCX_MISSING_PAYMENT_METHOD (1087).
 */
export function walletVerifyWithAddress(paymentAddress: string, messageRaw: Uint8Array, signatureRaw: Uint8Array): Promise<boolean>;

/**
 * Sends tokens, with a payment method.
 *
 * @param paymentHandle Ignored.
 * @param tokens (required) The amount, as text.
 * @param recipient (required) The payment address of the recipient.
 * @return VCX_MISSING_PAYMENT_METHOD (1087) and an empty text.
 */
export function walletSendTokens(paymentHandle: number, tokens: string, recipient: string): Promise<string | null>;

/**
 * Checks nothing: accepts any payment address.
 *
 * @param paymentAddress (required) The payment address.
 * @return 0.
 */
export function walletValidatePaymentAddress(paymentAddress: string): Promise<void>;

/**
 * Reads the fees of the ledger, with a payment method.
 *
 * @return VCX_MISSING_PAYMENT_METHOD (1087).
 */
export function ledgerGetFees(): Promise<string | null>;

/**
 * Reads the price of an action on the ledger, with a payment method.
 *
 * @param actionJson (required) The action as JSON text.
 * @param requesterInfoJson (optional) The requester as JSON text, or NULL.
 * @return VCX_MISSING_PAYMENT_METHOD (1087).
 */
export function getRequestPrice(actionJson: string, requesterInfoJson?: string | null): Promise<bigint>;

/**
 * Reads the price of a credential: all credentials are free.
 *
 * @param credentialHandle The credential.
 * @return {}; VCX_INVALID_CREDENTIAL_HANDLE (1053).
 */
export function credentialGetPaymentInfo(credentialHandle: number): Promise<string | null>;

/**
 * Reads the payment of a credential. Only credentials of Evernym's own protocol have a payment, and
 * the library speaks the Aries protocols.
 *
 * @param handle The credential.
 * @return VCX_ACTION_NOT_SUPPORTED (1103), or VCX_INVALID_CREDENTIAL_HANDLE (1053).
 */
export function credentialGetPaymentTxn(handle: number): Promise<string | null>;

/**
 * Reads the payment of a credential being issued. Only credentials of Evernym's own protocol have a
 * payment.
 *
 * @param handle The credential.
 * @return VCX_ACTION_NOT_SUPPORTED (1103), or VCX_INVALID_ISSUER_CREDENTIAL_HANDLE (1015).
 */
export function issuerCredentialGetPaymentTxn(handle: number): Promise<string | null>;

/**
 * Reads the payment of a schema: no schema has one.
 *
 * @param handle The schema.
 * @return VCX_NO_PAYMENT_INFORMATION (1071), or VCX_INVALID_SCHEMA_HANDLE (1042).
 */
export function schemaGetPaymentTxn(handle: number): Promise<string | null>;

/**
 * Reads the payment of a credential definition: no definition has one.
 *
 * @param handle The definition.
 * @return VCX_NO_PAYMENT_INFORMATION (1071), or VCX_INVALID_CREDENTIAL_DEF_HANDLE (1037).
 */
export function credentialdefGetPaymentTxn(handle: number): Promise<string | null>;

// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

/// Text from or for the caller: UTF-8, ends with a zero byte.
public typealias CString = UnsafePointer<CChar>

/// 0 (`VCX_SUCCESS`) or a code of `vcx_error_code`.
public typealias vcx_error_t = UInt32

/// Any number that the caller chooses. The library passes it back to the callback, unused.
public typealias vcx_command_handle_t = UInt32

/// An agent of this process. 0 is the agent of `vcx_init_with_config`.
public typealias msdk_agent_handle_t = UInt32

/// A connection. 0 is no connection.
public typealias vcx_connection_handle_t = UInt32

/// A credential that the wallet holds, receives or requests. 0 is no credential.
public typealias vcx_credential_handle_t = UInt32

/// A proof that this side gives. 0 is no proof.
public typealias vcx_disclosed_proof_handle_t = UInt32

/// A credential that this side issues. 0 is no credential.
public typealias vcx_issuer_credential_handle_t = UInt32

/// A proof that this side requests. 0 is no proof.
public typealias vcx_proof_handle_t = UInt32

/// A schema. 0 is no schema.
public typealias vcx_schema_handle_t = UInt32

/// A credential definition. 0 is no definition.
public typealias vcx_credentialdef_handle_t = UInt32

/// A backup of the wallet in the cloud. 0 is no backup.
public typealias vcx_wallet_backup_handle_t = UInt32

/// Kept in signatures for programs written for libvcx; ignored.
public typealias vcx_payment_handle_t = UInt32

/// A search in the wallet. 0 is no search.
public typealias vcx_search_handle_t = Int32

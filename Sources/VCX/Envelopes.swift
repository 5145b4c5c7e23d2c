// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK
internal import Wallet

// MARK: Envelopes
//
// DIDComm envelopes as bytes, for programs that send and receive messages by themselves.

/// Encrypts a message for receivers, as a DIDComm envelope.
///
/// Each receiver learns the key of the content. With it, a receiver can write messages to another receiver in the
/// sender's name, and to the sender in the other receiver's name. A program that gives a sender therefore packs one
/// envelope for each receiver.
///
/// - Parameters:
///   - wallet_handle: Ignored; the open wallet is used.
///   - message: The bytes.
///   - message_len: The number of bytes; not 0.
///   - receiver_keys: The verification keys of the receivers as a JSON array.
///   - sender: This side's verification key, or NULL to stay anonymous.
///   - cb: Receives the envelope; 1016, 1009 for a malformed key, 1073 if the sender's key is not in the wallet, 1057.
@_cdecl("vcx_pack_message")
public func vcx_pack_message(
  _ command_handle: vcx_command_handle_t, _ wallet_handle: Int32, _ message: UnsafePointer<UInt8>?,
  _ message_len: UInt32, _ receiver_keys: CString?, _ sender: CString?, _ cb: vcx_bytes_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), bytes(message, message_len, "message"), text(receiver_keys, "receiver_keys"),
    optionalText(sender, "sender"), openWallet()
  ) { message, receivers, sender, wallet in try wallet.pack(message, for: receivers, from: sender) }
}

/// Decrypts a DIDComm envelope.
///
/// - Parameters:
///   - wallet_handle: Ignored; the open wallet is used.
///   - jwe_data: The envelope.
///   - jwe_len: Its length; not 0.
///   - cb: Receives JSON text with `message` and `recipient_verkey`, and `sender_verkey` unless the sender is
///     anonymous; 1073 if the wallet has no receiver's key, 1080 for a broken envelope, 1057.
@_cdecl("vcx_unpack_message")
public func vcx_unpack_message(
  _ command_handle: vcx_command_handle_t, _ wallet_handle: Int32, _ jwe_data: UnsafePointer<UInt8>?, _ jwe_len: UInt32,
  _ cb: vcx_bytes_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), bytes(jwe_data, jwe_len, "jwe_data"), openWallet()) { envelope, wallet in
    let unpacked = try reporting(.libindyInvalidStructure) { try wallet.unpack(envelope) }
    guard let unpacked else {
      throw VCXError(.walletRecordNotFound, "the wallet has no key of the envelope's receivers")
    }
    return unpacked
  }
}

internal import DIDComm
internal import JSON
package import Wallet

// Envelopes that the program itself packs and opens, with the keys of the wallet.

extension Wallet {
  /// Packs a message. `receivers` is a JSON array of verkeys; without `sender` the envelope proves no sender.
  package func pack(_ message: [UInt8], for receivers: String, from sender: String?) throws -> [UInt8] {
    let keys = try JSON(parsing: receivers).requireArray().map { try VerKey($0.string ?? "") }
    let pair = try sender.map { text in
      guard let pair = try keyPair(for: VerKey(text)) else { throw WalletError.recordNotFound }
      return pair
    }
    return try Envelope.pack(message, for: keys, from: pair)
  }

  /// Opens an envelope, and writes its content with both keys as JSON text. Returns nil if the wallet has no receiver's
  /// key.
  package func unpack(_ envelope: [UInt8]) throws -> [UInt8]? {
    do {
      let opened = try Envelope(parsing: envelope).open(with: self)
      guard let message = String(validating: opened.message, as: UTF8.self) else {
        throw EnvelopeError.malformed("the message is not UTF-8")
      }
      var json: JSON = ["message": .string(message), "recipient_verkey": .string(opened.recipient.text)]
      json["sender_verkey"] = opened.sender.map { .string($0.text) }
      return json.bytes
    } catch EnvelopeError.noRecipient {
      return nil
    }
  }
}

import HTTPServing
import JSON
import Time

@testable import Aries
@testable import DIDComm
@testable import Patterns
@testable import Sodium

extension FuzzTarget {
  /// Texts that are one value: base58, base64, DIDs, keys, types, times, addresses, patterns.
  static let encodings = FuzzTarget("encodings") { input in
    let text = String(decoding: input, as: UTF8.self)
    try checkBase58(text)
    try checkBase64(text)
    try checkIdentifiers(text, signed: input)
    if let time = Timestamp(text) {
      try expect(Timestamp(time.text) == time, "a time reads otherwise when it was written")
    }
    readTimeOfToken(text)
    _ = clientNetwork(of: text)
    _ = numericAddress(text)
    _ = Handshake(text)
    _ = SpokenProtocol.own(matching: text)
    _ = try? Pattern(text)?.matches(input)
  }

  private static func checkBase58(_ text: String) throws {
    guard let bytes = try? Base58.decode(text) else { return }
    try expect(Base58.encode(bytes) == text, "two texts in base58 mean the same")
  }

  private static func checkBase64(_ text: String) throws {
    for alphabet in [Base64.Alphabet.standard, .url] {
      guard let bytes = try? Base64.decode(text, alphabet) else { continue }
      let texts = [true, false].map { Base64.encode(bytes, alphabet, padded: $0) }
      try expect(texts.contains(text), "two texts in base64 mean the same")
    }
    _ = try? Base64.decodeAny(text)
  }

  private static func checkIdentifiers(_ text: String, signed: [UInt8]) throws {
    if let did = try? DID(text) { _ = did.unqualified }
    if let key = try? VerKey(anyForm: text) {
      try expect(VerKey(key.text) == key, "a verkey reads otherwise when it was written")
      try expect(VerKey(anyForm: key.didURL) == key, "a did:key reads otherwise when it was written")
      _ = key.publicKey.verifies([UInt8](repeating: 1, count: 64), of: signed)
    }
    _ = try? VerKey(multibase: text)
    if let type = MessageType(text) {
      try expect(MessageType(type.text) == type, "a type reads otherwise when it was written")
    }
  }
}

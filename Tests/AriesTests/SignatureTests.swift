import Aries
import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

/// The decorator with which the peer signs a value.
@Suite struct SignatureTests {
  let pair = KeyPair()

  @Test func aSignedValueIsReadBack() throws {
    let signed = SignatureDecorator(signing: ["a": "ü"], with: pair, time: 1_700_000_000)
    let read = try SignatureDecorator(verifying: signed.received)
    #expect(try read.value() == ["a": "ü"])
    #expect(read.signer == pair.verkey)
  }

  @Test(arguments: ["@type", "signer", "sig_data", "signature"]) func everyMemberIsNeeded(member: String) {
    var json = SignatureDecorator(signing: [:], with: pair, time: 0).received
    for wrong in [nil, 1, "", "!"] as [JSON?] {
      json[member] = wrong
      #expect(throws: SignatureError.self) { try SignatureDecorator(verifying: json) }
    }
  }

  @Test func aForeignSignerIsNoticed() {
    var json = SignatureDecorator(signing: [:], with: pair, time: 0).received
    json["signer"] = .string(KeyPair().verkey.text)
    #expect(throws: SignatureError.notAuthentic) { try SignatureDecorator(verifying: json) }
  }

  /// The time takes eight bytes; the value needs one at least.
  @Test func aSignatureOverTheTimeAloneIsRefused() throws {
    func signed(_ data: [UInt8]) -> JSON {
      SignatureDecorator(signing: [:], with: pair, time: 0).received.with([
        "sig_data": .string(Base64.encode(data, .url)), "signature": .string(Base64.encode(pair.sign(data), .url)),
      ])
    }
    let nine = Array("123456789".utf8)
    #expect(try SignatureDecorator(verifying: signed(nine)).value() == 9)
    #expect(throws: SignatureError.malformed("sig_data")) {
      try SignatureDecorator(verifying: signed(nine.dropLast()))
    }
  }
}

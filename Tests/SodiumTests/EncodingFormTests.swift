import Sodium
import TestSupport
import Testing

/// The forms of secrets, UUIDs and numbers as texts.
@Suite struct EncodingFormTests {
  /// Libsodium takes each byte beyond ASCII for the last digit.
  @Test(arguments: [
    "A", "AA", "AAA", "AA=", "AAA==", "A===", "A A=", " AAAA", "AAAA\n", "AAAA=", "Zh==", "Zm9=", "====", "-_-_",
    "AA\u{e4}",
    "\u{e4}AA", "\u{ff}\u{ff}", "AAAA\u{e4}", "AAAA\0",
  ])
  func aSecretInAnotherFormIsRefused(text: String) {
    #expect(throws: SodiumError.notBase64) { try Base64.decodeSecret(text) }
  }

  @Test func aSecretIsReadWhole() throws {
    #expect(try Base64.decodeSecret("") == [])
    #expect(try Base64.decodeSecret("Zg==") == [0x66] && Base64.decodeSecret("Zm8=") == [0x66, 0x6f])
    #expect(try Base64.decodeSecret("+/+/") == [0xfb, 0xff, 0xbf])
  }

  @Test func aUUIDHasTheMarksOfItsVersion() {
    #expect(String.uuid((0..<16).map { UInt8($0) }) == "00010203-0405-4607-8809-0a0b0c0d0e0f")
    #expect(String.uuid([UInt8](repeating: 0xff, count: 16)) == "ffffffff-ffff-4fff-bfff-ffffffffffff")
    // SHA-256 of "abc" begins with ba7816bf8f01cfea414140de5dae2223.
    #expect(String.uuid(derivedFrom: "abc") == "ba7816bf-8f01-4fea-8141-40de5dae2223")
  }

  @Test(arguments: [
    ("", "0"), ("00", "0"), ("0000000000", "0"), ("09", "9"), ("0100", "256"), ("00000100", "256"),
    ("3b9aca00", "1000000000"),
    ("ffffffff", "4294967295"), ("0100000000", "4294967296"), ("ffffffffffffffffffff", "1208925819614629174706175"),
  ])
  func aNumberIsWrittenInDecimal(hex: String, text: String) { #expect([UInt8](hex: hex).decimal == text) }
}

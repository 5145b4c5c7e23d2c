import Sodium
import TestSupport
import Testing

/// Boxes for one recipient, with and without a sender.
@Suite struct BoxTests {
  let sender = KeyPair()
  let recipient = KeyPair()
  let nonce = randomBytes(24)

  @Test func boxesOpenOnlyForTheirTwoKeys() throws {
    let box = try Box.seal([1, 2, 3], from: sender, to: recipient.publicKey, nonce: nonce)
    #expect(try Box.open(box, from: sender.publicKey, with: recipient, nonce: nonce) == [1, 2, 3])
    #expect(throws: SodiumError.notAuthentic) {
      try Box.open(box, from: KeyPair().publicKey, with: recipient, nonce: nonce)
    }
    #expect(throws: SodiumError.notAuthentic) {
      try Box.open(box, from: sender.publicKey, with: KeyPair(), nonce: nonce)
    }
    #expect(throws: SodiumError.wrongLength(of: "box")) {
      try Box.open([1], from: sender.publicKey, with: recipient, nonce: nonce)
    }
    #expect(throws: SodiumError.wrongLength(of: "nonce")) {
      try Box.open(box, from: sender.publicKey, with: recipient, nonce: [1])
    }
    #expect(throws: SodiumError.unusableKey) {
      try Box.open(box, from: PublicKey([UInt8](repeating: 0, count: 32)), with: recipient, nonce: nonce)
    }
    #expect(throws: SodiumError.notAuthentic) {
      try Box.open([box[0] ^ 1] + box.dropFirst(), from: sender.publicKey, with: recipient, nonce: nonce)
    }
  }

  @Test func sealedBoxesOpenOnlyForTheirRecipient() throws {
    let box = try Box.sealAnonymously([1, 2, 3], to: recipient.publicKey, random: randomBytes)
    #expect(box.count == 3 + Box.sealOverhead)
    #expect(try Box.openAnonymous(box, with: recipient) == [1, 2, 3])
    #expect(throws: SodiumError.notAuthentic) { try Box.openAnonymous(box, with: sender) }
    #expect(throws: SodiumError.wrongLength(of: "box")) {
      try Box.openAnonymous(Array(box.prefix(47)), with: recipient)
    }
  }

  @Test(arguments: [
    String(repeating: "00", count: 32), "01" + String(repeating: "00", count: 31), String(repeating: "ff", count: 32),
  ])
  func keysThatAreNoUsablePointsAreRefused(hex: String) throws {
    let key = try PublicKey([UInt8](hex: hex))
    #expect(throws: SodiumError.unusableKey) { try Box.seal([1], from: sender, to: key, nonce: nonce) }
    #expect(throws: SodiumError.unusableKey) { try Box.sealAnonymously([1], to: key, random: randomBytes) }
  }

  /// An empty message makes the shortest box.
  @Test func theShortestBoxHoldsAnEmptyMessage() throws {
    let box = try Box.seal([], from: sender, to: recipient.publicKey, nonce: nonce)
    #expect(box.count == Box.overhead)
    #expect(try Box.open(box, from: sender.publicKey, with: recipient, nonce: nonce) == [])
    #expect(throws: SodiumError.wrongLength(of: "box")) {
      try Box.open(Array(box.dropLast()), from: sender.publicKey, with: recipient, nonce: nonce)
    }
    let sealed = try Box.sealAnonymously([], to: recipient.publicKey, random: randomBytes)
    #expect(sealed.count == Box.sealOverhead)
    #expect(try Box.openAnonymous(sealed, with: recipient) == [])
    #expect(throws: SodiumError.wrongLength(of: "box")) {
      try Box.openAnonymous(Array(sealed.dropLast()), with: recipient)
    }
  }

  @Test func aChangedBoxDoesNotOpen() throws {
    let sealed = try Box.sealAnonymously([1, 2], to: recipient.publicKey, random: randomBytes)
    for index in sealed.indices {
      var changed = sealed
      // The highest bit of the ephemeral key has no meaning in X25519, but is part of the nonce.
      changed[index] ^= 1
      #expect(throws: SodiumError.notAuthentic) { try Box.openAnonymous(changed, with: recipient) }
    }
    for count in [23, 25] {
      #expect(throws: SodiumError.wrongLength(of: "nonce")) {
        try Box.open(sealed, from: sender.publicKey, with: recipient, nonce: [UInt8](repeating: 0, count: count))
      }
    }
  }
}

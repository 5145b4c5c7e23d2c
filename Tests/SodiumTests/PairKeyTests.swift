import Testing

@testable import Sodium

/// The keys that a pair shares with its peers are remembered with the pair.
@Suite struct PairKeyTests {
  private let alice = KeyPair()
  private let bob = KeyPair()
  private let nonce = randomBytes(Box.nonceLength)

  @Test func aRememberedKeyMakesAndOpensTheSameBoxes() throws {
    let first = try Box.seal([1, 2], from: alice, to: bob.publicKey, nonce: nonce)
    #expect(alice.pairKeys[bob.publicKey] != nil && bob.pairKeys[alice.publicKey] == nil)
    #expect(try Box.seal([1, 2], from: alice, to: bob.publicKey, nonce: nonce) == first)
    #expect(try Box.seal([1, 2], from: KeyPair(secret: alice.secret), to: bob.publicKey, nonce: nonce) == first)
    for _ in 0..<2 { #expect(try Box.open(first, from: alice.publicKey, with: bob, nonce: nonce) == [1, 2]) }
    #expect(bob.pairKeys[alice.publicKey] == alice.pairKeys[bob.publicKey])
  }

  @Test func aKeyIsRememberedOnlyIfTheBoxOpens() throws {
    let box = try Box.seal([1], from: alice, to: bob.publicKey, nonce: nonce)
    let mallory = KeyPair()
    #expect(throws: SodiumError.notAuthentic) { try Box.open(box, from: mallory.publicKey, with: bob, nonce: nonce) }
    #expect(bob.pairKeys[mallory.publicKey] == nil)
    var damaged = box
    damaged[0] ^= 1
    #expect(throws: SodiumError.notAuthentic) { try Box.open(damaged, from: alice.publicKey, with: bob, nonce: nonce) }
    #expect(bob.pairKeys[alice.publicKey] == nil)
  }

  @Test func manyPeersDoNotFillTheMemory() throws {
    let peers = (0..<40).map { _ in KeyPair().publicKey }
    for peer in peers { _ = try Box.seal([1], from: alice, to: peer, nonce: nonce) }
    #expect(peers.count { alice.pairKeys[$0] != nil } <= 8)
    for (count, known) in [(8, 8), (9, 1)] {
      let pair = KeyPair()
      for peer in peers.prefix(count) { _ = try Box.seal([1], from: pair, to: peer, nonce: nonce) }
      #expect(peers.count { pair.pairKeys[$0] != nil } == known)
    }
  }

  @Test func aKeyThatIsNoPointIsRefusedEachTime() throws {
    let zero = try PublicKey([UInt8](repeating: 0, count: 32))
    for _ in 0..<2 {
      #expect(throws: SodiumError.unusableKey) { try Box.seal([1], from: alice, to: zero, nonce: nonce) }
    }
    #expect(alice.pairKeys[zero] == nil)
  }
}

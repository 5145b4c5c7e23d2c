import DIDComm
import Sodium
import Testing

@testable import AgencyServer

@Suite struct MasterKeyTests {
  private let masterKey = MasterKey(SecretBytes(random: MasterKey.length))

  @Test func aSealedKeyOpensAsThePairThatItWas() throws {
    let pair = KeyPair()
    let opened = try masterKey.open(masterKey.seal(pair), of: pair.verkey)
    #expect(opened.verkey == pair.verkey && opened.secret == pair.secret)
    #expect(opened.sign([1, 2, 3]) == pair.sign([1, 2, 3]))
  }

  /// A nonce that served twice would reveal both texts.
  @Test func eachSealHasItsOwnNonce() {
    let pair = KeyPair()
    let seals = (0..<9).map { _ in masterKey.seal(pair).bytes }
    #expect(Set(seals.map { $0.prefix(AEAD.nonceLength) }).count == 9)
  }

  @Test func aSealedKeyDoesNotOpenAsAnotherOne() {
    let sealed = masterKey.seal(KeyPair())
    #expect(throws: SodiumError.notAuthentic) { try masterKey.open(sealed, of: KeyPair().verkey) }
    let (other, pair) = (MasterKey(SecretBytes(random: MasterKey.length)), KeyPair())
    #expect(throws: SodiumError.notAuthentic) { try other.open(masterKey.seal(pair), of: pair.verkey) }
  }

  @Test(arguments: [0, 1, 255, 256, 1 << 55, 1 << 56, .max, -1] as [Int64])
  func aSealedPlaceOpensAsTheNumberThatItWas(number: Int64) {
    let key = MasterKey(SecretBytes(random: MasterKey.length))
    let place = key.sealPlace(number)
    #expect(key.openPlace(place) == number && key.sealPlace(number) != place)
    #expect(MasterKey(SecretBytes(random: MasterKey.length)).openPlace(place) == nil)
    for text in ["", "x", String(place.dropLast(4)), place + "AAAA", "A" + place] {
      #expect(key.openPlace(text) == nil)
    }
  }
}

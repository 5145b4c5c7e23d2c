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

  @Test func aSealedKeyDoesNotOpenAsAnotherOne() {
    let sealed = masterKey.seal(KeyPair())
    #expect(throws: SodiumError.notAuthentic) { try masterKey.open(sealed, of: KeyPair().verkey) }
    let (other, pair) = (MasterKey(SecretBytes(random: MasterKey.length)), KeyPair())
    #expect(throws: SodiumError.notAuthentic) { try other.open(masterKey.seal(pair), of: pair.verkey) }
  }
}

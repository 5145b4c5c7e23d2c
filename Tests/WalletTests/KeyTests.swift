import DIDComm
import Foundation
import JSON
import SQLite
import Sodium
import TestSupport
import Testing

@testable import Wallet

@Suite struct KeyTests {
  let home: Home
  let wallet: Wallet

  init() throws {
    home = try Home()
    wallet = try home.wallet()
  }

  @Test func aDIDIsStoredWithItsKeyInLibindysForm() throws {
    let seed = SecretBytes(copying: Array("000000000000000000000000Trustee1".utf8))
    let (did, verkey) = try wallet.createDID(seed: seed)
    // Known from every Indy network.
    #expect(did.text == "V4SGRU86Z58d6TV7PBUe6f")
    #expect(verkey.text == "GJ1SzoWzavQYfNL9XkaJdrQejfztN4XqdsiV4ct3LXKL")
    #expect(
      try wallet.find(type: "Indy::Did", id: did.text)?.value
        == #"{"did":"V4SGRU86Z58d6TV7PBUe6f","verkey":"GJ1SzoWzavQYfNL9XkaJdrQejfztN4XqdsiV4ct3LXKL"}"#)
    let secret = Base58.encode(try KeyPair(seed: seed).secret.exposed())
    #expect(
      try wallet.find(type: "Indy::Key", id: verkey.text)?.value
        == #"{"verkey":"GJ1SzoWzavQYfNL9XkaJdrQejfztN4XqdsiV4ct3LXKL","signkey":"\#(secret)"}"#)
  }

  @Test func theSameSeedGivesTheSameDID() throws {
    let seed = SecretBytes(random: 32)
    let first = try wallet.createDID(seed: seed)
    let second = try wallet.createDID(seed: seed)
    #expect(first.did == second.did && first.verkey == second.verkey)
    #expect(try wallet.createKey(seed: seed) == first.verkey)
  }

  /// If either of the two is refused, neither is kept: a DID without its key could never be used.
  @Test(arguments: ["Indy::Did", "Indy::Key"]) func aDIDIsStoredWithItsKeyOrNotAtAll(refused: String) throws {
    let type = wallet.cipher.seal(type: refused).map { String(format: "%02x", $0) }.joined()
    let database = try home.database()
    try database.execute(
      """
      CREATE TRIGGER refuse BEFORE INSERT ON items WHEN NEW.type = x'\(type)' BEGIN SELECT RAISE(ABORT, 'no'); END
      """)
    #expect(throws: WalletError.self) { try wallet.createDID() }
    #expect(try database.rows("SELECT count(*) FROM items") == [[.integer(0)]])
    try database.execute("DROP TRIGGER refuse")
    let (did, verkey) = try wallet.createDID()
    #expect(try wallet.verkey(of: did) == verkey && wallet.keyPair(for: verkey)?.verkey == verkey)
  }

  @Test(arguments: [0, 16, 31, 33]) func seedsOfAnotherLengthAreRefused(length: Int) {
    #expect(throws: WalletError.malformedSeed) { try wallet.createDID(seed: SecretBytes(random: length)) }
  }

  @Test func keysAreFoundAgainInANewSession() throws {
    let (did, verkey) = try wallet.createDID()
    let key = try wallet.createKey()
    wallet.close()
    let again = try home.open()
    #expect(try again.verkey(of: did) == verkey)
    for verkey in [verkey, key] {
      let pair = try #require(try again.keyPair(for: verkey))
      #expect(pair.verkey == verkey)
      #expect(verkey.publicKey.verifies(pair.sign([1]), of: [1]))
      #expect(try again.keyPair(for: verkey)?.secret == pair.secret)
    }
  }

  @Test func unknownKeysAndDIDsAreNil() throws {
    #expect(try wallet.keyPair(for: KeyPair().verkey) == nil)
    #expect(try wallet.verkey(of: KeyPair().verkey.did) == nil)
  }

  @Test func aDamagedKeyRecordIsToldApart() throws {
    let verkey = KeyPair().verkey
    try wallet.insert(Record(type: "Indy::Key", id: verkey.text, value: #"{"signkey":"123"}"#))
    do throws(WalletError) {
      _ = try wallet.keyPair(for: verkey)
      Issue.record("accepted")
    } catch {
      guard case .corrupt = error else {
        Issue.record("\(error)")
        return
      }
    }
  }
}

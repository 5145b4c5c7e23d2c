import DIDComm
import JSON
import Sodium
import TestSupport
import Testing
import Wallet

@testable import MSDK

/// Envelopes that a program packs and opens itself, with the keys of the wallet.
@Suite struct WalletEnvelopeTests {
  let folder: TemporaryFolder
  let wallet: Wallet

  init() throws {
    folder = try TemporaryFolder()
    let location = try WalletLocation(id: "w", home: folder.path)
    let key = "G8r6kyQd2ToxoqMAa46UpgRSP7YhPsRTA5HE5Wxf71ca"
    try Wallet.create(location, key: key, derivation: .raw)
    wallet = try Wallet.open(location, key: key, derivation: .raw)
  }

  @Test(arguments: [true, false]) func anEnvelopeIsOpenedWithItsKeys(namesSender: Bool) throws {
    let (sender, receiver) = (try wallet.createKey(), try wallet.createKey())
    let receivers = JSON([KeyPair().verkey.text, receiver.text]).text
    let envelope = try wallet.pack(Array("hello".utf8), for: receivers, from: namesSender ? sender.text : nil)
    let bytes = try wallet.unpack(envelope)
    let opened = try JSON(parsing: #require(bytes))
    #expect(opened["message"] == "hello" && opened["recipient_verkey"]?.string == receiver.text)
    #expect(opened["sender_verkey"]?.string == (namesSender ? sender.text : nil))
  }

  /// Its content could not be told in JSON as it is.
  @Test func aMessageThatIsNotUTF8IsRefused() throws {
    let receivers = JSON([try wallet.createKey().text]).text
    let envelope = try wallet.pack([0x61, 0xff], for: receivers, from: nil)
    #expect(throws: EnvelopeError.malformed("the message is not UTF-8")) { try wallet.unpack(envelope) }
  }

  @Test func otherKeysAndOtherTextsAreRefused() throws {
    let own = JSON([try wallet.createKey().text]).text
    #expect(throws: WalletError.recordNotFound) { try wallet.pack([1], for: own, from: KeyPair().verkey.text) }
    #expect(throws: IdentifierError.self) { try wallet.pack([1], for: #"["x"]"#, from: nil) }
    #expect(throws: JSONError.self) { try wallet.pack([1], for: "{}", from: nil) }
    let foreign = try Envelope.pack([1], for: [KeyPair().verkey])
    #expect(try wallet.unpack(foreign) == nil)
    #expect(throws: EnvelopeError.self) { try wallet.unpack([1, 2, 3]) }
  }
}

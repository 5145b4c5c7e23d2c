import AgencyWire
import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

/// Backups of wallets: the keys and addresses that another implementation has computed, and the messages.
@Suite struct BackupTests {
  let key: KeyPair

  init() throws { key = try KeyPair(seed: SecretBytes(copying: sha256(Array("correct horse battery staple".utf8)))) }

  @Test func thePassphraseGivesTheKeyAndTheDeadDrop() {
    #expect(key.verkey.text == "6QyvUKk3FCzmtF2uuZzb1VeG3nTpAewAToZx6KrQGLtF")
    let request = RetrieveDeadDrop(of: key)
    #expect(request.locator == "6d47fb20a32bf1d81f72710c8f84fcf58a961b623d8083e52a66d5aac775a38c")
    #expect(request.address == "ce2da3aa8d358274333e9b3324c32a868e5b1832c66cc493ca363125b79ca3c7")
    #expect(request.locatorSignature.hex.hasPrefix("0f60588b49e3937131c39455878626d864e2fc9d79d8aa01aa873b20e936b349"))
    #expect(request.isProven)
  }

  @Test(arguments: ["recoveryVerKey", "address", "locator", "locatorSignature"])
  func aChangedRequestProvesNothing(member: String) throws {
    var members = RetrieveDeadDrop(of: key).members
    let other = RetrieveDeadDrop(of: KeyPair()).members
    members[member] = other[member]
    #expect(try !RetrieveDeadDrop(members).isProven)
  }

  @Test(arguments: ["?", ""]) func aRequestWithoutAKeyProvesNothing(key text: String) throws {
    var members = RetrieveDeadDrop(of: key).members
    members["recoveryVerKey"] = .string(text)
    #expect(try !RetrieveDeadDrop(members).isProven)
  }

  @Test func messagesAreReadAsTheyAreWritten() throws {
    let begin = InitBackup(recoveryVerKey: "k", address: "a", cloudAddress: [0, 127, 128, 255])
    #expect(try InitBackup(begin.members) == begin)
    #expect(InitBackup.type.hasSuffix(";spec/wallet-backup/0.1.0/WALLET_INIT_BACKUP"))
    let backup = BackUpWallet(wallet: [1, 2, 255])
    #expect(backup.members["wallet"] == "AQL/")
    #expect(try BackUpWallet(backup.members) == backup)
    #expect(try BackUpWallet(["wallet": [1, 2, -1]]) == backup)
    #expect(throws: JSONError.self) { try BackUpWallet(["wallet": [256]]) }
    #expect(throws: JSONError.self) { try BackUpWallet(["wallet": "%"]) }
    #expect(RetrieveDeadDrop.type.hasSuffix(";spec/dead-drop/0.1.0/DEAD_DROP_RETRIEVE"))
    for result in [DeadDropResult(address: "a", data: [1]), DeadDropResult(address: "", data: nil)] {
      #expect(try DeadDropResult(result.members) == result)
    }
    #expect(try DeadDropResult(["entry": .null]).data == nil)
  }

  /// An owner who is told that there is no backup would give up what is there.
  @Test(arguments: [nil, "%", 1, "A"] as [JSON?]) func aBackupThatCannotBeReadIsNotTakenForNone(text: JSON?) {
    var drop: JSON = ["address": "a"]
    drop["data"] = text
    #expect(throws: JSONError.self) { try DeadDropResult(["entry": drop]) }
    var restored = JSONObject()
    restored["wallet"] = text
    #expect(throws: JSONError.self) { try BackupRestored(restored) }
  }
}

import AgencyWire
import DIDComm
import Sodium
import TestSupport
import Testing

@testable import AgencyServer

/// The mailboxes of one account, in every kind of store.
@Suite struct MailboxTests {
  private func make(_ store: Store, _ did: DID, _ verkey: VerKey, limit: Int = 9) throws -> MailboxCreation {
    try store.storage.mailbox(of: store.agent, for: did, verkey, limit: limit, orElse: Store.newKey())
  }

  /// A request for another key or DID must not get the keys of a mailbox that is in use.
  @Test(arguments: StoreKind.allCases)
  func aMailboxIsFoundByItsDIDAndKeyTogether(kind: StoreKind) throws {
    let store = try Store(kind)
    let (mailbox, other) = (store.mailbox, KeyPair().verkey)
    #expect(try make(store, mailbox.forDID, other) == .taken)
    #expect(try make(store, other.did, mailbox.forVerKey) == .taken)
    #expect(try make(store, mailbox.forDID, mailbox.forVerKey) == .mailbox(mailbox))
  }

  /// As from a client that did not get the answer to the request for its last mailbox.
  @Test(arguments: StoreKind.allCases)
  func anExistingMailboxIsFoundAtTheLimit(kind: StoreKind) throws {
    let (store, other) = (try Store(kind), KeyPair().verkey)
    #expect(try make(store, store.mailbox.forDID, store.mailbox.forVerKey, limit: 1) == .mailbox(store.mailbox))
    #expect(try make(store, other.did, other, limit: 1) == .tooMany)
  }

  @Test(arguments: ["MS-104", "MS-105", "MS-106", "MS-107"])
  func messagesOfEachOtherStatusShareTheSecondQuota(status: String) throws {
    let store = try Store(.sqlite)
    for text in ["1", "2", "3"] { try store.deliver(text) }
    let group = WireConnectionUIDs(pairwiseDID: store.mailbox.forDID.text, uids: try store.messages().map(\.uid))
    var quota = Quota()
    quota.messages = 2
    _ = try store.storage.setStatus(status, of: [group], of: store.agent, quota: quota)
    #expect(try store.texts() == ["2", "3"])
  }
}

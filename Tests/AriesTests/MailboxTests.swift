import DIDComm
import JSON
import Sodium
import Testing

@testable import Aries

/// The name of a mailbox in texts of Evernym's form.
struct MailboxTests {
  private let key = KeyPair().verkey
  private let verkey = KeyPair().verkey.text

  private func json(did: String, verkey: String) -> JSON {
    [
      "agent_did": .string(did), "agent_vk": .string(verkey), "pw_did": .string(key.did.text),
      "pw_vk": .string(key.text),
    ]
  }

  /// Some agencies give DIDs that are mere labels.
  @Test(arguments: ["LjC6xZPeYPfL5AoFkvCTaz", "", "did:sov:x"]) func aTextOfEvernymsFormIsWrittenAsItWasRead(
    did: String
  ) throws {
    let json = json(did: did, verkey: verkey)
    let object = try json.requireObject()
    #expect(try JSON.object(Pairwise(stored: object).stored).text == json.text)
    #expect(try JSON.object(Pairwise(Mailbox(object)).stored).text == json.text)
  }

  @Test func aSideWithoutAMailboxHasEmptyMembers() throws {
    let json = json(did: "", verkey: "")
    #expect(JSON.object(Pairwise(key: key).stored).text == json.text)
    #expect(try Pairwise(stored: json.requireObject()) == Pairwise(key: key))
    #expect(throws: JSONError.missing(key: "agent_vk")) { try Mailbox(json.requireObject()) }
  }

  /// Mediators may have other names for mailboxes than agencies.
  @Test(arguments: ["", "x", "x y", "x y z", " y"]) func anyNameIsReadAgain(name: String) throws {
    let own = Pairwise(Mailbox(key: key, name: name))
    #expect(own.stored["mailbox"] == .string(name) && own.stored["agent_vk"] == "")
    #expect(try Pairwise(stored: own.stored) == own && own.mailbox?.keeper == nil)
  }

  @Test func anAgentsKeyMustBeAVerkey() throws {
    #expect(throws: JSONError.wrongType(key: "agent_vk", expected: "a verkey")) {
      try Pairwise(stored: json(did: "x", verkey: "x").requireObject())
    }
  }
}

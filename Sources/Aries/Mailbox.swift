package import DIDComm
package import JSON

/// The place at a Cloud Agent for the messages to one pairwise key.
package struct Mailbox: Equatable, Sendable {
  /// The pairwise key of the mailbox's owner.
  package let key: VerKey
  /// The Cloud Agent's own name of the mailbox. Only the Cloud Agent reads it.
  package let name: String

  package init(key: VerKey, name: String) {
    self.key = key
    self.name = name
  }

  package var pairwiseDID: DID { key.did }
}

/// This side of a connection: a key, whose DID is the pairwise DID, and its mailbox.
package struct Pairwise: Equatable, Sendable {
  package let key: VerKey
  /// Nil before the mailbox is open.
  package let mailbox: Mailbox?

  /// This side before its mailbox is open.
  package init(key: VerKey) { (self.key, mailbox) = (key, nil) }

  package init(_ mailbox: Mailbox) { (key, self.mailbox) = (mailbox.key, mailbox) }
}

// MARK: - Stored

// Evernym's library names a mailbox by its agent's DID and verkey, in `agent_did` and `agent_vk`, and msdk stores the
// same form. Any other name of a mailbox is in the member `mailbox`.

extension Mailbox {
  /// The mailbox that an agent keeps.
  package init(key: VerKey, keeper: Party) { self.init(key: key, name: "\(keeper.did) \(keeper.verkey.text)") }

  /// The agent that keeps the mailbox. Nil if the name is not an agent's.
  package var keeper: Party? {
    guard let space = name.lastIndex(of: " "), let verkey = try? VerKey(String(name[space...].dropFirst())) else {
      return nil
    }
    return Party(did: String(name[..<space]), verkey: verkey)
  }

  /// Reads the text for `pairwise_agent_info`, in which all members are required.
  package init(_ object: JSONObject) throws(JSONError) {
    _ = (try object.string("pw_did"), try object.string("agent_did"))
    guard let mailbox = try Pairwise(stored: object).mailbox else { throw .missing(key: "agent_vk") }
    self = mailbox
  }
}

extension Pairwise {
  /// `agent_did`, `agent_vk`, `pw_did` and `pw_vk`.
  package var stored: JSONObject { stored(keyName: "pw_vk") }

  /// The same members, with `keyName` as the name of the key's member.
  package func stored(keyName: String) -> JSONObject {
    let keeper = mailbox?.keeper
    var members: JSONObject = [
      "agent_did": .string(keeper?.did ?? ""), "agent_vk": .string(keeper?.verkey.text ?? ""),
      "pw_did": .string(key.did.text), keyName: .string(key.text),
    ]
    if let mailbox, keeper == nil { members["mailbox"] = .string(mailbox.name) }
    return members
  }

  /// Reads the members. Without a mailbox's name the mailbox is not open.
  package init(stored object: JSONObject, keyName: String = "pw_vk") throws(JSONError) {
    let key = try object.verkey(keyName)
    if let name = try object.optionalString("mailbox") {
      self.init(Mailbox(key: key, name: name))
    } else if try object.optionalString("agent_vk") ?? "" == "" {
      self.init(key: key)
    } else {
      let keeper = Party(did: try object.optionalString("agent_did") ?? "", verkey: try object.verkey("agent_vk"))
      self.init(Mailbox(key: key, keeper: keeper))
    }
  }
}

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

// The form is that of Evernym's library: it has two members for the name of a mailbox, the DID and the verkey of an agent.
// This is the only place that maps a name to them: `agent_did` holds its text before the first space, `agent_vk` the rest.

extension Mailbox {
  package init(key: VerKey, did: String, verkey: String) { self.init(key: key, name: "\(did) \(verkey)") }

  /// The two parts of the name.
  package var nameParts: (did: String, verkey: String) {
    let parts = name.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
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

  /// The same members, with another name of the one for the key.
  package func stored(keyName: String) -> JSONObject {
    let agent = mailbox?.nameParts ?? (did: "", verkey: "")
    return [
      "agent_did": .string(agent.did), "agent_vk": .string(agent.verkey), "pw_did": .string(key.did.text),
      keyName: .string(key.text),
    ]
  }

  /// Reads the members. Without an `agent_vk` the mailbox is not open.
  package init(stored object: JSONObject, keyName: String = "pw_vk") throws(JSONError) {
    let key = try object.verkey(keyName)
    guard let verkey = try object.optionalString("agent_vk"), !verkey.isEmpty else {
      self.init(key: key)
      return
    }
    _ = try object.verkey("agent_vk")
    self.init(Mailbox(key: key, did: try object.optionalString("agent_did") ?? "", verkey: verkey))
  }
}

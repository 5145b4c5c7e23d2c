internal import Aries
internal import CloudAgent
internal import DIDComm
internal import JSON

// The serialized form is the form of Evernym's library for Aries connections ("version": "2.0"), so that both libraries
// read it. `data` describes this side for readers, and `state` is the machine's state. Private keys are only in the
// wallet.

extension Connection {
  /// The connection as JSON text. With the same wallet, another process can restore it.
  package func serialized(institutionDID: String?) -> String {
    if case .proprietary(let connection) = machine {
      var text: JSONObject = ["data": .object(data(of: connection)), "version": .string(Self.proprietaryVersion)]
      text[objectIDName] = keeping.id.map(JSON.string)
      return JSON.object(text).text
    }
    var json = JSONWriter(expecting: 4096)
    json.object { json in
      json.member("data", .object(data(institutionDID: institutionDID)))
      json.name("state")
      machine.write(to: &json)
      json.member("version", .string(Self.version))
      if let id = keeping.id { json.member(objectIDName, .string(id)) }
    }
    return json.text
  }

  /// Restores a connection. Needs neither wallet nor network.
  package init(serialized text: String) throws {
    let json: JSON
    do { json = try JSON(parsing: text) } catch { throw ConnectionError.malformedState("\(error)") }
    try self.init(stored: json)
  }

  /// Restores a connection from its text's JSON.
  init(stored json: JSON) throws {
    do {
      let outer = try json.requireObject()
      let isProprietary = try outer.string("version") == Self.proprietaryVersion
      if !isProprietary { try Self.check(version: outer.string("version")) }
      let data = try outer.object("data")
      let machine: ConnectionMachine =
        try isProprietary
        ? .proprietary(ProprietaryConnection(record: data))
        : ConnectionMachine(stored: .object(outer.object("state")))
      let reception = try data.optionalObject(Self.receptionName).map { try Pairwise(stored: $0).mailbox } ?? nil
      self.init(
        sourceID: try data.string("source_id"), machine: machine, pairwise: try Pairwise(connection: data),
        reception: reception)
      keeping = Keeping(restored: try outer.optionalString(objectIDName))
    } catch let error as JSONError {
      throw ConnectionError.malformedState("\(error)")
    } catch let error as InvitationError {
      throw ConnectionError.malformedState("\(error)")
    } catch let error as MessageError {
      throw ConnectionError.malformedState("\(error)")
    } catch let error as DIDDocumentError {
      throw ConnectionError.malformedState("\(error)")
    }
  }

  /// Whether the connection can be restored from its text, even if a program nests the text in JSON of its own. Peers
  /// choose the nesting of the parts that a connection keeps of their messages.
  var isStorable: Bool {
    let margin = 16
    let limits = JSONLimits(depth: JSONLimits.standard.depth - margin)
    guard let json = try? JSON(parsing: serialized(institutionDID: nil), limits: limits) else { return false }
    return (try? Connection(stored: json)) != nil
  }

  /// The name of the member with the mailbox of the public DID.
  private static let receptionName = "public_mailbox"
  private static let version = "2.0"
  /// The version of Evernym's own protocol, whose text has no state beside the data.
  private static let proprietaryVersion = "1.0"

  private static func check(version: String) throws(ConnectionError) {
    guard version != Self.version else { return }
    let major = version.prefix { $0 != "." }
    throw (Int(major) ?? 0) >= 2
      ? .unsupportedVersion("version \(version)") : .malformedState("version \(version) is not known")
  }

  /// The record with this side's members. A record of another library stays as it is.
  private func data(of connection: ProprietaryConnection) -> JSONObject {
    var data = connection.record
    guard let pairwise, (try? Pairwise(connection: data)) != pairwise else { return data }
    for (name, value) in pairwise.stored(keyName: Pairwise.keyName).members { data[name] = value }
    return data
  }

  /// All members are written, as some readers require them all.
  private func data(institutionDID: String?) -> JSONObject {
    let service = invitation?.service
    let own = pairwise?.stored(keyName: Pairwise.keyName) ?? [:]
    let sender: JSONObject = [
      "DID": "", "agentKeyDlgProof": ["agentDID": "", "agentDelegatedKey": "", "signature": ""],
      "logoUrl": JSON(invitation?.imageURL), "name": JSON(invitation?.label),
      "publicDID": JSON(invitation?.publicDID), "verKey": .string(service?.recipientKeys.first?.text ?? ""),
    ]
    var data: JSONObject = [
      "agent_did": own["agent_did"] ?? "",
      "agent_vk": own["agent_vk"] ?? "",
      "endpoint": .string(service?.endpoint ?? ""),
      "invite_detail": [
        "connReqId": "", "senderAgencyDetail": ["DID": "", "endpoint": "", "verKey": ""],
        "senderDetail": .object(sender), "statusCode": "", "statusMsg": "", "targetName": "", "threadId": nil,
      ],
      "invite_url": nil,
      "public_did": JSON(institutionDID),
      "pw_did": own["pw_did"] ?? "",
      "pw_verkey": own[Pairwise.keyName] ?? "",
      "redirect_detail": nil,
      "source_id": .string(sourceID),
      "state": .integer(Int64(state.number)),
      "their_public_did": nil,
      "their_pw_did": .string(peer?.did ?? ""),
      "their_pw_verkey": .string(peer?.key.text ?? ""),
      "uuid": "",
      "version": .string(Self.version),
    ]
    data["mailbox"] = own["mailbox"]
    data[Self.receptionName] = reception.map { .object(Pairwise($0).stored) }
    return data
  }
}

extension Pairwise {
  /// The name of the key's member in a connection.
  fileprivate static let keyName = "pw_verkey"

  /// Returns nil for a connection that was serialized before `connect`.
  fileprivate init?(connection data: JSONObject) throws(JSONError) {
    guard try !data.string(Self.keyName).isEmpty else { return nil }
    _ = try data.string("agent_vk")
    try self.init(stored: data, keyName: Self.keyName)
  }
}

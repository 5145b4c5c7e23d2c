internal import Aries
internal import Credentials
internal import JSON
internal import Sodium

/// A serialized object of version `3.0`. libvcx writes this form for an object that has sent nothing, so that the kind
/// of connection, and with it the protocol, is not known yet.
package struct PendingExchange {
  let sourceID: String
  /// The number of the object's state in the API.
  let state: Int64
  let members: JSONObject
  /// An id that is the same each time for the same text.
  let id: String

  /// Returns nil for a text of another version, and for a text that is not such an object.
  init?(_ text: String) {
    guard let object = try? JSON(parsing: text).requireObject(), object["version"] == "3.0",
      let members = try? object.object("data"), let sourceID = try? members.string("source_id"),
      let state = try? members.optionalInteger("state")
    else { return nil }
    (self.sourceID, self.state, self.members, id) = (sourceID, state, members, .uuid(derivedFrom: text))
  }
}

extension IssuerCredential {
  /// A credential that is not offered yet. Throws `StateError.proprietary` for a credential in another state.
  package init(pending: PendingExchange) throws {
    guard pending.state == 1 else { throw StateError.proprietary }
    let members = pending.members
    let terms = IssuerMachine.Terms(
      values: try CredentialValues(parsing: members.string("credential_attributes")),
      registryID: try members.optionalString("rev_reg_id"), tailsFolder: try members.optionalString("tails_file"))
    self.init(
      sourceID: pending.sourceID,
      machine: IssuerMachine(
        offering: terms, of: try members.string("cred_def_id"),
        name: try members.optionalString("credential_name") ?? "", id: pending.id))
  }
}

extension RequestedProof {
  /// A request that is not sent yet. Throws `StateError.proprietary` for a request in another state.
  package init(pending: PendingExchange) throws {
    guard pending.state == 1 else { throw StateError.proprietary }
    let members = pending.members
    try self.init(
      sourceID: pending.sourceID, attributes: members.string("requested_attrs"),
      predicates: members.string("requested_predicates"),
      interval: (members["revocation_interval"] ?? [:]).withoutNulls.text, name: members.string("name"))
  }
}

extension Credential {
  /// An offer that is not answered yet. Throws `StateError.proprietary` for a credential in another state.
  package init(pending: PendingExchange) throws {
    guard pending.state == 3 else { throw StateError.proprietary }
    let offer = JSON.object(try pending.members.object("credential_offer"))
    try self.init(sourceID: pending.sourceID, offer: JSON.array([offer]).text)
  }
}

extension DisclosedProof {
  /// A request that is not answered yet. Throws `StateError.proprietary` for a proof in another state.
  package init(pending: PendingExchange) throws {
    guard pending.state == 3 else { throw StateError.proprietary }
    let request = JSON.object(try pending.members.object("proof_request"))
    try self.init(sourceID: pending.sourceID, request: request.text)
  }
}

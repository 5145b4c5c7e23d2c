package import JSON

/// The credential that a holder proposes (RFC 0036, RFC 0453): its values, and a filter for its definition.
package struct CredentialProposal: Equatable, Sendable {
  package let attributes: [PreviewAttribute]
  /// The ids and names that the definition must have, with Indy's names for them.
  package let filter: JSONObject

  /// The members of a filter, and their names in the format of AnonCreds (RFC 0771).
  private static let names = [
    ("schema_issuer_did", "schema_issuer_id"), ("schema_id", "schema_id"), ("schema_name", "schema_name"),
    ("schema_version", "schema_version"), ("cred_def_id", "cred_def_id"), ("issuer_did", "issuer_id"),
  ]

  /// Reads a program's text: `{"attributes": …, "filter": {…}}`. The attributes have the forms of an issuer's values.
  /// Throws if the text proposes nothing, and for members that peers would not see.
  package init(parsing text: String) throws(JSONError) {
    let object = try CredentialValues.exact(text).requireObject()
    try object.require(only: ["attributes", "filter"])
    attributes =
      try object["attributes"].map { json throws(JSONError) in try CredentialValues(offering: json.text) }?
      .attributes ?? []
    let filter = try object.optionalObject("filter") ?? [:]
    try filter.require(only: Self.names.flatMap { [$0.0, $0.1] })
    self.filter = try Self.filter(filter)
    guard !attributes.isEmpty || !self.filter.isEmpty else {
      throw .wrongType(key: nil, expected: "a proposal with attributes or a filter")
    }
  }

  /// Reads the message of a holder.
  package init(_ message: IssueCredentialMessage) throws(MessageError) {
    let isFirst = message.dialect.major == 1
    let filter = isFirst ? message.object : try message.content().json().object ?? [:]
    do throws(JSONError) {
      attributes =
        try message.object.optionalObject(isFirst ? "credential_proposal" : "credential_preview")
        .map { preview throws(JSONError) in try PreviewAttribute.all(of: preview) } ?? []
      self.filter = try Self.filter(filter)
    } catch {
      throw .malformed(error)
    }
  }

  private static func filter(_ given: JSONObject) throws(JSONError) -> JSONObject {
    var filter = JSONObject()
    for (name, other) in names {
      let (text, alternative) = (try given.optionalString(name), try given.optionalString(other))
      filter[name] = (text ?? alternative).map(JSON.string)
    }
    return filter
  }

  /// The filter in a format.
  fileprivate func filter(in format: ContentFormat) -> JSONObject {
    guard format == .anonCreds else { return filter }
    return JSONObject(Self.names.compactMap { name, other in filter[name].map { (other, $0) } })
  }

  /// The proposal in the form for applications.
  package func summary(of message: IssueCredentialMessage) -> JSON {
    [
      "attributes": .array(attributes.map(\.summary)), "filter": .object(filter), "comment": JSON(message.comment),
      "thid": .string(message.thread.thid),
    ]
  }

  /// The format that the ids of the filter need.
  package var neededFormat: ContentFormat {
    let ids = ["schema_id", "cred_def_id", "issuer_did", "schema_issuer_did"].compactMap { filter[$0]?.string }
    return ids.contains { $0.hasPrefix("did:") } ? .anonCreds : .indy
  }
}

extension IssueCredentialMessage {
  /// A proposal. Version 1.0 has the filter's members itself, version 2.0 attaches the filter.
  package init(
    proposing proposal: CredentialProposal, comment: String?, id: String, thread: Thread?, in dialect: Dialect,
    _ format: ContentFormat
  ) {
    let isFirst = dialect.major == 1
    var members: [(String, JSON)] = []
    if !proposal.attributes.isEmpty {
      let name = isFirst ? "credential_proposal" : "credential_preview"
      members.append((name, CredentialValues.preview(of: proposal.attributes, in: dialect)))
    }
    if isFirst { members += proposal.filter.members.map { ($0.key, $0.value) } }
    let content =
      isFirst ? nil : AttachedContent(text: JSON.object(proposal.filter(in: format)).text, format: format)
    self.init(.propose, in: dialect, id: id, thread: thread, content: content, comment: comment, members: members)
  }
}

extension JSONObject {
  fileprivate func require(only names: [String]) throws(JSONError) {
    for member in members where !names.contains(member.key) {
      throw .wrongType(key: member.key, expected: "absent; the members are \(names.joined(separator: ", "))")
    }
  }
}

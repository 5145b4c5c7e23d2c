internal import Credentials
internal import JSON
internal import MSDK
internal import ProgramArguments

extension OpenSession {
  /// Lists the credentials in the wallet, in the order of their arrival.
  func listCredentials() throws {
    let held = try CredentialStore(wallet: session.wallet).all()
    for credential in held {
      let values = credential.content.attributes.map { ($0.spelling, $0.raw) }
      let json: JSON = [
        "id": .string(credential.id), "schema_id": .string(credential.content.schemaID),
        "cred_def_id": .string(credential.content.definitionID), "revoked": .bool(credential.isRevoked),
        "values": .object(JSONObject(values.map { ($0, .string($1)) })),
      ]
      let mark = credential.isRevoked ? ", revoked" : ""
      let title = printable("\(schemaName(in: credential.content.schemaID)), the credential \(credential.id.prefix(8))")
      try arguments.show(json, [title + mark] + ContentRow.lines(values.map { ContentRow(name: $0, value: $1) }) + [""])
    }
    if held.isEmpty, !arguments.wantsJSON { try arguments.show(["The wallet has no credential."]) }
  }
}

import JSON
import Wallet

@testable import Credentials

extension FuzzTarget {
  /// Proof requests, the choices that answer them, credentials, status lists and registries.
  static let credentials = FuzzTarget("credentials") { input in
    let text = String(decoding: input, as: UTF8.self)
    let content = try? CredentialContent(parsing: text)
    _ = try? StatusList(parsing: text).isRevoked(at: 1)
    _ = try? RegistryDefinition(parsing: text)
    _ = IndyForm.engineDefinition(IndyForm.definition(IndyForm.engineMetadata(IndyForm.metadata(text)), id: text))
    let choice = try? ChosenCredentials(selected: text, selfAttested: "{}")
    guard let request = try? ProofRequest(parsing: text) else { return }
    let selection = Selection(for: request, among: [held(try content ?? sample.get())])
    for isSeparated in [false, true] {
      let json = try? JSON(parsing: selection.text(separatingPredicates: isSeparated))
      try expect(json?.object != nil, "a selection is no JSON object")
    }
    if let choice { _ = try? PresentationPlan(choice, for: request) }
  }

  private static let sample = Result {
    try CredentialContent(
      parsing: #"""
        {"schema_id":"V4SGRU86Z58d6TV7PBUe6f:2:a:1","cred_def_id":"V4SGRU86Z58d6TV7PBUe6f:3:CL:12:t",
         "values":{"name":{"raw":"Alice","encoded":"1"},"age":{"raw":"28","encoded":"28"}}}
        """#)
  }

  private static func held(_ content: CredentialContent) -> HeldCredential {
    let schema = SchemaName(id: content.schemaID) ?? SchemaName(issuer: "i", name: "n", version: "v")
    return HeldCredential(
      id: "c", content: content, tags: CredentialTags.tags(of: content, schema: schema, issuer: schema.issuer))
  }
}

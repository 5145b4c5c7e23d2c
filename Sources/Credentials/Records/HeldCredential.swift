internal import JSON
package import Wallet

/// A credential of the wallet, without its cryptographic numbers.
package struct HeldCredential: Sendable {
  /// The record's id: the thread of the exchange that brought it. Applications call it the referent.
  package let id: String
  package let content: CredentialContent
  package let tags: Tags
  /// Whether its issuer has revoked it.
  package let isRevoked: Bool

  package init(id: String, content: CredentialContent, tags: Tags, isRevoked: Bool = false) {
    self.id = id
    self.content = content
    self.tags = tags
    self.isRevoked = isRevoked
  }

  /// `cred_info`: `{"referent", "attrs", "schema_id", "cred_def_id", "rev_reg_id", "cred_rev_id"}`.
  package var info: String {
    var writer = JSONWriter(expecting: expectedSize)
    writer.object(writeInfo)
    return writer.text
  }

  /// The length of the text that most credentials have.
  var expectedSize: Int { 256 + content.attributes.reduce(0) { $0 + $1.raw.utf8.count + 32 } }

  /// Writes the members of `info`.
  func writeInfo(to writer: inout JSONWriter) {
    writer.name("referent")
    writer.write(id)
    writer.name("attrs")
    writer.object { writer in
      for attribute in content.attributes {
        writer.name(attribute.spelling)
        writer.write(attribute.raw)
      }
    }
    writer.name("schema_id")
    writer.write(content.schemaID)
    writer.name("cred_def_id")
    writer.write(content.definitionID)
    writer.name("rev_reg_id")
    writer.write(content.registryID)
    writer.name("cred_rev_id")
    writer.write(content.revocationIndex.map { String($0) })
  }
}

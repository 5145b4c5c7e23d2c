package import AnonCreds
package import Credentials
internal import HTTP
internal import Registry

extension Session {
  /// Whether the configuration or the program has named a place where issuers publish.
  package var knowsPublicObjects: Bool { registries.isConfigured }

  /// The AnonCreds engine of the settings.
  package func engine() throws(AnonCredsError) -> Engine { try Engine.open(at: settings.anonCredsLibrary) }

  /// Fetches the objects that proofs of all credentials in the wallet need, besides the status of revocation
  /// registries. Stops at the first failure.
  package func fetchPublicObjects() throws {
    guard registries.isConfigured else { throw SessionError.noRegistry }
    for held in try CredentialStore(wallet: wallet).all() {
      _ = try registries.schema(held.content.schemaID)
      _ = try registries.definition(held.content.definitionID)
      if let id = held.content.registryID { _ = try registries.revocationRegistry(id) }
    }
  }

  /// Copies the public objects of a credential into a folder, which serves as a registry of them under the same ids, also
  /// after their ledger has ended. `tailsBase` is the URL before the names of the folder's tails files; without it, a copied
  /// revocation registry names the issuer's place of its file.
  package func copyPublicObjects(of content: CredentialContent, toFolder path: String, tailsBase: String?) throws {
    guard registries.isConfigured else { throw SessionError.noRegistry }
    let folder = FileRegistry(folder: path, tailsBase: tailsBase)
    try registries.copy(schema: content.schemaID, to: folder)
    try registries.copy(definition: content.definitionID, to: folder)
    guard let id = content.registryID else { return }
    let file = try RegistryDefinition(parsing: registries.revocationRegistry(id).text).tails
    try registries.copy(revocationRegistry: id, tails: tails.path(of: file), hash: file.hash, to: folder)
  }

  /// Downloads a tails file of at most `limit` bytes. Follows no redirect. A stranger may have chosen the URL.
  func downloadTails(_ url: String, limit: Int) throws -> [UInt8] {
    let client = HTTPClient(
      timeout: 60, maximumBody: limit, reach: settings.peerReach, authorities: settings.authorities)
    let response: HTTPClient.Response
    do { response = try client.get(url) } catch { throw RegistryError.unreachable("\(error)") }
    guard response.status == 200 else { throw RegistryError.unreachable("tails file: HTTP \(response.status)") }
    return response.body
  }
}

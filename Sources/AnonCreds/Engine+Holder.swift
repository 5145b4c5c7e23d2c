internal import CAnonCreds
package import Sodium

/// The holder's identity in a credential request. It means nothing to the issuer, and should differ each time.
package enum RequestIdentity: Equatable, Sendable {
  /// An unqualified DID: for definitions with an unqualified id.
  case proverDID(String)
  /// A text that nobody can guess.
  case entropy(String)
}

extension Engine {
  /// A new link secret: a decimal number in ASCII.
  package func createLinkSecret() throws(AnonCredsError) -> SecretBytes {
    try withMemory { memory throws(AnonCredsError) in try memory.newText { functions.createLinkSecret($0) } }
  }

  /// A request for the credential in `offer`, and the metadata that the holder keeps until the credential arrives.
  package func createRequest(
    offer: String, definition: String, linkSecret: SecretBytes, linkSecretName: String, identity: RequestIdentity
  ) throws(AnonCredsError) -> (request: String, metadata: String) {
    try withMemory { memory throws(AnonCredsError) in
      let offer = try memory.object(offer, functions.offer)
      let definition = try memory.object(definition, functions.definition)
      let (entropy, did): (UnsafePointer<CChar>?, UnsafePointer<CChar>?) =
        switch identity {
        case .entropy(let text): (memory.text(text), nil)
        case .proverDID(let text): (nil, memory.text(text))
        }
      let (secret, name) = (memory.text(linkSecret), memory.text(linkSecretName))
      var metadata = 0
      let request = try memory.newObject {
        functions.createRequest(entropy, did, definition, secret, name, offer, $0, &metadata)
      }
      return (try memory.json(of: request), try memory.json(of: memory.adopt(metadata)))
    }
  }

  /// The credential for the wallet: its signature is checked, and unblinded with the link secret. `registry` is the
  /// definition of the revocation registry, if the credential names one.
  package func process(
    credential: String, metadata: String, linkSecret: SecretBytes, definition: String, registry: String?
  ) throws(AnonCredsError) -> String {
    try withMemory { memory throws(AnonCredsError) in
      let credential = try memory.object(credential, functions.credential)
      let metadata = try memory.object(metadata, functions.requestMetadata)
      let definition = try memory.object(definition, functions.definition)
      let registry = try memory.object(registry, functions.registry)
      let secret = memory.text(linkSecret)
      return try memory.newJSON {
        functions.processCredential(credential, metadata, secret, definition, registry, $0)
      }
    }
  }

  /// The state of the credential at `index` of a registry, from which its holder proves that it is not revoked in
  /// `statusList`. It also exists for a revoked credential, so the caller checks the list first.
  ///
  /// `former` is an older state of the same credential with its status list; updating it costs less than computing a
  /// state anew. The library reads the tails file.
  package func createRevocationState(
    registry: String, statusList: String, index: Int64, tailsFile: String,
    former: (state: String, statusList: String)? = nil
  ) throws(AnonCredsError) -> String {
    try withMemory { memory throws(AnonCredsError) in
      let registry = try memory.object(registry, functions.registry)
      let list = try memory.object(statusList, functions.statusList)
      let formerState = try memory.object(former?.state, functions.revocationState)
      let formerList = try memory.object(former?.statusList, functions.statusList)
      let path = memory.text(tailsFile)
      return try memory.newJSON {
        functions.createOrUpdateState(registry, list, index, path, formerState, formerList, $0)
      }
    }
  }
}

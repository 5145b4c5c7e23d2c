package import JSON
internal import Sodium

extension AttestedResource {
  /// The file of a resource with this id and content. A key of the DID's document signs it. `name` is for human readers, and
  /// `now` is in seconds since 1970.
  package static func signed(
    _ content: JSONObject, id: ResourceID, type: String, name: String, links: [JSON] = [], of log: DIDLog,
    by keys: any ControllerKeys, now: Int64
  ) throws(ControllerError) -> [UInt8] {
    var resource: JSONObject = [
      "@context": ["https://w3id.org/security/data-integrity/v2"], "type": ["AttestedResource"],
      "id": .string(id.text), "content": .object(content),
      "metadata": [
        "resourceId": .string(id.digest), "resourceType": .string(type), "resourceName": .string(name),
      ],
    ]
    if !links.isEmpty { resource["links"] = .array(links) }
    let (method, pair) = try signer(of: log, keys)
    resource["proof"] = try resource.proof(by: pair, as: method, at: now)
    return JSON.object(resource).bytes
  }

  private static func signer(
    of log: DIDLog, _ keys: any ControllerKeys
  ) throws(ControllerError) -> (method: String, pair: KeyPair) {
    for (method, key) in log.assertionKeys.reversed() {
      if let pair = try keys.pair(for: key) { return (method, pair) }
    }
    throw .noKey
  }
}

package import DIDComm
internal import Foundation
package import JSON
package import Sodium

/// The controller of a DID of did:webvh, who writes the DID's log and signs resources.
package struct DIDController {
  package let did: String
  /// The key that signs the first entry, and that makes assertions.
  package let key: KeyPair
  /// The lines of the log.
  package var entries: [JSON]

  private static let placeholder = "{SCID}"

  /// `location` is the rest of the DID behind the SCID. The members of `parameters` and `document` come instead of usual
  /// ones; null removes one.
  package init(
    _ location: String, key: KeyPair = KeyPair(), parameters: [String: JSON] = [:], document: [String: JSON] = [:],
    time: String = "2025-01-01T00:00:00Z", change: (inout JSON) -> Void = { _ in }
  ) throws {
    let id = "did:webvh:\(Self.placeholder):\(location)"
    var entry: JSON = [
      "versionId": .string(Self.placeholder), "versionTime": .string(time),
      "parameters":
        ([
          "method": "did:webvh:1.0", "scid": .string(Self.placeholder),
          "updateKeys": [.string(key.verkey.multibase)],
        ] as JSON).with(parameters),
      "state": Self.document(id, key.verkey).with(document),
    ]
    change(&entry)
    let scid = try Self.hash(entry)
    entry = try JSON(parsing: entry.text.replacingOccurrences(of: Self.placeholder, with: scid))
    did = id.replacingOccurrences(of: Self.placeholder, with: scid)
    self.key = key
    entries = [try Self.sealed(entry, number: 1, after: scid, by: [key])]
  }

  /// A document with one key, for assertions.
  package static func document(_ id: String, _ key: VerKey) -> JSON {
    [
      "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/multikey/v1"], "id": .string(id),
      "verificationMethod": [
        [
          "id": .string("\(id)#key-1"), "type": "Multikey", "controller": .string(id),
          "publicKeyMultibase": .string(key.multibase),
        ]
      ],
      "assertionMethod": [.string("\(id)#key-1")],
    ]
  }

  package var scid: String { String(did.split(separator: ":")[2]) }

  package var log: [UInt8] { entries.flatMap { $0.bytes + Array("\n".utf8) } }

  package var versions: [String] { entries.compactMap { $0["versionId"]?.string } }

  /// Adds an entry, a day later. The document's members come instead of the former ones.
  package mutating func update(
    parameters: JSON = [:], document: [String: JSON] = [:], by keys: [KeyPair]? = nil,
    change: (inout JSON) -> Void = { _ in }
  ) throws {
    let last = entries[entries.count - 1]
    let day = 1 + entries.count
    var entry: JSON = [
      "versionId": last["versionId"] ?? .null,
      "versionTime": .string("2025-01-\(day < 10 ? "0" : "")\(day)T00:00:00Z"), "parameters": parameters,
      "state": (last["state"] ?? [:]).with(document),
    ]
    change(&entry)
    entries.append(
      try Self.sealed(
        entry, number: entries.count + 1, after: last["versionId"]?.string ?? "", by: keys ?? [key]))
  }

  /// The entry with its version and its proofs.
  package static func sealed(_ draft: JSON, number: Int, after before: String, by keys: [KeyPair]) throws -> JSON {
    var entry = draft
    entry["versionId"] = .string(before)
    entry["versionId"] = .string("\(number)-\(try hash(entry))")
    let proofs = try keys.map { try proof(of: entry, by: $0, method: $0.verkey.didURL) }
    entry["proof"] = .array(proofs)
    return entry
  }

  /// A proof of the cryptosuite `eddsa-jcs-2022`, with these members instead of usual ones.
  package static func proof(
    of document: JSON, by key: KeyPair, method: String, with members: [String: JSON] = [:]
  ) throws -> JSON {
    var proof =
      ([
        "type": "DataIntegrityProof", "cryptosuite": "eddsa-jcs-2022", "created": "2025-01-01T00:00:00Z",
        "verificationMethod": .string(method), "proofPurpose": "assertionMethod",
      ] as JSON).with(members)
    let input = sha256(try proof.canonicalBytes()) + sha256(try document.canonicalBytes())
    proof["proofValue"] = .string("z" + Base58.encode(key.sign(input)))
    return proof
  }

  /// An attested resource with its id.
  package func resource(
    _ content: JSON, type: String, links: JSON? = nil, by signer: KeyPair? = nil, method: String? = nil,
    change: (inout JSON) -> Void = { _ in }
  ) throws -> (id: String, resource: JSON) {
    let digest = "z" + (try Self.hash(content))
    let id = "\(did)/resources/\(digest)"
    var resource: JSON = [
      "@context": ["https://w3id.org/security/data-integrity/v2"], "type": ["AttestedResource"], "id": .string(id),
      "content": content,
      "metadata": ["resourceId": .string(digest), "resourceType": .string(type), "resourceName": "name"],
    ]
    if let links { resource["links"] = links }
    change(&resource)
    resource["proof"] = try Self.proof(of: resource, by: signer ?? key, method: method ?? "\(did)#key-1")
    return (id, resource)
  }

  package static func hash(_ json: JSON) throws -> String {
    Base58.encode([0x12, 0x20] + sha256(try json.canonicalBytes()))
  }

  /// The hash of a key, for `nextKeyHashes`.
  package static func hash(of key: KeyPair) -> JSON {
    .string(Base58.encode([0x12, 0x20] + sha256(Array(key.verkey.multibase.utf8))))
  }
}

import DIDComm
import JSON
import Sodium

@testable import WebVH

extension FuzzTarget {
  /// Logs of DIDs on the web, the proofs of their witnesses, and the DIDs themselves.
  static let logs = FuzzTarget("logs") { input in
    guard let (way, rest) = input.choice else { return }
    switch way % 4 {
    case 0: try check(log: rest, witnesses: nil)
    case 1: try check(did: String(decoding: rest, as: UTF8.self))
    case 2:
      let controller = try FuzzController()
      try check(log: controller.log(continuedBy: rest) ?? [], witnesses: rest)
    default: _ = try? WitnessProofs(rest, versions: ["1-x"], now: .max)
    }
  }

  /// Resources that the controller of a DID has signed, and others: the input is the content, or members that are there
  /// before the signature, or only after it.
  static let resources = FuzzTarget("resources") { input in
    guard let (way, rest) = input.choice else { return }
    let json = try? JSON(parsing: rest)
    switch way % 4 {
    case 0: try json.map { try check(resource: $0) }
    case 1: _ = ResourceID(String(decoding: rest, as: UTF8.self))?.url(in: json?.object ?? [:], of: [])
    case 2: try json?.object.map { try check(resource: ["a": 1], signing: $0) }
    default: try json?.object.map { try check(resource: ["a": 1], adding: $0) }
    }
  }

  private static func check(
    resource content: JSON, signing members: JSONObject = [:], adding others: JSONObject = [:]
  ) throws {
    let controller = try FuzzController()
    guard let id = try? controller.id(of: content), let signed = try? controller.resource(content, id, with: members)
    else { return }
    var resource = signed
    for (name, value) in others.members { resource[name] = value }
    let log = try UnwitnessedLog(controller.first.bytes, now: .max / 2).witnessed(by: nil)
    guard let read = try? AttestedResource(resource.bytes, id: id, type: "x", of: log, limits: .standard, now: 0) else {
      return
    }
    try expect(
      try JSON.object(read.content).canonicalBytes() == content.canonicalBytes(),
      "a resource has another content than was signed")
    var (received, written) = (resource, signed)
    (received["proof"], written["proof"]) = (nil, nil)
    try expect(try received.canonicalBytes() == written.canonicalBytes(), "a resource has changed after its signature")
    try expect(read.links.count <= read.allLinks.count, "a resource has more links than were written")
  }

  private static func check(log bytes: [UInt8], witnesses: [UInt8]?) throws {
    guard let log = try? UnwitnessedLog(bytes, now: .max / 2).witnessed(by: witnesses) else { return }
    for (index, version) in log.versions.enumerated() {
      try expect(version.did.scid == log.scid, "a version belongs to another log")
      try expect(try log.version(.number(index + 1)).id == version.id, "a version has another number than its place")
      try expect(try log.version(.id(version.id)).id == version.id, "a version is not found by its id")
    }
  }

  private static func check(did text: String) throws {
    _ = VersionedDID(text)
    guard let did = WebVHDID("did:webvh:QmRRaLXwc6BjBuBPosSupJwEQ8w9f3znP7yfbpGfwcnLr6:" + text) else { return }
    let path = did.logURL.drop { $0 != ":" }.dropFirst(3)
    try expect(path.hasPrefix(did.location.host), "the URL of a DID names another host")
    try expect(!path.contains("/../") && !path.contains("//"), "the URL of a DID leaves its folder")
  }
}

/// A controller with a log of one entry, and a key that does not change.
private struct FuzzController {
  private let key: KeyPair
  let first: JSON
  private let did: String

  init() throws {
    key = try Material.own.get()
    let multibase = JSON.string(key.verkey.multibase)
    func state(_ did: String) -> JSON {
      [
        "id": .string(did), "assertionMethod": ["#k"],
        "verificationMethod": [["id": "#k", "publicKeyMultibase": multibase]],
      ]
    }
    func entry(_ scid: String) -> JSON {
      [
        "versionId": .string(scid), "versionTime": "2025-01-01T00:00:00Z",
        "parameters": ["method": "did:webvh:1.0", "scid": .string(scid), "updateKeys": [multibase], "portable": true],
        "state": state("did:webvh:\(scid):example.com"),
      ]
    }
    let scid = Multihash.text(of: try entry("{SCID}").canonicalBytes())
    did = "did:webvh:\(scid):example.com"
    first = try Self.sealed(entry(scid), after: scid, number: 1, by: key)
  }

  /// The log with a second entry, whose members come from the input. Nil if the input is no object.
  func log(continuedBy bytes: [UInt8]) throws -> [UInt8]? {
    guard let members = try? JSON(parsing: bytes).object else { return nil }
    var entry = first
    entry["proof"] = nil
    entry["versionTime"] = "2025-01-02T00:00:00Z"
    entry["parameters"] = [:]
    for (name, value) in members.members { entry[name] = value }
    guard let sealed = try? Self.sealed(entry, after: first["versionId"]?.string ?? "", number: 2, by: key) else {
      return nil
    }
    return first.bytes + [UInt8(ascii: "\n")] + sealed.bytes
  }

  func id(of content: JSON) throws -> ResourceID? {
    ResourceID("\(did)/\(Multihash.multibase(of: try content.canonicalBytes()))")
  }

  /// A signed resource. The members come on top of the usual ones.
  func resource(_ content: JSON, _ id: ResourceID, with members: JSONObject) throws -> JSON {
    var resource: JSON = [
      "id": .string(id.text), "content": content,
      "metadata": ["resourceId": .string(id.digest), "resourceType": "x"],
    ]
    for (name, value) in members.members { resource[name] = value }
    return try Self.signed(resource, by: key, method: "\(did)#k")
  }

  private static func sealed(_ entry: JSON, after before: String, number: Int, by key: KeyPair) throws -> JSON {
    var entry = entry
    entry["versionId"] = .string(before)
    entry["versionId"] = .string("\(number)-\(Multihash.text(of: try entry.canonicalBytes()))")
    return try signed(entry, by: key, method: key.verkey.didURL)
  }

  private static func signed(_ document: JSON, by key: KeyPair, method: String) throws -> JSON {
    var (document, proof): (JSON, JSON) = (
      document,
      [
        "type": "DataIntegrityProof", "cryptosuite": "eddsa-jcs-2022", "proofPurpose": "assertionMethod",
        "verificationMethod": .string(method),
      ]
    )
    let input = sha256(try proof.canonicalBytes()) + sha256(try document.canonicalBytes())
    proof["proofValue"] = .string("z" + Base58.encode(key.sign(input)))
    document["proof"] = [proof]
    return document
  }
}

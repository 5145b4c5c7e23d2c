internal import DIDComm
internal import JSON
internal import Sodium
internal import Time

/// The log of a DID that this program controls, with the content of its file.
package struct WritableLog: Sendable {
  package let log: DIDLog
  package let bytes: [UInt8]

  package var did: WebVHDID { log.latest.did }

  /// The time of the latest version in seconds since 1970. The next version has a later one.
  package var time: Int64 { log.latest.time.seconds }

  /// Reads a log. `now` is in seconds since 1970. Throws if the log is invalid, or if it has witnesses: this library asks
  /// none for their approval.
  package init(_ bytes: [UInt8], now: Int64) throws(ControllerError) {
    do {
      let unwitnessed = try UnwitnessedLog(bytes, now: now)
      guard !unwitnessed.needsWitnesses else {
        throw ControllerError.unsupported("the DID has witnesses, and this library cannot ask them for their approval")
      }
      log = try unwitnessed.witnessed(by: nil)
    } catch let error as DIDLogError {
      throw .log(error)
    } catch let error as ControllerError {
      throw error
    } catch {
      throw .unsupported("\(error)")
    }
    self.bytes = bytes
  }

  /// The log of a new DID. `place` is the host with a port and a path, as the DID names them: `example.com:issuers:1`.
  package init(
    at place: String, _ choices: DIDChange, keys: any ControllerKeys, now: Int64
  ) throws(ControllerError) {
    guard let location = WebLocation(place), location.folder != nil else { throw .malformedPlace(place) }
    let id = "\(WebVHDID.prefix)\(LogEntry.placeholder):\(place)"
    let (update, assertion) = (try keys.made(), try keys.made())
    var parameters: JSONObject = [
      "method": .string(LogParameters.method), "scid": .string(LogEntry.placeholder),
      "updateKeys": [.string(update.multibase)],
    ]
    if choices.preRotates ?? true { parameters["nextKeyHashes"] = [.string(try keys.made().commitment)] }
    parameters["ttl"] = choices.ttl.map(JSON.integer)
    let draft: JSONObject = [
      "versionId": .string(LogEntry.placeholder), "versionTime": .string(Timestamp(seconds: now).text),
      "parameters": .object(parameters), "state": .object(choices.applied(to: Self.document(id, assertion))),
    ]
    let scid = Multihash.text(of: try draft.canonical())
    let first = JSON.object(draft).replacing(LogEntry.placeholder, with: scid).object ?? [:]
    try self.init(Self.line(first, number: 1, after: scid, by: update, of: keys, at: now), now: now)
  }

  /// The log with the next version.
  ///
  /// With pre-rotation, each version has the keys to which the version before it has committed, and they sign it. Without
  /// it, the keys of the version before sign.
  package func appending(
    _ change: DIDChange, keys: any ControllerKeys, now: Int64
  ) throws(ControllerError) -> WritableLog {
    guard !log.isDeactivated else { throw .log(.deactivated) }
    let signer = try signer(of: keys)
    let commits = !log.parameters.nextKeyHashes.isEmpty
    var parameters: JSONObject = [:]
    if commits { parameters["updateKeys"] = [.string(signer.multibase)] }
    if change.deactivates {
      parameters["deactivated"] = true
      parameters[commits ? "nextKeyHashes" : "updateKeys"] = []
    } else if change.preRotates ?? commits {
      parameters["nextKeyHashes"] = [.string(try keys.made().commitment)]
    } else if commits {
      parameters["nextKeyHashes"] = []
    }
    if change.rotates, !commits { parameters["updateKeys"] = [.string(try keys.made().multibase)] }
    parameters["ttl"] = change.ttl.map(JSON.integer)
    let time = max(now, time + 1)
    let entry: JSONObject = [
      "versionTime": .string(Timestamp(seconds: time).text), "parameters": .object(parameters),
      "state": .object(change.applied(to: log.latest.document)),
    ]
    let line = try Self.line(
      entry, number: log.versions.count + 1, after: log.latest.id, by: signer, of: keys, at: time)
    let end: [UInt8] = bytes.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]
    return try WritableLog(bytes + end + line, now: now)
  }

  /// The key of the ring that may sign the next version.
  private func signer(of keys: any ControllerKeys) throws(ControllerError) -> VerKey {
    for hash in log.parameters.nextKeyHashes {
      if let key = try keys.made(withHash: hash) { return key }
    }
    guard log.parameters.nextKeyHashes.isEmpty else { throw .noKey }
    for text in log.parameters.updateKeys {
      if let key = try? VerKey(multibase: text), try keys.pair(for: key) != nil { return key }
    }
    throw .noKey
  }

  /// A line of the log: the entry with its version and its proof.
  private static func line(
    _ draft: JSONObject, number: Int, after before: String, by key: VerKey, of keys: any ControllerKeys, at time: Int64
  ) throws(ControllerError) -> [UInt8] {
    guard let pair = try keys.pair(for: key) else { throw .noKey }
    var entry = draft
    entry["versionId"] = .string(before)
    entry["versionId"] = .string("\(number)-\(Multihash.text(of: try entry.canonical()))")
    entry["proof"] = [try entry.proof(by: pair, as: key.didURL, at: time)]
    return JSON.object(entry).bytes + [UInt8(ascii: "\n")]
  }

  /// A document with one key, which makes assertions and authenticates. Its name is the key itself.
  private static func document(_ id: String, _ key: VerKey) -> JSONObject {
    let method = JSON.string("\(id)#\(key.multibase)")
    return [
      "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/multikey/v1"], "id": .string(id),
      "verificationMethod": [
        [
          "id": method, "type": "Multikey", "controller": .string(id), "publicKeyMultibase": .string(key.multibase),
        ]
      ],
      "authentication": [method], "assertionMethod": [method],
    ]
  }
}

internal import DIDComm
internal import JSON

/// A line of a DID's log: a version of the DID (did:webvh 1.0, "The DID Log File").
struct LogEntry: Sendable {
  let versionID: String
  let time: VersionTime
  let parameters: JSONObject
  /// The DID document.
  let state: JSONObject
  let did: WebVHDID
  private let proofs: [DataIntegrityProof]
  /// The entry without its proofs.
  private let content: JSONObject

  private static let limits = JSONLimits(depth: 32)
  private static let mostProofs = 16
  /// The text in the place of the SCID, from which the SCID is computed.
  static let placeholder = "{SCID}"

  init(_ line: ArraySlice<UInt8>, now: Int64) throws(EntryError) {
    let json: JSON
    do { json = try JSON(parsing: Array(line), limits: Self.limits, repeatedNames: .refused) } catch {
      throw .malformed("\(error)")
    }
    guard var content = json.object else { throw .malformed("it is no object") }
    guard Set(content.keys) == ["versionId", "versionTime", "parameters", "state", "proof"] else {
      throw .malformed("it has other members than an entry")
    }
    guard let versionID = content["versionId"]?.string else { throw .malformed("versionId") }
    guard let time = content["versionTime"]?.string.flatMap(VersionTime.init) else { throw .malformed("versionTime") }
    guard let parameters = content["parameters"]?.object else { throw .malformed("parameters") }
    guard let state = content["state"]?.object else { throw .malformed("state") }
    guard let did = state["id"]?.string.flatMap(WebVHDID.init) else { throw .malformed("the id of the document") }
    do { proofs = try content.proofs(now: now, limit: Self.mostProofs) } catch { throw .proof(error) }
    content["proof"] = nil
    self.versionID = versionID
    (self.time, self.parameters, self.state, self.did, self.content) = (time, parameters, state, did, content)
  }

  /// Throws unless the version is the hash of the entry behind its number. `before` is the version of the entry before
  /// it, or the SCID.
  func checkVersion(number: Int, after before: String) throws(EntryError) {
    var input = content
    input["versionId"] = .string(before)
    guard versionID == "\(number)-\(try hash(.object(input)))" else { throw .wrongHash }
  }

  /// Throws unless the SCID is the hash of the entry before the SCID was put into it.
  func check(scid: String) throws(EntryError) {
    var input = content
    input["versionId"] = .string(Self.placeholder)
    let template = JSON.object(input).replacing(scid, with: Self.placeholder)
    guard try hash(template) == scid else { throw .wrongSCID }
  }

  /// Throws unless there are proofs, and each is by one of the keys.
  func checkProofs(by keys: [String]) throws(EntryError) {
    guard !proofs.isEmpty else { throw .unauthorized }
    for proof in proofs {
      guard let key = proof.didKey, keys.contains(key.multibase) else { throw .unauthorized }
      var document = content
      document["versionId"] = .string(versionID)
      do { try proof.verify(document, by: key) } catch { throw .proof(error) }
    }
  }

  private func hash(_ json: JSON) throws(EntryError) -> String {
    do { return Multihash.text(of: try json.canonicalBytes()) } catch { throw .malformed("\(error)") }
  }
}

extension JSON {
  /// The value with another text in place of each occurrence of a text, in names too.
  func replacing(_ text: String, with other: String) -> JSON {
    switch self {
    case .string(let value): .string(value.replacing(text, with: other))
    case .array(let elements): .array(elements.map { $0.replacing(text, with: other) })
    case .object(let object):
      .object(
        JSONObject(
          distinct: object.members.map {
            ($0.key.replacing(text, with: other), $0.value.replacing(text, with: other))
          }))
    case .null, .bool, .integer, .real: self
    }
  }
}

extension String {
  /// Swift's own function would bring its regular expressions into the library.
  fileprivate func replacing(_ text: String, with other: String) -> String {
    let (own, text) = (Array(utf8), Array(text.utf8))
    guard own.count >= text.count else { return self }
    var (result, index): ([UInt8], Int) = ([], 0)
    while index < own.count {
      if own[index] == text[0], own[index...].starts(with: text) {
        result += other.utf8
        index += text.count
      } else {
        result.append(own[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// The reasons why an entry of a log is refused.
package enum EntryError: Error, Equatable, Sendable {
  case malformed(String)
  case parameter(String)
  /// The number or the hash of the version is wrong: the chain of the entries is broken.
  case wrongHash
  case wrongSCID
  /// A proof is missing, or is by a key that may not change the DID.
  case unauthorized
  case badProof(String)
  /// The time is not later than the time of the entry before it, or lies in the future.
  case wrongTime
  /// The document has another DID, although the DID is not portable or names another SCID.
  case moved
  /// An entry follows the entry that has deactivated the DID.
  case afterDeactivation

  static func proof(_ error: ProofError) -> EntryError { .badProof("\(error)") }
}

extension EntryError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let part): "it is malformed: \(part)"
    case .parameter(let part): "a parameter is wrong: \(part)"
    case .wrongHash: "its version is not its number and its hash"
    case .wrongSCID: "the DID is not the hash of this entry"
    case .unauthorized: "no key that may change the DID has signed it"
    case .badProof(let reason): reason
    case .wrongTime: "its time is not after the entry before it, or lies in the future"
    case .moved: "the DID has moved without being portable, or without naming its former DID"
    case .afterDeactivation: "the DID was deactivated before"
    }
  }
}

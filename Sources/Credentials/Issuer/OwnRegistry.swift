internal import Indy
internal import JSON
internal import Sodium

/// A revocation registry of this program: its key, and the credentials in it.
package struct OwnRegistry: Sendable {
  package let id: String
  package let definitionID: String
  /// The definition in the engine's form, with the local path of its tails file.
  package let text: String
  /// The definition in Indy's form.
  package let indyText: String
  package let tailsHash: String
  package let tailsPath: String
  let privateKey: SecretBytes
  /// Whether all places count as valid until they are revoked. In the other registries, which other libraries made, a
  /// place is valid once it is issued.
  let issuesByDefault: Bool
  /// The number of credentials in the registry. Their places are counted from 1.
  let size: Int64
  var accumulator: String
  /// The last place that was given to a credential.
  var lastIndex: Int64
  /// If the registry issues by default, its revoked places; otherwise its valid places.
  var listed: Set<Int64>
  /// The text of the wallet's record of the places, as it was read.
  let recordedPlaces: String

  /// The present entry in Indy's form.
  package var entry: String { RegistryRecords.entry(accumulator) }

  /// Whether the credential at a place has been revoked.
  func isRevoked(_ index: Int64) -> Bool { issuesByDefault == listed.contains(index) }

  /// The places that are not valid.
  var revokedPlaces: Set<Int64> { Set((1...size).filter(isRevoked)) }

  /// The present status list in the engine's form. It has one place more than the registry has credentials, since the
  /// first place is never used.
  func statusList() -> JSON {
    var list: [JSON] = [issuesByDefault ? 0 : 1]
    list += (1...size).map { isRevoked($0) ? 1 : 0 }
    return [
      "revRegDefId": .string(id), "issuerId": JSON(IndyID(definitionID)?.issuer.text),
      "revocationList": .array(list), "currentAccumulator": .string(accumulator), "timestamp": 0,
    ]
  }

  /// The registry after the engine has changed its status list.
  func changed(to list: JSON, issued: Set<Int64>, revoked: Set<Int64>) throws -> OwnRegistry {
    var registry = self
    registry.accumulator = try list.requireObject().string("currentAccumulator")
    if issuesByDefault {
      registry.listed = listed.subtracting(issued).union(revoked)
    } else {
      registry.listed = listed.union(issued).subtracting(revoked)
    }
    return registry
  }
}

extension OwnRegistry {
  /// The last place whose use a published list shows; 0 if the list shows no use.
  func lastUsed(in published: StatusList) throws(CredentialsError) -> Int64 {
    let revoked = try published.revokedPlaces(of: size)
    return (issuesByDefault ? revoked.max() : (1...size).last { !revoked.contains($0) }) ?? 0
  }

  /// The registry after the changes that another copy of the wallet has published; nil if no copy has published any.
  /// The caller checks the published accumulator before it keeps the result.
  ///
  /// Places are given out in their order, so all places up to the last used one count as given. The published status
  /// becomes the own status if it only adds revocations and no change waits for its publication (`hasPending`).
  func following(_ published: StatusList, hasPending: Bool) throws(CredentialsError) -> OwnRegistry? {
    guard published.registryID == id else { throw .malformedRegistry("its status list is another registry's") }
    let revoked = try published.revokedPlaces(of: size)
    var next = self
    next.lastIndex = max(lastIndex, try lastUsed(in: published))
    let isBehind = issuesByDefault && !hasPending && revoked.isStrictSuperset(of: listed)
    if isBehind { (next.listed, next.accumulator) = (revoked, published.accumulator) }
    return isBehind || next.lastIndex != lastIndex ? next : nil
  }
}

/// The changes to a registry that are not published yet.
struct PendingStatus: Equatable, Sendable {
  /// The accumulator that was published last.
  let previousAccumulator: String
  let accumulator: String
  let issued: Set<Int64>
  let revoked: Set<Int64>
}

extension PendingStatus {
  init(parsing text: String) throws {
    let object = try JSON(parsing: text, limits: .numberLists).requireObject()
    previousAccumulator = try object.string("prevAccum")
    accumulator = try object.string("accum")
    issued = try object.integers("issued")
    revoked = try object.integers("revoked")
  }

  var text: String {
    let json: JSON = [
      "prevAccum": .string(previousAccumulator), "accum": .string(accumulator),
      "issued": .array(issued.sorted().map(JSON.integer)), "revoked": .array(revoked.sorted().map(JSON.integer)),
    ]
    return json.text
  }
}

extension JSONObject {
  /// A member with places of credentials.
  func integers(_ name: String) throws(JSONError) -> Set<Int64> {
    var integers: Set<Int64> = []
    for each in try array(name) {
      guard let integer = each.integer else { throw .wrongType(key: name, expected: "integers") }
      integers.insert(integer)
    }
    return integers
  }
}

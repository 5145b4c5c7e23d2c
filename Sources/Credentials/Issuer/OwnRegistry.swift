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
  /// The text of the wallet's record of the changes that are not published, as it was read; nil if there is none.
  let recordedPending: String?

  /// The changes that are not published; nil if there are none.
  var pending: PendingStatus? { get throws { try recordedPending.map(PendingStatus.init(parsing:)) } }

  /// The present entry in Indy's form.
  package var entry: String { RegistryRecords.entry(accumulator) }

  /// Whether a credential was given a place.
  package var hasGivenPlaces: Bool { lastIndex > 0 }

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
      "revRegDefId": .string(id), "issuerId": JSON(definitionID.issuerOfObject),
      "revocationList": .array(list), "currentAccumulator": .string(accumulator), "timestamp": 0,
    ]
  }

  /// The registry after the engine has changed its status list. Places are given out in their order, so all places up to
  /// the last changed one count as given.
  func changed(to list: JSON, issued: Set<Int64>, revoked: Set<Int64>) throws -> OwnRegistry {
    var registry = self
    registry.lastIndex = max(lastIndex, issued.union(revoked).max() ?? 0)
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

  /// The news of another copy of the wallet.
  struct News {
    /// The places that it has revoked. Always empty in registries of other libraries.
    let revoked: Set<Int64>
    /// The last place that counts as given: places are given out in their order.
    let lastIndex: Int64
  }

  /// The news in a published list; nil if it has none.
  func news(in published: StatusList) throws(CredentialsError) -> News? {
    guard published.registryID == id else { throw .malformedRegistry("its status list is another registry's") }
    let revoked = issuesByDefault ? try published.revokedPlaces(of: size).subtracting(listed) : []
    let last = max(lastIndex, try lastUsed(in: published))
    return revoked.isEmpty && last == lastIndex ? nil : News(revoked: revoked, lastIndex: last)
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

internal import Indy
internal import JSON
internal import Sodium
internal import Wallet

/// The revocation registries of an issuer in the wallet, in libindy's records.
struct RegistryRecords: Sendable {
  private let wallet: Wallet
  private let definitions, keys, accumulators, infos, pending, published: LibraryRecords

  init(wallet: Wallet) {
    self.wallet = wallet
    definitions = LibraryRecords(of: "Indy::RevocationRegistryDefinition", in: wallet)
    keys = LibraryRecords(of: "Indy::RevocationRegistryDefinitionPrivate", in: wallet)
    accumulators = LibraryRecords(of: "Indy::RevocationRegistry", in: wallet)
    infos = LibraryRecords(of: "Indy::RevocationRegistryInfo", in: wallet)
    pending = LibraryRecords(of: "msdk::rev_pending", in: wallet)
    published = LibraryRecords(of: "msdk::rev_published", in: wallet)
  }

  /// The registry with this id; nil if the wallet does not have it with its key. Its records are of one moment: an
  /// accumulator that does not fit its list would make all later ones wrong.
  func find(_ id: String) throws -> OwnRegistry? {
    let found = try LibraryRecords.find(id, among: [definitions, keys, accumulators, infos, pending], in: wallet)
    guard let definition = found[0], let key = found[1], let accumulator = found[2], let info = found[3] else {
      return nil
    }
    let indy = try JSON(parsing: definition.value).requireObject()
    let (value, places) = (
      try indy.object("value"), try JSON(parsing: info.value, limits: .numberLists).requireObject()
    )
    let definitionID = try indy.string("credDefId")
    let (size, last, listed) = (
      try value.integer("maxCredNum"), try places.integer("curr_id"), try places.integers("used_ids")
    )
    guard (1...RegistryDefinition.mostCredentials).contains(size), (0...size).contains(last) else {
      throw CredentialsError.malformedRegistry("the wallet's record of \(id) has a wrong size")
    }
    return OwnRegistry(
      id: id, definitionID: definitionID, text: Self.engineForm(indy, of: definitionID).text,
      indyText: definition.value, tailsHash: try value.string("tailsHash"),
      tailsPath: try value.string("tailsLocation"), privateKey: SecretBytes(copying: Array(key.value.utf8)),
      issuesByDefault: try value.optionalString("issuanceType") != "ISSUANCE_ON_DEMAND",
      size: size,
      accumulator: try JSON(parsing: accumulator.value).requireObject().object("value").string("accum"),
      lastIndex: last, listed: listed, recordedPlaces: info.value, recordedPending: found[4]?.value)
  }

  private static func engineForm(_ indy: JSONObject, of definitionID: String) -> JSON {
    var object = JSONObject([("issuerId", JSON(definitionID.issuerOfObject))])
    for (name, member) in indy.members where name != "ver" && name != "id" { object[name] = member }
    var json = JSON.object(object)
    json["value"]?["issuanceType"] = nil
    return json
  }

  /// The changes that store a new registry, if no other process has stored it. `definition` is in the engine's form.
  func adding(_ id: String, definition: JSON, privateKey: SecretBytes, accumulator: String) -> [LibraryChange] {
    var indy: JSON = ["ver": "1.0", "id": .string(id)]
    for (name, member) in definition.object?.members ?? [] where name != "issuerId" { indy[name] = member }
    indy["value"]?["issuanceType"] = "ISSUANCE_BY_DEFAULT"
    return [
      infos.expecting(id, value: nil),
      definitions.putting(id, value: indy.text), keys.putting(id, value: privateKey.text),
      accumulators.putting(id, value: Self.entry(accumulator)), infos.putting(id, value: Self.info(id, 0, [])),
    ]
  }

  /// The changes that note the places of credentials, if the record is still the one that was read. Each change of the
  /// accumulator changes this record too.
  func noting(_ registry: OwnRegistry) -> [LibraryChange] {
    [
      infos.expecting(registry.id, value: registry.recordedPlaces),
      infos.putting(registry.id, value: Self.info(registry.id, registry.lastIndex, registry.listed)),
    ]
  }

  /// The change that notes an accumulator.
  func notingAccumulator(of registry: OwnRegistry) -> LibraryChange {
    accumulators.putting(registry.id, value: Self.entry(registry.accumulator))
  }

  private static func info(_ id: String, _ last: Int64, _ listed: Set<Int64>) -> String {
    let json: JSON = [
      "id": .string(id), "curr_id": .integer(last), "used_ids": .array(listed.sorted().map(JSON.integer)),
    ]
    return json.text
  }

  /// An entry of a registry in Indy's form.
  static func entry(_ accumulator: String) -> String {
    let json: JSON = ["ver": "1.0", "value": ["accum": .string(accumulator)]]
    return json.text
  }

  // MARK: Publication

  /// Whether the first status of a registry was published from this wallet.
  func isPublished(_ id: String) throws -> Bool { try published.find(id) != nil }

  /// The change that notes that the first status is published.
  func notingPublished(_ id: String) -> LibraryChange { published.putting(id, value: "1") }

  // MARK: Changes that are not published

  /// The changes that note what is not published yet, if the record still has the status `former`. Nil means that
  /// everything is published.
  func noting(_ status: PendingStatus?, insteadOf former: PendingStatus?, of id: String) -> [LibraryChange] {
    [
      pending.expecting(id, value: former?.text),
      status.map { pending.putting(id, value: $0.text) } ?? pending.removing(id),
    ]
  }
}

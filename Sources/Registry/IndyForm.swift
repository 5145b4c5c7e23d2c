internal import Indy
internal import JSON

// Objects in the form of Indy's ledgers. The wallet's cache uses it for objects with older ids, because older libraries
// read it.

extension JSON {
  /// Converts an object from Indy's form to the form of AnonCreds. Returns nil if a member is missing.
  func fromIndy(_ kind: ObjectKind, _ id: String) -> JSON? {
    let issuer = IndyID(id)?.issuer.text ?? String(id.prefix { $0 != ":" })
    switch kind {
    case .schema:
      guard let name = self["name"], let version = self["version"], let names = self["attrNames"] ?? self["attr_names"]
      else { return nil }
      return ["name": name, "version": version, "attrNames": names, "issuerId": .string(issuer)]
    case .definition:
      guard let schema = self["schemaId"] ?? self["ref"], let tag = self["tag"], let value = self["value"] else {
        return nil
      }
      return [
        "schemaId": .string(schema.string ?? schema.text), "type": "CL", "tag": tag, "value": value,
        "issuerId": .string(issuer),
      ]
    case .revocationRegistry:
      guard let definition = self["credDefId"], let tag = self["tag"], var value = self["value"] else { return nil }
      value["issuanceType"] = nil
      return [
        "issuerId": .string(issuer), "revocDefType": "CL_ACCUM", "tag": tag, "credDefId": definition, "value": value,
      ]
    }
  }

  /// The object in Indy's form, with its id.
  func toIndy(_ id: String) -> JSON {
    var object: JSON = ["ver": "1.0", "id": .string(id)]
    for (name, value) in self.object?.members ?? [] where name != "issuerId" { object[name] = value }
    return object
  }
}

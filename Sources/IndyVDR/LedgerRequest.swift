/// A request to a ledger. DIDs and ids have Indy's older form, without a method.
package enum LedgerRequest: Equatable, Sendable {
  case schema(id: String)
  case definition(id: String)
  case revocationRegistry(id: String)
  /// The state of a revocation registry at a time, in seconds since 1970.
  case revocationState(id: String, time: Int64)
  /// The transaction of this number in the ledger of schemas, definitions and DIDs.
  case transaction(Int32)
  /// The key of a DID.
  case nym(String)
  /// An attribute of a DID, by its name.
  case attribute(String, of: String)
  /// The agreement in force of the network's authors.
  case agreement
  /// The ways in which authors may accept the agreement.
  case acceptanceMechanisms
  /// A signed write, as JSON text.
  case written(String)
}

extension LedgerRequest {
  /// The library's handle of the request. Reads are unsigned, because anyone may read the ledger.
  func build(with library: LedgerLibrary) throws(LedgerError) -> Int64 {
    let functions = library.functions
    var handle: Int64 = 0
    try library.check {
      switch self {
      case .schema(let id): functions.schema(nil, id, &handle)
      case .definition(let id): functions.definition(nil, id, &handle)
      case .revocationRegistry(let id): functions.revocationRegistry(nil, id, &handle)
      case .revocationState(let id, let time): functions.revocationDelta(nil, id, -1, time, &handle)
      case .transaction(let number): functions.transaction(nil, 1, number, &handle)
      case .nym(let did): functions.nym(nil, did, -1, -1, &handle)
      case .attribute(let name, let did): functions.attribute(nil, did, name, nil, nil, -1, -1, &handle)
      case .agreement: functions.agreement(nil, nil, &handle)
      case .acceptanceMechanisms: functions.acceptanceMechanisms(nil, -1, nil, &handle)
      case .written(let text): functions.custom(text, &handle)
      }
    }
    return handle
  }
}

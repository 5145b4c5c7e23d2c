internal import JSON
internal import ProgramArguments
internal import Wallet

extension WalletSession {
  /// Checks every row. Orphaned tags, which libindy leaves behind, are reported but are no fault.
  func verify() throws -> Program.Ending {
    let found = try verification()
    let summary =
      "\(found.records) records, \(found.tags) tags: \(found.faults) faults, \(found.orphans) orphaned tags"
    try show(
      [
        "records": .integer(Int64(found.records)), "tags": .integer(Int64(found.tags)),
        "faults": .integer(Int64(found.faults)), "orphans": .integer(Int64(found.orphans)),
        "problems": .array(found.problems.map(\.json)),
      ], found.problems.map(\.line) + [summary])
    return found.faults == 0 ? .done : .foundFaults
  }

  private func verification() throws -> Verification {
    do {
      let wallet = try open()
      defer { wallet.close() }
      return try Progress.showing("checking every row") { try wallet.verify() }
    } catch WalletError.foreignObjects(let objects) {
      return Verification(foreignObjects: objects)
    }
  }
}

extension Verification.Problem {
  fileprivate var json: JSON {
    var object: JSONObject = ["problem": .string(name)]
    if let place {
      object["table"] = .string(place.table)
      object["row"] = .integer(place.row)
    }
    switch self {
    case .damagedFile(let finding), .foreignObject(let finding): object["finding"] = .string(finding)
    case .repeatedNonces(let count): object["count"] = .integer(Int64(count))
    default: break
    }
    return .object(object)
  }

  /// The name in JSON.
  private var name: String {
    switch self {
    case .damagedFile: "damagedFile"
    case .foreignObject: "foreignObject"
    case .wrongStorageClass: "wrongStorageClass"
    case .undecipherable: "undecipherable"
    case .unsearchable: "unsearchable"
    case .orphanedTag: "orphanedTag"
    case .repeatedNonces: "repeatedNonces"
    }
  }

  private var place: (table: String, row: Int64)? {
    switch self {
    case .wrongStorageClass(let table, let row), .undecipherable(let table, let row),
      .unsearchable(let table, let row), .orphanedTag(let table, let row):
      (table, row)
    case .damagedFile, .foreignObject, .repeatedNonces: nil
    }
  }

  fileprivate var line: String {
    let start = place.map { "\($0.table), row \($0.row): " } ?? ""
    switch self {
    case .damagedFile(let finding): return "the file is damaged: \(printable(finding))"
    case .foreignObject(let object):
      return "the file has an object that no wallet has, and was not opened: \(printable(object))"
    case .wrongStorageClass: return start + "a value of a wrong kind"
    case .undecipherable: return start + "does not open with the wallet's keys"
    case .unsearchable: return start + "opens, but no search would find it"
    case .orphanedTag: return start + "a tag of a record that is gone (harmless)"
    case .repeatedNonces(let count): return "\(count) nonces were used more than once"
    }
  }
}

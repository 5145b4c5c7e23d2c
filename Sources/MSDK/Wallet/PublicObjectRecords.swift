internal import JSON
internal import Logging
internal import Registry
internal import Wallet

/// Public objects in the wallet, in the form of older libraries: a record for each, under its id.
///
/// The library works without these records, so it only logs errors.
struct PublicObjectRecords: RegistryCache {
  let wallet: Wallet

  func find(_ kind: ObjectKind, _ id: String) -> String? {
    do {
      return try records(kind).find(id)?.value
    } catch {
      Log.warning("a \(kind.rawValue) could not be read from the wallet: \(error)")
      return nil
    }
  }

  func keep(_ text: String, _ kind: ObjectKind, _ id: String, at time: Int64) {
    do {
      try wallet.make([records(kind).putting(id, value: text, tags: ["timestamp": String(time)])])
    } catch {
      Log.warning("a \(kind.rawValue) could not be kept in the wallet: \(error)")
    }
  }

  private func records(_ kind: ObjectKind) -> LibraryRecords {
    let type =
      switch kind {
      case .schema: "schema_cache"
      case .definition: "cred_def_cache"
      case .revocationRegistry: "msdk::rev_reg_def_cache"
      }
    return LibraryRecords(of: type, in: wallet)
  }
}

internal import Logging
internal import Wallet
internal import WebVH

/// The newest versions of DIDs' logs in the wallet: a record for each log, under its SCID. The times of the newest status
/// lists are beside them, under the ids of their registries.
///
/// The library works without these records, so it only logs errors.
struct SeenVersionRecords: SeenVersions {
  private let records: LibraryRecords
  private let wallet: Wallet

  init(wallet: Wallet) {
    records = LibraryRecords(of: "msdk::seen_did_version", in: wallet)
    self.wallet = wallet
  }

  func latest(of scid: String) -> String? {
    do { return try records.find(scid)?.value } catch {
      Log.warning("the seen version of a DID could not be read from the wallet: \(error)")
      return nil
    }
  }

  func keep(_ version: String, of scid: String, insteadOf former: String?, at time: Int64) -> Bool {
    do {
      try wallet.make([
        records.expecting(scid, value: former),
        records.putting(scid, value: version, tags: ["timestamp": String(time)]),
      ])
    } catch WalletError.recordChanged {
      return false
    } catch {
      Log.warning("the seen version of a DID could not be kept in the wallet: \(error)")
    }
    return true
  }
}

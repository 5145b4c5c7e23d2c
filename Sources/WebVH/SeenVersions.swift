internal import Threading

/// Keeps the newest version of each DID's log for later processes, so that a server cannot take versions back. The times of
/// the newest status lists are kept in the same way, under the ids of their registries.
package protocol SeenVersions: Sendable {
  /// The version that was kept last for the DID with this SCID.
  func latest(of scid: String) -> String?
  /// Keeps a version in place of `former`. Returns false, and changes nothing, if another version has come in its place
  /// meanwhile: another process may use the wallet too. `time` is now, in seconds since 1970.
  func keep(_ version: String, of scid: String, insteadOf former: String?, at time: Int64) -> Bool
}

extension SeenVersions {
  private static var mostAttempts: Int { 10 }

  /// Keeps the version that `choose` returns for the version that is kept now, as often as another process comes before it.
  /// Keeps nothing if it returns nil.
  package func keep<Failure: Error>(
    of scid: String, at time: Int64, _ choose: (_ kept: String?) throws(Failure) -> String?
  ) throws(Failure) {
    for _ in 0..<Self.mostAttempts {
      let kept = latest(of: scid)
      guard let version = try choose(kept), !keep(version, of: scid, insteadOf: kept, at: time) else { return }
    }
  }
}

/// The versions that this process has seen, before those of `SeenVersions`, which may fail to keep one.
final class VersionMemory: Sendable {
  private let kept: any SeenVersions
  private let own = Locked(BoundedMemory<String, String>(limit: VersionMemory.mostRemembered))

  /// The most versions that are remembered.
  private static let mostRemembered = 4096

  init(_ kept: any SeenVersions) { self.kept = kept }

  /// Notes the newest version of a log. Throws if the log lacks a version that this process or another process with the
  /// wallet has seen.
  ///
  /// Threads take turns, so that of two logs the shorter one cannot come last.
  func note(_ log: DIDLog, at time: Int64) throws(DIDLogError) {
    try own.withLock { (own) throws(DIDLogError) in
      if let seen = own[log.scid] { try log.requireContinuing(seen) }
      try kept.keep(of: log.scid, at: time) { (seen) throws(DIDLogError) in
        if let seen { try log.requireContinuing(seen) }
        return seen == log.latest.id ? nil : log.latest.id
      }
      own.keep(log.latest.id, for: log.scid, weight: 1)
    }
  }
}

extension DIDLog {
  /// Throws unless the log has a version that was seen before. Each version contains the hash of the version before it, so
  /// that all earlier versions are the same too.
  fileprivate func requireContinuing(_ seen: String) throws(DIDLogError) {
    guard let number = Int(seen.prefix { $0 != "-" }), number > 0 else { return }
    guard number <= versions.count else { throw .shortened(seen: seen) }
    guard versions[number - 1].id == seen else { throw .forked(seen: seen) }
  }
}

internal import Threading

/// Keeps the newest version of each DID's log for later processes, so that a server cannot take versions back.
package protocol SeenVersions: Sendable {
  /// The version that was kept last for the DID with this SCID.
  func latest(of scid: String) -> String?
  /// `time` is now, in seconds since 1970.
  func keep(_ version: String, of scid: String, at time: Int64)
}

/// The versions that this process has seen, before those of `SeenVersions`, which may fail to keep one.
final class VersionMemory: Sendable {
  private let kept: any SeenVersions
  private let own = Locked<[String: String]>([:])

  private static let most = 4096

  init(_ kept: any SeenVersions) { self.kept = kept }

  /// Notes the newest version of a log. Throws if the log lacks a version that was seen before.
  ///
  /// Threads take turns, so that of two logs the shorter one cannot come last.
  func note(_ log: DIDLog, at time: Int64) throws(DIDLogError) {
    try own.withLock { (own) throws(DIDLogError) in
      let seen = own[log.scid] ?? kept.latest(of: log.scid)
      if let seen { try log.requireContinuing(seen) }
      guard seen != log.latest.id else { return }
      if own.count >= Self.most { own = [:] }
      own[log.scid] = log.latest.id
      kept.keep(log.latest.id, of: log.scid, at: time)
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

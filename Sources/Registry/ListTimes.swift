internal import JSON
internal import Threading
internal import WebVH

/// The times of the newest status lists that were seen of registries, so that a server cannot take revocations back.
///
/// The wallet keeps the times of registries that have decided about a credential. Strangers choose the others, which may only
/// push out each other.
final class ListTimes: Sendable {
  private let kept: any SeenVersions
  private let recent = Locked(BoundedMemory<ExactText, Int64>(limit: ListTimes.mostRecent))

  /// The most times that are remembered without the wallet.
  private static let mostRecent = 4096

  init(_ kept: any SeenVersions) { self.kept = kept }

  /// Throws unless the registry with this id still has a list of the newest seen time or of a later one.
  func require(_ newest: Int64?, of id: String) throws(RegistryError) {
    let seen = [recent.withLock { $0[ExactText(id)] }, Self.time(kept.latest(of: id))].compactMap(\.self).max()
    guard let seen, seen > newest ?? .min else { return }
    throw .invalid("a status list that was seen before is missing")
  }

  /// Remembers the time of a list that was read.
  func note(_ time: Int64, of id: String) {
    let key = ExactText(id)
    recent.withLock { $0.keep(max(time, $0[key] ?? .min), for: key, weight: 1) }
  }

  /// Moves the remembered time of a registry to the wallet, unless that has a later one. `now` is in seconds since 1970.
  func keep(of id: String, at now: Int64) {
    guard let time = recent.withLock({ $0[ExactText(id)] }) else { return }
    kept.keep(of: id, at: now) { kept in
      Self.time(kept).map { $0 >= time } ?? false ? nil : String(time)
    }
  }

  private static func time(_ text: String?) -> Int64? { text.flatMap { Int64($0) } }
}

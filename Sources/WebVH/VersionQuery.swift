/// A request for one version of a DID: the queries `versionId`, `versionNumber` and `versionTime` of a DID URL.
package enum VersionQuery: Equatable, Sendable {
  case latest
  case id(String)
  case number(Int)
  /// The version that was in force at a time of the form `2025-01-23T04:12:36Z`.
  case time(String)
}

extension DIDLog {
  /// Throws `noSuchVersion` if there is none: before the first version's time too.
  package func version(_ query: VersionQuery) throws(DIDLogError) -> Version {
    let found: Version? =
      switch query {
      case .latest: latest
      case .id(let id): versions.first { $0.id == id }
      case .number(let number): versions.indices.contains(number - 1) ? versions[number - 1] : nil
      case .time(let text): VersionTime(text).flatMap { time in versions.last { $0.time <= time } }
      }
    guard let found else { throw .noSuchVersion }
    return found
  }
}

/// A DID URL of did:webvh, with a query for a version.
package struct VersionedDID: Equatable, Sendable {
  package let did: WebVHDID
  package let query: VersionQuery

  /// Returns nil if the DID is malformed, if a query is unknown, or if there are several.
  package init?(_ text: String) {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let did = WebVHDID(parts[0]) else { return nil }
    self.did = did
    guard parts.count == 2 else {
      query = .latest
      return
    }
    let pair = parts[1].split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    guard pair.count == 2, !parts[1].contains("&") else { return nil }
    switch pair[0] {
    case "versionId": query = .id(pair[1])
    case "versionNumber":
      guard let number = Int(pair[1]), number > 0 else { return nil }
      query = .number(number)
    case "versionTime":
      guard VersionTime(pair[1]) != nil else { return nil }
      query = .time(pair[1])
    default: return nil
    }
  }
}

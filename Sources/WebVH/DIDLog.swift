package import JSON

/// The verified log of a DID: all its versions (did:webvh 1.0, "Read (Resolve)").
package struct DIDLog: Sendable {
  /// A version of the DID.
  package struct Version: Sendable {
    package let id: String
    /// The DID document.
    package let document: JSONObject
    let did: WebVHDID
    let time: VersionTime
    /// The witnesses who must approve this version.
    let witness: WitnessRule?
  }

  /// The versions, of which there is one at least, in their order.
  let versions: [Version]
  /// The parameters that are in force with the latest version.
  let parameters: LogParameters

  package var scid: String { parameters.scid }
  package var isDeactivated: Bool { parameters.isDeactivated }
  /// The seconds for which the DID may be remembered.
  package var ttl: Int64 { parameters.ttl }
  package var latest: Version { versions[versions.count - 1] }

  fileprivate init(_ versions: [Version], _ parameters: LogParameters) {
    self.versions = versions
    self.parameters = parameters
  }

  /// Throws unless the DID names one of the versions' documents.
  package func require(_ did: WebVHDID) throws(DIDLogError) {
    guard did.scid == scid, versions.contains(where: { $0.did == did }) else { throw .otherDID }
  }
}

/// A log whose entries are verified, and whose witnesses are not yet asked.
package struct UnwitnessedLog: Sendable {
  private let log: DIDLog
  private let now: Int64

  /// The most bytes of a log.
  package static let limit = 4 << 20
  private static let mostEntries = 4096
  /// The permitted difference between the clocks of the DID's controller and of this machine, in seconds.
  private static let tolerance: Int64 = 300

  /// Verifies a log. `now` is in seconds since 1970. A log with an invalid entry is refused as a whole.
  package init(_ bytes: [UInt8], now: Int64) throws(DIDLogError) {
    guard bytes.count <= Self.limit else { throw .tooLarge }
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    guard lines.count <= Self.mostEntries else { throw .tooLarge }
    var (versions, parameters): ([DIDLog.Version], LogParameters?) = ([], nil)
    for (index, line) in lines.enumerated() {
      do throws(EntryError) {
        let entry = try LogEntry(line, now: now)
        let next = try entry.verified(number: index + 1, after: versions.last, parameters)
        guard entry.time.seconds <= now + Self.tolerance else { throw .wrongTime }
        versions.append(entry.version(after: parameters, next))
        parameters = next
      } catch {
        throw .invalidEntry(index + 1, error)
      }
    }
    guard let parameters else { throw .empty }
    log = DIDLog(versions, parameters)
    self.now = now
  }

  /// Whether witnesses must have approved a version.
  package var needsWitnesses: Bool { log.versions.contains { $0.witness != nil } }

  /// The log, if its witnesses have approved it. `proofs` is the content of `did-witness.json`; nil if there is none.
  package func witnessed(by proofs: [UInt8]?) throws(DIDLogError) -> DIDLog {
    guard needsWitnesses else { return log }
    guard let proofs else { throw .witnesses("did-witness.json is missing") }
    let approved = try WitnessProofs(proofs, versions: Set(log.versions.map(\.id)), now: now)
    if let index = approved.firstUnapproved(among: log.versions.map { ($0.id, $0.witness) }) {
      throw .witnesses("too few witnesses have approved version \(index + 1)")
    }
    return log
  }
}

extension LogEntry {
  /// The parameters in force with this entry. `before` and `parameters` belong to the entry before it, and are nil for the
  /// first entry. Throws unless the entry is valid.
  fileprivate func verified(
    number: Int, after before: DIDLog.Version?, _ parameters: LogParameters?
  ) throws(EntryError) -> LogParameters {
    guard !(parameters?.isDeactivated ?? false) else { throw .afterDeactivation }
    let next: LogParameters
    do throws(ParameterError) {
      if let parameters {
        next = try parameters.applying(self.parameters)
      } else {
        next = try LogParameters(first: self.parameters)
      }
    } catch {
      throw .parameter(error.part)
    }
    guard did.scid == next.scid else { throw .moved }
    try checkVersion(number: number, after: before?.id ?? next.scid)
    if let before {
      guard time > before.time else { throw .wrongTime }
      guard did == before.did || isRenamed(from: before.did, next) else { throw .moved }
    } else {
      try check(scid: next.scid)
    }
    // With pre-rotation, the entry itself names the keys, which the entry before it has fixed by their hashes.
    let fixed = parameters.map { !$0.nextKeyHashes.isEmpty } ?? true
    try checkProofs(by: fixed ? next.updateKeys : parameters?.updateKeys ?? [])
    return next
  }

  /// Whether the entry may give the DID another name: the DID is portable, and the document names the former DID.
  private func isRenamed(from former: WebVHDID, _ parameters: LogParameters) -> Bool {
    parameters.isPortable && (state["alsoKnownAs"]?.array ?? []).contains(.string(former.text))
  }

  /// New witnesses approve the first version that has any; later, the former witnesses approve a change of witnesses.
  fileprivate func version(after parameters: LogParameters?, _ next: LogParameters) -> DIDLog.Version {
    DIDLog.Version(id: versionID, document: state, did: did, time: time, witness: parameters?.witness ?? next.witness)
  }
}

internal import Files

/// A file that the operator's settings come from.
package struct SettingsFile: Equatable, Sendable {
  package let path: String
  /// Whether it holds a secret, which only its owner should be able to read.
  package let isSecret: Bool
}

/// A file that other users of the machine could misuse, for the operator.
package struct FileWarning: Equatable, Sendable {
  package let path: String
  package let reason: String
}

extension AgencySettings {
  /// The existing files and folders that other users could change, or from which they could read secrets.
  package var fileWarnings: [FileWarning] {
    files.flatMap { Self.warnings(of: $0.path, isSecret: $0.isSecret) } + dataWarnings
  }

  private var dataWarnings: [FileWarning] {
    guard let folder = dataFolder else { return [] }
    return Self.warnings(of: folder, isSecret: false)
      + ["agency.db", "master.key"].flatMap { Self.warnings(of: "\(folder)/\($0)", isSecret: true) }
  }

  private static func warnings(of path: String, isSecret: Bool) -> [FileWarning] {
    let exposure = Files.exposure(of: path)
    var reasons: [String] = []
    if exposure.contains(.foreign) { reasons.append("it belongs to another user, who can change it") }
    if exposure.contains(.writable) { reasons.append("every user of the machine may change it") }
    if isSecret, exposure.contains(.readable) { reasons.append("every user of the machine may read it") }
    return reasons.map { FileWarning(path: path, reason: $0) }
  }
}

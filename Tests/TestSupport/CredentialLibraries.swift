internal import Foundation

/// The libraries that `scripts/setup credentials` installs. Tests that need them fail where it has not run.
package enum CredentialLibraries {
  package static let anonCreds = path("libanoncreds.so")
  package static let indyVDR = path("libindy_vdr.so")

  /// The Python that runs `tools/ledger`, which `scripts/setup ledger` installs.
  static let ledgerPython = inCache("ledger/bin/python")

  private static func path(_ file: String) -> String { inCache("credentials/\(file)") }

  private static func inCache(_ path: String) -> String {
    let cache = ProcessInfo.processInfo.environment["MSDK_CACHE"].map { URL(filePath: $0) }
    let own = Fixtures.folder.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: ".build/environments")
    return (cache ?? own).appending(path: path).path(percentEncoded: false)
  }
}

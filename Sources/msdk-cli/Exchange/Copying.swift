internal import Credentials
internal import HTTP
internal import Indy
internal import JSON
internal import MSDK
internal import ProgramArguments

// The command that copies the public objects of the wallet's credentials, for the time after their ledger.

extension OpenSession {
  /// Copies the objects of each credential, and goes on after a failure: a part of the ledger may answer.
  func copyObjects() throws {
    let tailsBase = try tailsBase()
    var failures = 0
    let contents = try distinctContents()
    for content in contents {
      do {
        try Progress.showing("copying") {
          try session.copyPublicObjects(of: content, toFolder: arguments.operands[0], tailsBase: tailsBase)
        }
      } catch {
        failures += 1
        Terminal.complain(printable("\(error)"))
        continue
      }
      try arguments.show(content.json, [content.line])
    }
    guard failures == 0 else { throw Failure("\(failures) of \(contents.count) are not copied.") }
    if contents.isEmpty, !arguments.wantsJSON { try arguments.show(["The wallet has no credential."]) }
  }

  /// The URL before the names of tails files. Readers download from it, so that another text would end there only.
  private func tailsBase() throws(Failure) -> String? {
    guard let url = arguments[.url] else { return nil }
    guard HTTPURL(url)?.hasQueryOrFragment == false else {
      throw Failure("--url is \(quoted(url)), which is no http or https URL of a directory.")
    }
    return url + (url.hasSuffix("/") ? "" : "/") + "tails/"
  }

  /// A credential for each definition, and for each revocation registry.
  private func distinctContents() throws -> [CredentialContent] {
    var seen: Set<[String?]> = []
    return try CredentialStore(wallet: session.wallet).all().map(\.content).filter {
      seen.insert([$0.definitionID, $0.registryID]).inserted
    }
  }
}

extension CredentialContent {
  fileprivate var json: JSON {
    ["schema_id": .string(schemaID), "cred_def_id": .string(definitionID), "rev_reg_id": JSON(registryID)]
  }

  fileprivate var line: String { printable("\(schemaID.schemaNameOfIndy ?? schemaID), \(registryID ?? definitionID)") }
}

import AnonCreds
import Foundation
import JSON
import Sodium
import TestSupport
import Testing

/// The objects of `Tests/Fixtures/anoncreds`, which belong together.
enum Objects {
  static let schemaID = "V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0"
  static let definitionID = "V4SGRU86Z58d6TV7PBUe6f:3:CL:12:default"
  static let registryID = "V4SGRU86Z58d6TV7PBUe6f:4:V4SGRU86Z58d6TV7PBUe6f:3:CL:12:default:CL_ACCUM:r1"

  static func json(_ name: String) throws -> JSON { try Fixtures.json("anoncreds/\(name).json") }
  static func text(_ name: String) throws -> String { try json(name).text }

  static func linkSecret() throws -> SecretBytes {
    SecretBytes(copying: Array(try #require(json("link_secret")["decimal"]?.string).utf8))
  }

  /// A key that only the issuer has.
  static func privateKey(_ name: String) throws -> SecretBytes {
    SecretBytes(copying: Array(try #require(json("issuer_private")[name]).text.utf8))
  }

  static func keyProof() throws -> String { try #require(json("issuer_private")["key_correctness_proof"]).text }

  static func published() throws -> PublicObjects {
    PublicObjects(schemas: [schemaID: try text("schema")], definitions: [definitionID: try text("cred_def")])
  }

  /// The status list of each of three times, oldest first.
  static func statusLists() throws -> [String] { try #require(json("rev_status_lists").array).map(\.text) }

  /// Writes the tails file of the registry into `folder`.
  static func tailsFile(in folder: TemporaryFolder) throws -> String {
    let tails = try json("tails")
    let path = "\(folder.path)/\(try #require(tails["tailsHash"]?.string))"
    try Data(Base64.decode(try #require(tails["base64"]?.string), .standard)).write(to: URL(filePath: path))
    return path
  }
}

extension AnonCredsError {
  /// The engine's code, nil where there is no engine.
  var code: Code? { if case .failed(let code, _) = self { code } else { nil } }
}

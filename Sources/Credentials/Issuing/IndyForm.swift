internal import Indy
internal import JSON

/// Converts stored objects between the form of libindy and Evernym's library and the engine's form.
package enum IndyForm: Sendable {
  private static let metadataNames = [
    ("link_secret_blinding_data", "master_secret_blinding_data"), ("link_secret_name", "master_secret_name"),
  ]

  /// The metadata of a credential request with libindy's names, for a state that older libraries read.
  package static func metadata(_ engine: String) -> String {
    renamed(engine, metadataNames.map { ($0, $1) })
  }

  /// The object with the engine's names, from either form.
  package static func engineMetadata(_ text: String) -> String { renamed(text, metadataNames.map { ($1, $0) }) }

  private static func renamed(_ text: String, _ names: [(String, String)]) -> String {
    guard var object = (try? JSON(parsing: text))?.object else { return text }
    for (old, new) in names where object[new] == nil {
      object[new] = object[old]
      object[old] = nil
    }
    return JSON.object(object).text
  }

  /// A credential definition in libindy's form, which contains the definition's id.
  package static func definition(_ engine: String, id: String) -> String {
    guard var object = (try? JSON(parsing: engine))?.object else { return engine }
    object["ver"] = "1.0"
    object["id"] = .string(id)
    return JSON.object(object).text
  }

  /// The definition in the engine's form, which names the issuer. Indy's form does not name the issuer, but its id does.
  package static func engineDefinition(_ text: String) -> String {
    guard var object = (try? JSON(parsing: text))?.object else { return text }
    if object["issuerId"] == nil, let id = object["id"]?.string, let issuer = id.issuerOfObject {
      object["issuerId"] = .string(issuer)
    }
    object["ver"] = nil
    object["id"] = nil
    return JSON.object(object).text
  }
}

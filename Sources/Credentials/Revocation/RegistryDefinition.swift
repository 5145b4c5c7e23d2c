internal import Indy
internal import JSON

/// A revocation registry: its size, and the place of its tails file.
package struct RegistryDefinition: Equatable, Sendable {
  package let text: String
  package let definitionID: String
  /// The author of the registry.
  package let issuer: String
  /// The number of credentials in the registry. Their places are counted from 1.
  let size: Int64
  package let tails: Tails

  /// The file with the numbers for computing revocation states. The issuer publishes it once.
  package struct Tails: Equatable, Sendable {
    /// Base58 of the SHA-256 of the file.
    package let hash: String
    /// A URL, or the path of a file of the registry's maker.
    package let location: String
    /// Two bytes, and 128 bytes for each tail.
    package let size: Int
  }

  /// The engine's limit is lower; with this one the size of the file fits in memory.
  static let mostCredentials: Int64 = 1 << 20

  package init(parsing text: String) throws(CredentialsError) {
    self.text = text
    do {
      let object = try JSON(parsing: text).requireObject()
      definitionID = try object.string("credDefId")
      issuer = try object.string("issuerId")
      let value = try object.object("value")
      let capacity = try value.integer("maxCredNum")
      guard (1...Self.mostCredentials).contains(capacity) else {
        throw JSONError.wrongType(key: "maxCredNum", expected: "a number of credentials")
      }
      size = capacity
      tails = Tails(
        hash: try value.string("tailsHash"), location: try value.string("tailsLocation"),
        size: 2 + 128 * (2 * Int(capacity) + 1))
    } catch let error as JSONError {
      throw .malformedRegistry("\(error)")
    } catch {
      throw .malformedRegistry("it cannot be read")
    }
  }
}

extension RegistryDefinition {
  /// Whether the registry with this id is for the credentials of a definition, by the definition's issuer. A ledger or a
  /// server may have a registry of another author that names the definition. If the id of the definition tells its issuer, so
  /// must the id of the registry: everybody can publish a copy at an address of their own. `canonical` converts an issuer to
  /// the form that this side uses.
  package func belongs(
    as id: String?, to definition: String, of issuer: String, naming canonical: (String) -> String = { $0 }
  ) -> Bool {
    definitionID.isExactly(definition) && canonical(self.issuer).isIssuer(canonical(issuer))
      && (id?.namesIssuer == true || !definition.namesIssuer)
  }
}

internal import JSON

/// Which credentials of a registry are revoked at a time.
package struct StatusList: Equatable, Sendable {
  package let text: String
  package let registryID: String
  /// When the list came into force, in seconds since 1970: the time that a proof with it names.
  package let timestamp: Int64
  private let isRevoked: [Bool]

  package init(parsing text: String) throws(CredentialsError) {
    self.text = text
    do {
      let object = try JSON(parsing: text).requireObject()
      registryID = try object.string("revRegDefId")
      timestamp = try object.integer("timestamp")
      isRevoked = try object.array("revocationList").map { $0 != .integer(0) }
    } catch {
      throw .malformedRegistry("its status list: \(error)")
    }
  }

  /// Whether the credential at a place of the registry is revoked. Place 0 is never used.
  package func isRevoked(at index: Int64) throws(CredentialsError) -> Bool {
    guard index > 0, index < isRevoked.count else {
      throw .malformedRegistry("its status list has no place \(index)")
    }
    return isRevoked[Int(index)]
  }
}

internal import JSON

/// The revoked credentials of a registry at a time.
package struct StatusList: Equatable, Sendable {
  package let text: String
  package let registryID: String
  /// The time from which the list is in force, in seconds since 1970. A proof with it names this time.
  package let timestamp: Int64
  let accumulator: String
  private let isRevoked: [Bool]

  package init(parsing text: String) throws(CredentialsError) {
    self.text = text
    do {
      let object = try JSON(parsing: text, limits: .numberLists).requireObject()
      registryID = try object.string("revRegDefId")
      timestamp = try object.integer("timestamp")
      accumulator = try object.string("currentAccumulator")
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

  /// The revoked places of a registry for `size` credentials. Throws if the list has no room for them.
  func revokedPlaces(of size: Int64) throws(CredentialsError) -> Set<Int64> {
    guard size < isRevoked.count else { throw .malformedRegistry("its status list has no place \(size)") }
    return Set((1...size).filter { isRevoked[Int($0)] })
  }
}

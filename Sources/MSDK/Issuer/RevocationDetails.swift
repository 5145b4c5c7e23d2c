internal import Credentials
internal import JSON

/// The revocation settings of a definition: `{"support_revocation", "tails_file", "max_creds"}`. Nil members mean that
/// its credentials cannot be revoked.
package struct RevocationDetails: Sendable {
  /// The folder for the tails file, and the number of credentials in the registry.
  let registry: (folder: String, size: Int64)?

  /// The most credentials in one registry: its tails file then has 256 MB.
  private static let mostCredentials: Int64 = 1 << 20

  package init(parsing text: String) throws {
    do {
      let object = try JSON(parsing: text).requireObject()
      guard try object.optionalBool("support_revocation") ?? false else {
        registry = nil
        return
      }
      guard let folder = try object.optionalString("tails_file"), !folder.isEmpty,
        let size = try object.optionalInteger("max_creds")
      else { throw IssuingError.malformedRevocation("it needs \"tails_file\", a folder, and \"max_creds\", a number") }
      guard (1...Self.mostCredentials).contains(size) else {
        throw IssuingError.malformedRevocation("\"max_creds\" is not a number from 1 to \(Self.mostCredentials)")
      }
      registry = (folder, size)
    } catch let error as IssuingError {
      throw error
    } catch {
      throw IssuingError.malformedRevocation("\(error)")
    }
  }
}

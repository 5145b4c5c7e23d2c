package import JSON

/// A request for a presentation, read in full. The selection of credentials uses its items.
package struct PresentationRequest: Equatable, Sendable {
  package let message: PresentProofMessage
  package let content: AttachedContent
  /// The proof request.
  package let request: JSONObject

  /// The limit of items, beyond what any wallet presents at once.
  private static let maximumItems = 1_000

  package init(_ message: PresentProofMessage) throws(MessageError) {
    self.message = message
    content = try message.content()
    do {
      request = try JSON(parsing: content.text).requireObject()
      for key in ["requested_attributes", "requested_predicates"] {
        guard try request.optionalObject(key)?.count ?? 0 <= Self.maximumItems else {
          throw JSONError.wrongType(key: key, expected: "an object of at most \(Self.maximumItems) items")
        }
      }
    } catch let error as JSONError {
      throw .malformed(error)
    } catch {
      throw .otherType(expected: "a proof request")
    }
  }

  /// Reads the text of a request.
  package init(_ json: JSON) throws(MessageError) { try self.init(PresentProofMessage(.request, json)) }

  /// The request in the form for applications.
  package var summary: JSON {
    [
      "name": request["name"] ?? "", "version": request["version"] ?? "",
      "requested_attributes": request["requested_attributes"] ?? [:],
      "requested_predicates": request["requested_predicates"] ?? [:], "thid": .string(message.thread.thid),
    ]
  }
}

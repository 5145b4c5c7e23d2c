package import HTTP
internal import JSON

/// An agency's description of itself, which is not authenticated.
package struct AgencyIdentity: Sendable {
  package let did: String
  package let verkey: String
  /// The time of the agency's clock in seconds since 1970, if the answer has it.
  package let time: Int64?

  private static let maximumSize = 64 << 10

  /// Asks the agency at this URL.
  package init(at endpoint: String, over http: HTTPClient) throws(CloudAgentError) {
    let response: HTTPClient.Response
    do {
      response = try http.get(endpoint + "/agency", maximumBody: Self.maximumSize, repeating: true)
    } catch {
      throw .unreachable(error)
    }
    guard response.isSuccess else { throw .refused(status: response.status, Refusal(body: response.body)) }
    do {
      let object = try JSON(parsing: response.body).requireObject()
      (did, verkey) = (try object.string("DID"), try object.string("verKey"))
    } catch {
      throw .invalidAnswer("\(error)")
    }
    time = response.time
  }
}

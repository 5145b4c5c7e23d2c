package import HTTP

/// The way of envelopes to a mediator and back.
package protocol MediatorTransport: Sendable {
  /// Sends an envelope. Returns the envelopes that answer it, or that come meanwhile.
  func exchange(_ envelope: [UInt8], at endpoint: String) throws(CloudAgentError) -> [[UInt8]]
}

/// Posts envelopes. The response may bring one envelope.
package struct MediatorPosts: MediatorTransport {
  private let http: HTTPClient

  package init(over http: HTTPClient) { self.http = http }

  /// Mediators refuse any other media type, and also this one with parameters.
  private static let contentType = "application/didcomm-envelope-enc"
  /// A delivery has up to ten messages, each in base64 and in an envelope of the mediator.
  private static let maximumAnswer = 64 << 20

  package func exchange(_ envelope: [UInt8], at endpoint: String) throws(CloudAgentError) -> [[UInt8]] {
    let response: HTTPClient.Response
    do {
      response = try http.post(
        envelope, to: endpoint, contentType: Self.contentType, maximumBody: Self.maximumAnswer, repeating: true)
    } catch {
      throw error == .responseTooLarge ? CloudAgentError.tooMuch : CloudAgentError.unreachable(error)
    }
    guard response.isSuccess else { throw .refused(status: response.status, nil) }
    return response.body.isEmpty ? [] : [response.body]
  }
}

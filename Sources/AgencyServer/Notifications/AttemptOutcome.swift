internal import HTTP
internal import JSON

/// The result of an attempt to notify a receiver of a message.
enum AttemptOutcome: Equatable {
  case delivered
  /// A later attempt may succeed, but not within the next `pause` seconds.
  case failed(String, pause: Int = 0)
  /// No later attempt would succeed.
  case refused(String)
  /// The app was removed from the device, so nothing can be delivered there.
  case unregistered

  /// Reads the answer of a webhook or a sponsor.
  init(_ response: HTTPClient.Response) {
    self = response.isSuccess ? .delivered : .failed("status \(response.status)", pause: response.retryAfter)
  }

  /// Reads the result of a call of a webhook or a sponsor.
  init(_ result: Result<HTTPClient.Response, HTTPError>) {
    switch result {
    case .success(let response): self.init(response)
    case .failure(let error): self = .failed(error.description)
    }
  }

  /// Reads the answer of Firebase, which names its errors.
  init(ofFirebase response: HTTPClient.Response) {
    let error = response.isSuccess ? nil : Self.firebaseError(in: response.body)
    let reason = "status \(response.status)" + (error.map { " \($0)" } ?? "")
    self =
      switch response.status {
      case 200..<300: .delivered
      case 400..<500 where error == "UNREGISTERED": .unregistered
      case 401, 408, 429: .failed(reason, pause: response.retryAfter)
      case 400..<500: .refused(reason)
      default: .failed(reason, pause: response.retryAfter)
      }
  }

  /// Returns Firebase's own name for the error, or if it has none, the status.
  private static func firebaseError(in body: [UInt8]) -> String? {
    let error = (try? JSON(parsing: body))?["error"]
    let names = (error?["details"]?.array ?? []).map { $0["errorCode"]?.string } + [error?["status"]?.string]
    return names.lazy.compactMap { $0 }.first { name in
      name.utf8.count <= 64 && name.utf8.allSatisfy { 0x41...0x5a ~= $0 || $0 == UInt8(ascii: "_") }
    }
  }
}

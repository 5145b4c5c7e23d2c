package import JSON

/// The attestation of a device and its app by the device's maker. It travels in a token, and only the agency and the
/// sponsor know how to read it.
package struct Attestation: Equatable, Sendable {
  /// The attesting service.
  package enum Algorithm: String, CaseIterable, Sendable {
    /// Google's service, for Android.
    case safetyNet = "SafetyNet"
    /// Apple's service, for iOS.
    case deviceCheck = "DeviceCheck"
  }

  package let algorithm: Algorithm
  package let data: String

  /// Reads the two members of a token. Returns nil if both are missing; throws if only one is missing.
  package init?(_ token: JSONObject) throws(JSONError) {
    let algorithm = try token.optionalString(Self.algorithmKey)
    let data = try token.optionalString(Self.dataKey)
    switch (algorithm, data) {
    case (nil, nil): return nil
    case (nil, _?): throw .missing(key: Self.algorithmKey)
    case (_?, nil): throw .missing(key: Self.dataKey)
    case (let name?, let data?):
      guard let algorithm = Algorithm(rawValue: name) else {
        throw .wrongType(key: Self.algorithmKey, expected: "SafetyNet or DeviceCheck")
      }
      self.algorithm = algorithm
      self.data = data
    }
  }

  static let algorithmKey = "attestationAlgorithm"
  static let dataKey = "attestationData"
}

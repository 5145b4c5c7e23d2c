internal import DIDComm
internal import JSON

extension JSONObject {
  func verkey(_ key: String) throws(JSONError) -> VerKey {
    guard let verkey = try? VerKey(string(key)) else { throw .wrongType(key: key, expected: "a verkey") }
    return verkey
  }
}

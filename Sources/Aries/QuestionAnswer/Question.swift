package import DIDComm
internal import JSON
internal import Sodium
package import Time

/// `questionanswer/1.0/question` (RFC 0113): a question with a choice of responses.
package struct Question: Equatable, Sendable {
  package static let type = MessageType("questionanswer", 1, 0, "question")
  package let id: String
  package let text: String
  /// Ties a signed answer to this question. Present if a signature is required.
  package let nonce: String?
  package let requiresSignature: Bool
  package let responses: [String]
  package let expiry: Timestamp?
  package let thread: Thread

  init(_ object: JSONObject) throws(JSONError) {
    id = try object.string("@id")
    text = try object.string("question_text")
    requiresSignature = try object.optionalBool("signature_required") ?? false
    nonce = requiresSignature ? try object.string("nonce") : try object.optionalString("nonce")
    var responses: [String] = []
    for response in try object.array("valid_responses") {
      responses.append(try response.requireObject().string("text"))
    }
    self.responses = responses
    expiry = try object.expiry()
    thread = Thread(of: object)
  }

  /// The answer as JSON, signed with `pair` if the question asks for it.
  func answer(_ response: String, in thread: Thread, id: String, at time: Timestamp, by pair: KeyPair) -> JSON {
    var answer: JSON = [
      "@type": .string(MessageType("questionanswer", 1, 0, "answer").text), "@id": .string(id), "~thread": thread.json,
      "~timing": ["out_time": .string(time.text)], "response": .string(response),
    ]
    if requiresSignature { answer["response~sig"] = signature(of: response, by: pair) }
    return answer
  }

  /// The hash of question, response and nonce, concatenated without separators (RFC 0113).
  func signedHash(of response: String) -> [UInt8] { sha512(Array((text + response + (nonce ?? "")).utf8)) }

  private func signature(of response: String, by pair: KeyPair) -> JSON {
    let hash = signedHash(of: response)
    return [
      "@type": .string(MessageType("questionanswer", 1, 0, "ed25519Sha512_single").text),
      "signers": [.string(pair.verkey.text)],
      "sig_data": .string(Base64.encode(hash, .url)),
      "signature": .string(Base64.encode(pair.sign(hash), .url)),
    ]
  }
}

extension JSONObject {
  /// `~timing.expires_time` (RFC 0032). Nil if it is absent. Throws if it is not a time.
  func expiry() throws(JSONError) -> Timestamp? {
    guard let text = try optionalObject("~timing")?.optionalString("expires_time") else { return nil }
    guard let time = Timestamp(text) else { throw .wrongType(key: "expires_time", expected: "a time") }
    return time
  }
}

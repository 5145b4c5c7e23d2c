package import DIDComm
internal import JSON
internal import Sodium
package import Time

/// `committedanswer/1.0/question`, Evernym's question: every response has a nonce, and the answer is always signed.
package struct CommittedQuestion: Equatable, Sendable {
  package static let type = MessageType("committedanswer", 1, 0, "question")
  package let id: String
  package let text: String
  package let responses: [Response]
  package let expiry: Timestamp?
  package let thread: Thread

  package struct Response: Equatable, Sendable {
    package let text: String
    package let nonce: String
  }

  init(_ object: JSONObject) throws(JSONError) {
    id = try object.string("@id")
    text = try object.string("question_text")
    var responses: [Response] = []
    for element in try object.array("valid_responses") {
      let response = try element.requireObject()
      responses.append(Response(text: try response.string("text"), nonce: try response.string("nonce")))
    }
    self.responses = responses
    expiry = try object.expiry()
    thread = Thread(of: object)
  }

  /// The answer as JSON. It names the response by its nonce alone; the signature is over the base64 text of the nonce.
  func answer(nonce: String, in thread: Thread, id: String, at time: Timestamp, by pair: KeyPair) -> JSON {
    let data = Self.signedText(of: nonce)
    return [
      "@type": .string(MessageType("committedanswer", 1, 0, "answer").text), "@id": .string(id),
      "~thread": thread.json,
      "response.@sig": [
        "signature": .string(Base64.encode(pair.sign(Array(data.utf8)), .standard)),
        "sig_data": .string(data), "timestamp": .string("\(time.seconds)"),
      ],
    ]
  }

  /// The text that an answer's signature covers: any base64 text that the asking peer chooses.
  static func signedText(of nonce: String) -> String { Base64.encode(Array(nonce.utf8), .standard) }
}

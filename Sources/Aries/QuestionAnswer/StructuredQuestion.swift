internal import DIDComm
package import JSON
package import Sodium
package import Time

/// A question of either protocol that asks for one of several responses.
package enum StructuredQuestion: Equatable, Sendable {
  case question(Question)
  case committed(CommittedQuestion)

  /// Reads a question. Its type selects the protocol.
  package init(_ json: JSON) throws(MessageError) {
    do {
      let object = try json.requireObject()
      let type = MessageType(try object.string("@type"))
      if type?.matches(Question.type) ?? false {
        self = .question(try Question(object))
      } else if type?.matches(CommittedQuestion.type) ?? false {
        self = .committed(try CommittedQuestion(object))
      } else {
        throw JSONError.wrongType(key: "@type", expected: "the type of a question")
      }
    } catch let error as JSONError {
      throw .malformed(error)
    } catch {
      throw .malformed(.wrongType(key: nil, expected: "a question"))
    }
  }

  /// The conversation of the question.
  package var thread: Thread {
    switch self {
    case .question(let question): question.thread
    case .committed(let question): question.thread
    }
  }

  /// The time after which an answer is too late; nil if the question has no such time.
  package var expiry: Timestamp? {
    switch self {
    case .question(let question): question.expiry
    case .committed(let question): question.expiry
    }
  }
}

// MARK: - Answers

extension StructuredQuestion {
  /// Returns the offered response that the application has chosen. Throws if the question does not offer it, or is too
  /// late for an answer at `time`; if a signed answer would not distinguish it from another response; or if its
  /// signature would also be valid for something other than an answer. Texts are compared by their bytes, which the
  /// signature covers.
  package func offered(_ choice: Choice, at time: Timestamp) throws(QuestionError) -> OfferedResponse {
    if let expiry, expiry < time { throw .expired }
    let fitting = responses.first { response in
      guard let chosen = choice.nonce, let nonce = response.nonce else { return response.text.isSame(as: choice.text) }
      return response.text.isSame(as: choice.text) && nonce.isSame(as: chosen)
    }
    guard let fitting else { throw .notOffered }
    if case .committed = self, let nonce = fitting.nonce {
      let others = responses.filter { !$0.text.isSame(as: fitting.text) }
      guard !others.contains(where: { $0.nonce?.isSame(as: nonce) ?? false }) else { throw .ambiguous }
      guard !ProprietaryParty.isSignedText(CommittedQuestion.signedText(of: nonce)) else { throw .misleading }
    }
    return fitting
  }

  private var responses: [OfferedResponse] {
    switch self {
    case .question(let question):
      let nonce = question.requiresSignature ? question.nonce : nil
      return question.responses.map { OfferedResponse(text: $0, nonce: nonce) }
    case .committed(let question):
      return question.responses.map { OfferedResponse(text: $0.text, nonce: $0.nonce) }
    }
  }

  /// The answer as JSON. `pair`, this side's pairwise key, signs it if necessary.
  package func answer(
    _ response: OfferedResponse, in thread: Thread, id: String, at time: Timestamp, by pair: KeyPair
  ) -> JSON {
    switch self {
    case .question(let question):
      question.answer(response.text, in: thread, id: id, at: time, by: pair)
    case .committed(let question):
      question.answer(nonce: response.nonce ?? "", in: thread, id: id, at: time, by: pair)
    }
  }

  /// The bytes that the signature of an answer covers.
  package func signedBytes(of response: OfferedResponse) -> [UInt8] {
    switch self {
    case .question(let question): question.signedHash(of: response.text)
    case .committed: Array(CommittedQuestion.signedText(of: response.nonce ?? "").utf8)
    }
  }

  /// The question and the response, which an answer combines beyond its nonce.
  package func statement(_ response: OfferedResponse) -> String {
    switch self {
    case .question(let question): JSON([question.text, response.text]).text
    case .committed(let question): JSON([question.text, response.text]).text
    }
  }
}

/// A response that a question offers.
package struct OfferedResponse: Equatable, Sendable {
  package let text: String
  /// The nonce that a signature covers. Nil if the answer is not signed.
  package let nonce: String?
}

/// The reasons why a question gets no answer.
package enum QuestionError: Error, Equatable, Sendable {
  /// The question does not offer the response.
  case notOffered
  /// The time for an answer has passed.
  case expired
  /// The question gives two responses one nonce, and a signed answer names only the nonce.
  case ambiguous
  /// The signed nonce would be a proof of Evernym's protocol for connections.
  case misleading
  /// This side has signed another answer with this nonce, or with the same signature.
  case answered
}

extension QuestionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notOffered: "the question does not offer this response"
    case .expired: "the time for an answer to the question has passed"
    case .ambiguous: "the question gives two responses the same nonce, so a signature would not tell them apart"
    case .misleading: "the signed nonce would prove something else: it names a DID and a key"
    case .answered: "another answer with the nonce of this question, or with the same signature, is signed already"
    }
  }
}

extension String {
  /// Whether both texts have the same bytes. `==` also equates texts whose characters are encoded differently.
  fileprivate func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

/// The application's choice of a response: `{"text": …, "nonce": …}`.
package struct Choice: Equatable, Sendable {
  package let text: String
  /// Only a committed answer uses it; the default is the question's own nonce for the text.
  package let nonce: String?

  package init(_ json: JSON) throws(JSONError) {
    let object = try json.requireObject()
    text = try object.string("text")
    nonce = try object.optionalString("nonce")
  }
}

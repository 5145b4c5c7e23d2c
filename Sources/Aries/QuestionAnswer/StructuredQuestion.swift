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

  /// The time after which an answer is too late; nil if there is none.
  package var expiry: Timestamp? {
    switch self {
    case .question(let question): question.expiry
    case .committed(let question): question.expiry
    }
  }

  /// The answer as JSON. `pair`, this side's pairwise key, signs it if necessary.
  package func answer(
    _ choice: Choice, in thread: Thread, id: String, at time: Timestamp, by pair: KeyPair
  ) throws(MessageError) -> JSON {
    switch self {
    case .question(let question):
      return question.answer(choice.text, in: thread, id: id, at: time, by: pair)
    case .committed(let question):
      guard let nonce = choice.nonce ?? question.responses.first(where: { $0.text == choice.text })?.nonce else {
        throw .malformed(.missing(key: "nonce"))
      }
      return question.answer(nonce: nonce, in: thread, id: id, at: time, by: pair)
    }
  }
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

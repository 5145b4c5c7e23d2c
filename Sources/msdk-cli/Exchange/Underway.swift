internal import JSON
internal import ProgramArguments

/// An answer that a command has begun to send. The other side may have it, so that no other answer may follow. The wallet has it
/// in the record of the exchange.
enum Underway: Equatable {
  /// A refusal or a withdrawal, with the user's words.
  case decline(reason: String?)
  /// A request for the offered credential.
  case request
  /// A proposal of these values, as JSON text, with the user's words.
  case proposal(String, comment: String?)

  /// The same answer: proposals are compared by the meaning of their values.
  func isSame(as other: Underway) -> Bool {
    guard case (.proposal(let values, let comment), .proposal(let others, let words)) = (self, other) else {
      return self == other
    }
    return comment == words && (try? JSON(parsing: values)) == (try? JSON(parsing: others))
  }

  var isRefusal: Bool { if case .decline = self { true } else { false } }

  /// The word in the results of `--json`.
  var word: String {
    switch self {
    case .decline: "decline"
    case .request: "request"
    case .proposal: "proposal"
    }
  }

  /// The sentence that names the only commands that may follow. `number` is the number of the exchange.
  func sentence(_ number: Int) -> String {
    switch self {
    case .decline: "The other side may know that you decline: `msdk decline \(number)` tells it again."
    case .request: "The issuer may have your request: `msdk accept \(number)` sends the same one again."
    case .proposal:
      "The issuer may have your proposal: `msdk propose \(number)` with the same words sends it again, "
        + "`msdk decline \(number)` ends the offer."
    }
  }
}

// MARK: - In the wallet

extension Underway {
  /// Returns nil for null and for anything else.
  init?(_ json: JSON?) {
    switch json?["answer"]?.string {
    case "decline": self = .decline(reason: json?["reason"]?.string)
    case "request": self = .request
    case "proposal":
      guard let values = json?["values"]?.string else { return nil }
      self = .proposal(values, comment: json?["comment"]?.string)
    default: return nil
    }
  }

  var json: JSON {
    switch self {
    case .request: ["answer": .string(word)]
    case .decline(let reason): ["answer": .string(word), "reason": JSON(reason)]
    case .proposal(let values, let comment):
      ["answer": .string(word), "values": .string(values), "comment": JSON(comment)]
    }
  }
}

internal import JSON

extension JSONObject {
  var names: Set<ExactText> { Set(keys.map(ExactText.init)) }
}

extension JSON? {
  /// The object, if it has exactly the members with these names. Throws the check for anything else.
  func members(
    _ names: [String], _ check: SoundnessCheck = .members
  ) throws(SoundnessCheck) -> JSONObject {
    guard let object = self?.object, object.count == names.count, object.names == Set(names.map(ExactText.init)) else {
      throw check
    }
    return object
  }

  /// The number of a canonical decimal text. Throws `.numbers` for anything else.
  func number() throws(SoundnessCheck) -> Natural { try answer().number }

  /// The number of a canonical decimal text, with the text. Throws `.numbers` for anything else.
  func answer() throws(SoundnessCheck) -> Answer {
    guard let text = self?.string, let number = Natural(decimal: text) else { throw .numbers }
    return Answer(text: text, number: number)
  }
}

extension JSONObject {
  /// The numbers of all members.
  func answers() throws(SoundnessCheck) -> [ExactText: Answer] {
    var answers: [ExactText: Answer] = [:]
    for (name, value) in members { answers[ExactText(name)] = try Optional(value).answer() }
    return answers
  }
}

/// A number of a proof, with its text.
struct Answer: Equatable {
  let text: String
  let number: Natural
}

extension ExactText {
  /// The name of the link secret among the bases of a key.
  static let linkSecret = ExactText("master_secret")
}

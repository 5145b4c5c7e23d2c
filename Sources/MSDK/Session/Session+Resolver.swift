package import Registry
internal import Threading

// The program's own answers for ids of methods that this library does not know.

extension Session {
  private static let program = Locked<(name: UInt32, registry: ProgramRegistry)?>(nil)

  static var resolver: ProgramRegistry? { program.withLock { $0?.registry } }

  /// Asks the program with `ask` from now on, until `removeResolver`. Returns false if it has a resolver already.
  package static func setResolver(named name: UInt32, _ ask: @escaping ProgramRegistry.Ask) -> Bool {
    program.withLock { program in
      guard program == nil else { return false }
      program = (name, ProgramRegistry(ask: ask))
      return true
    }
  }

  /// Takes the program's answer to the question with this number.
  package static func takeAnswer(_ answer: String, to number: UInt32) throws(ProgramAnswerError) {
    guard let resolver else { throw .unexpected }
    try resolver.take(answer, to: number)
  }

  /// Ends the program's resolver of this name, or of any name, and its questions.
  package static func removeResolver(named name: UInt32? = nil) {
    let ended = program.withLock { program -> ProgramRegistry? in
      guard let present = program, name ?? present.name == present.name else { return nil }
      program = nil
      return present.registry
    }
    ended?.close()
  }
}

package import Registry
internal import Threading

/// The place of an agent's resolver: the program's own answers for ids of methods that this library does not know.
package final class ProgramResolver: Sendable {
  private let present = Locked<(name: UInt32, registry: ProgramRegistry)?>(nil)

  /// The program as a registry; nil without a resolver.
  package var registry: ProgramRegistry? { present.withLock { $0?.registry } }

  /// Asks the program with `ask` from now on, until `remove`. Returns false if there is a resolver already.
  package func set(named name: UInt32, _ ask: @escaping ProgramRegistry.Ask) -> Bool {
    present.withLock { present in
      guard present == nil else { return false }
      present = (name, ProgramRegistry(ask: ask))
      return true
    }
  }

  /// Takes the program's answer to the question with this number.
  package func take(_ answer: String, to number: UInt32) throws(ProgramAnswerError) {
    guard let registry else { throw .unexpected }
    try registry.take(answer, to: number)
  }

  /// Ends the resolver of this name, or of any name, and its questions.
  package func remove(named name: UInt32? = nil) {
    let ended = present.withLock { present -> ProgramRegistry? in
      guard let former = present, name ?? former.name == former.name else { return nil }
      present = nil
      return former.registry
    }
    ended?.close()
  }
}

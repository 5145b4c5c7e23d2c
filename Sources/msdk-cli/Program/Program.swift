internal import AnonCreds
internal import IndyVDR
internal import Platform
internal import ProgramArguments
internal import Registry
internal import Wallet

/// One run of the program.
struct Program {
  private let words: [String]

  init(_ words: [String]) { self.words = words }

  /// The exit status of the program.
  enum Ending: Int32 {
    case done = 0
    /// The reason is on standard error.
    case failed = 1
    /// The command line is wrong; the reason is on standard error.
    case misused = 2
    /// `verify` completed and found faults.
    case foundFaults = 3
    /// The user pressed Ctrl-C at a prompt.
    case interrupted = 130
  }

  func run() -> Ending {
    do {
      switch try Request(words) {
      case .help(let text):
        try Terminal.writeResult(text)
        return .done
      case .nothing:
        Terminal.write(Help.program, to: STDERR_FILENO)
        return .misused
      case .run(let arguments):
        return try arguments.command.run(arguments)
      }
    } catch let error as UsageError {
      complain(error.text + " `\(error.help)` says more.")
      return .misused
    } catch let error as Failure {
      complain(error.text)
      return .failed
    } catch is Interruption {
      return .interrupted
    } catch {
      complain(asSentence("\(error)") + remedy(error))
      return .failed
    }
  }

  /// The user's next step after an error of the library, as a sentence; empty if the error itself says it.
  private func remedy(_ error: any Error) -> String {
    switch error {
    case AnonCredsError.unavailable, LedgerError.unavailable: " `msdk doctor` prints the line that installs it."
    case let error as RegistryFailure where error.error == .notConfigured:
      " The configuration's member \"anoncreds_registries\" or \"genesis_path\" names the place where issuers publish; "
        + "so does --registry of `msdk provision`."
    default: ""
    }
  }

  private func complain(_ text: String) { Terminal.complain(text) }
}

/// A mistake in the command line. The text is a sentence; `help` is the command that says more.
struct UsageError: Error {
  let text: String
  let help: String

  init(_ text: String, of command: Command? = nil) {
    self.text = text
    help = ["msdk", command?.name, "--help"].compactMap { $0 }.joined(separator: " ")
  }
}

/// A failed task. The text is a sentence.
struct Failure: Error {
  let text: String

  init(_ text: String) { self.text = text }
}

/// The user pressed Ctrl-C at a prompt.
struct Interruption: Error {}

internal import Files
internal import Platform
internal import ProgramArguments
internal import Sodium
internal import Wallet

/// The turns of commands that run at the same time with one wallet: an exchange or a connection goes on in one command at a
/// time. A turn covers the reading of the record, the message to the other side, and the writing of the record. It ends with
/// the process too.
///
/// The turns are locks of places in a file beside the wallet's database. A command that asks its user has no turn.
struct Turns {
  private let path: String

  init(of wallet: WalletLocation) { path = wallet.directory + "/turns.lock" }

  enum Subject {
    case exchange(Int)
    /// A connection with this name.
    case connection(String)
    /// The connections by an invitation with this id.
    case invitation(String)

    fileprivate var place: Int64 {
      let text =
        switch self {
        case .exchange(let number): "exchange \(number)"
        case .connection(let name): "connection \(name)"
        case .invitation(let invitation): "invitation \(invitation)"
        }
      return sha256(Array(text.utf8)).prefix(7).reduce(0) { $0 << 8 | Int64($1) }
    }
  }

  /// The longest time for which another command's turn lasts: its peer, and its Cloud Agent, may be silent.
  private static let patience = 180_000

  /// Runs `body` in a turn. Waits while another command has the turn.
  func take<Result>(_ subject: Subject, _ body: () throws -> Result) throws -> Result {
    let end = MonotonicTime.now.after(milliseconds: Self.patience)
    let lock = try Progress.showing("waiting for another command") {
      while end.millisecondsLeft > 0 {
        if let lock = try place(of: subject) { return lock }
        Terminal.sleep(milliseconds: 50)
      }
      throw Failure("Another command goes on with this, and does not end.")
    }
    return try withExtendedLifetime(lock, body)
  }

  /// Runs `body` in a turn, unless another command has the turn.
  func takeIfFree(_ subject: Subject, _ body: () throws -> Void) throws {
    guard let lock = try place(of: subject) else { return }
    try withExtendedLifetime(lock, body)
  }

  private func place(of subject: Subject) throws(Failure) -> PlaceLock? {
    do { return try PlaceLock(subject.place, of: path) } catch {
      throw Failure("The commands cannot take turns by the file \(quoted(path)): \(error).")
    }
  }
}

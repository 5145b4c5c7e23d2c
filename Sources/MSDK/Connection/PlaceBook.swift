internal import Aries
internal import JSON
internal import Logging
internal import Sodium
internal import Wallet

/// The wallet's notes about the last message that each completed connection has looked at in its mailbox. With them,
/// another process does not look again at messages that stay for the application.
struct PlaceBook {
  private let records: LibraryRecords
  private let wallet: Wallet

  init(wallet: Wallet) {
    records = LibraryRecords(of: "msdk.place", in: wallet)
    self.wallet = wallet
  }

  /// The id of the last message that the connection has looked at. Nil if it is unknown, or if the messages before it
  /// may concern the connection in its present state.
  func place(of connection: Connection) -> String? {
    guard let state = connection.readingState, let value = try? records.find(connection.pairwiseDID)?.value,
      let note = try? JSON(parsing: value), note["state"]?.string == state
    else { return nil }
    return note["last"]?.string
  }

  /// Notes the last message. If that fails, it only logs the failure, and the messages are looked at once more.
  func note(_ last: String, of connection: Connection) {
    guard let state = connection.readingState else { return }
    let note: JSON = ["state": .string(state), "last": .string(last)]
    do { try wallet.make([records.putting(connection.pairwiseDID, value: note.text)]) } catch {
      Log.warning("the place in a mailbox could not be noted: \(error)")
    }
  }

  /// Forgets a deleted connection.
  func strike(_ pairwiseDID: String) { try? wallet.make([records.removing(pairwiseDID)]) }
}

extension Connection {
  /// Increase it when a completed connection applies further messages: it then looks at all of them again.
  private static let rules = 1

  /// Identifies the facts that decide which messages concern a completed connection. Nil in other states.
  fileprivate var readingState: String? {
    guard case .completed(var facts) = machine else { return nil }
    facts.protocols = JSONText(.null)
    var text = JSONWriter()
    ConnectionMachine.completed(facts).write(to: &text)
    return .uuid(derivedFrom: "\(Self.rules)" + text.text)
  }
}

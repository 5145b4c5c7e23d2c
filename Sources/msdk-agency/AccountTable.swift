internal import AgencyServer
internal import JSON
internal import Time

/// A printed list of accounts, line by line.
struct AccountTable {
  enum Form {
    /// For people: columns.
    case text
    /// For programs: a line of JSON for each account.
    case json
  }

  private let form: Form
  private var accounts = 0
  private var holdings = Holdings()

  init(_ form: Form) { self.form = form }

  var head: String {
    switch form {
    case .json: ""
    case .text:
      Self.row(
        "DID", "STATE", "CREATED", "LAST SEEN", ["MAILBOXES", "UNREAD", "READ", "BYTES"], "SPONSOR / SPONSEE")
    }
  }

  /// Counts the account, and returns its line.
  mutating func line(_ account: AccountSummary) -> String {
    accounts += 1
    holdings += account.holdings
    switch form {
    case .json: return account.json.text + "\n"
    case .text:
      let sponsored = [account.sponsorID, account.sponseeID].compactMap(\.self).joined(separator: " / ")
      return Self.row(
        account.did, account.state, Timestamp(seconds: account.created).minute,
        Timestamp(seconds: account.lastSeen).minute,
        Self.numbers(account.holdings), sponsored.printable)
    }
  }

  /// The last line: the sum of all accounts.
  var sum: String {
    switch form {
    case .json:
      let members = [("accounts", JSON.integer(Int64(accounts)))] + holdings.members
      return JSON.object(["total": .object(JSONObject(members))]).text + "\n"
    case .text: return Self.row("\(accounts) accounts", "", "", "", Self.numbers(holdings), "")
    }
  }

  private static func numbers(_ holdings: Holdings) -> [String] {
    [holdings.mailboxes, holdings.unread, holdings.read, holdings.bytes].map { "\($0)" }
  }

  private static func row(
    _ did: String, _ state: String, _ created: String, _ seen: String, _ numbers: [String], _ sponsored: String
  ) -> String {
    let texts = [did.padded(to: 22), state.padded(to: 10), created.padded(to: 16), seen.padded(to: 16)]
    let figures = zip(numbers, [9, 7, 7, 12]).map { $0.padded(to: $1, onTheLeft: true) }
    var line = (texts + figures + [sponsored]).joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line + "\n"
  }
}

extension AccountSummary {
  fileprivate var json: JSON {
    let texts = [("did", did), ("state", state), ("sponsorId", sponsorID), ("sponseeId", sponseeID)]
    let named = texts.compactMap { key, text in text.map { (key, JSON.string($0)) } }
    let times = [("created", JSON.integer(created)), ("lastSeen", .integer(lastSeen))]
    return .object(JSONObject(named + times + holdings.members))
  }
}

extension Holdings {
  fileprivate var members: [(String, JSON)] {
    [("mailboxes", mailboxes), ("unread", unread), ("read", read), ("bytes", bytes)].map { key, number in
      (key, .integer(Int64(number)))
    }
  }
}

extension String {
  fileprivate func padded(to width: Int, onTheLeft: Bool = false) -> String {
    let padding = String(repeating: " ", count: max(0, width - count))
    return onTheLeft ? padding + self : self + padding
  }

  /// Escapes characters that would control a terminal, since the text comes from users.
  fileprivate var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.isShown ? $0 : "?" }))
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isShown: Bool {
    ![.control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse].contains(generalCategory)
  }
}

/// The circumstances of one request to the agency.
package struct Visit: Sendable {
  /// The origin of the request.
  let visitor: Visitor

  /// Whether the sender has proved to be the account's owner, and not only a mailbox's: it may then take one of the account's
  /// places for waiting clients.
  var mayWait = true

  /// Reserves so many bytes for the answer, at the expense of parties. Returns false if too little memory is left.
  private let reserve: @Sendable (_ count: Int, _ parties: [String]) -> Bool

  package init(
    of visitor: Visitor = .machine,
    reserve: @escaping @Sendable (_ count: Int, _ parties: [String]) -> Bool = { _, _ in true }
  ) {
    self.visitor = visitor
    self.reserve = reserve
  }

  /// The memory that an answer takes while it is made, for each byte of its content: the content itself, its text in base64,
  /// and the envelope.
  private static let growth = 3

  /// Reserves memory for an answer with so many bytes of content, before it is made. The account pays, and so does the
  /// visitor's address: otherwise a few accounts with answers that nobody reads would take the memory of all.
  func reserveAnswer(of count: Int, for accountID: Int64) throws(RequestError) {
    let parties = ["account \(accountID)"] + (visitor.address.map { ["answers to \($0)"] } ?? [])
    guard count == 0 || reserve(Self.growth * count, parties) else { throw .tooBusy }
  }
}

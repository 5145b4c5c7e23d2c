/// The pace of a subscription's looks for messages beside the Cloud Agent's line, which nobody can trust blindly: a mediator
/// may answer that it delivers at once, and never deliver.
struct LookPace: Sendable {
  private(set) var isOpen = false
  /// Whether no look beside the open line has found a message first.
  private var isTrusted = true
  /// Whether the silence of the line proves that there is no message.
  private var isProven = false
  /// Whether the next look follows a delivery.
  private var followsDelivery = false

  /// The milliseconds between the looks beside an open line whose silence proves nothing. Each look that finds nothing doubles
  /// them.
  private var pause = firstPause

  private static let (firstPause, longestPause) = (60_000, 300_000)

  /// The milliseconds between the looks beside a line whose silence proves that there is no message, and without a line.
  private static let (rare, fast) = (600_000, 2_000)

  /// The milliseconds until the next look.
  var milliseconds: Int {
    guard !followsDelivery else { return Self.afterDelivery }
    guard isOpen, isTrusted else { return Self.fast }
    return isProven ? Self.rare : pause
  }

  /// The milliseconds until a look after a line has delivered messages. A mediator such as ACA-Py holds back a message that
  /// arrives while it sends another one, until it hears from the client.
  private static let afterDelivery = 1_000

  /// The milliseconds until the first look after a line has failed.
  static let afterFailure = fast

  /// The line is open. `isSure` tells whether its silence proves that no message has come.
  mutating func open(isSure: Bool) { (isOpen, isProven, pause) = (true, isSure, Self.firstPause) }

  /// The line has told of messages.
  mutating func noteArrival() { isTrusted = true }

  /// The line has delivered messages, and may hold others back.
  mutating func noteDelivery() { followsDelivery = true }

  /// A look beside the line has ended. A message that it finds is one of which the open line has not told, unless the look
  /// follows a delivery: then the line held the message back, and may hold back another one.
  mutating func noteLook(found isAny: Bool) {
    if isAny {
      if isOpen, !followsDelivery { (isTrusted, isProven, pause) = (false, false, Self.firstPause) }
    } else {
      if isOpen, isTrusted, !followsDelivery { pause = min(2 * pause, Self.longestPause) }
      followsDelivery = false
    }
  }

  mutating func close() { (isOpen, followsDelivery) = (false, false) }
}

import DIDComm

/// The parameters of the measurement, from the command line.
struct Options {
  struct Wrong: Error { let text: String }

  static let usage = """
    usage: agency-load --agency PATH --data DIR [--database URI] [sizes]
           agency-load --mediator ENDPOINT --routing-key VERKEY --recipient VERKEY --process PID [sizes]

    The first fills the store of an agency that never ran in DIR, starts that program on it, and drives it. The second
    drives whatever takes forwards at ENDPOINT for RECIPIENT. Figures are lines of JSON.

      --accounts N    accounts in the store (default 1000)
      --messages N    messages waiting in them (default 10000)
      --forwards N    forwards to send (default 5000)
      --waiting N     clients that wait for messages (default 1000)
      --threads N     requests at the same time (default 16)
      --payload N     bytes of text in a message (default 1000)
      --peer NAME     what the figures are said to be of
    """

  private var values: [String: String] = [:]

  private static let names: Set = [
    "--agency", "--data", "--database", "--mediator", "--routing-key", "--recipient", "--accounts", "--messages",
    "--process", "--forwards", "--waiting", "--threads", "--payload", "--peer",
  ]

  init(_ arguments: some Collection<String>) throws {
    var rest = arguments.makeIterator()
    while let name = rest.next() {
      guard Self.names.contains(name), let value = rest.next() else { throw Wrong(text: name) }
      values[name] = value
    }
  }

  subscript(name: String) -> String? { values[name] }

  func text(_ name: String) throws -> String {
    guard let value = values[name] else { throw Wrong(text: name) }
    return value
  }

  func number(_ name: String, default number: Int) throws -> Int {
    guard let text = values[name] else { return number }
    guard let number = Int(text), number > 0 else { throw Wrong(text: name) }
    return number
  }

  func verkey(_ name: String) throws -> VerKey {
    guard let verkey = try? VerKey(anyForm: text(name)) else { throw Wrong(text: name) }
    return verkey
  }
}

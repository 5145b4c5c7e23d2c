@testable import WebSocket

extension FuzzTarget {
  /// A server's bytes: its frames, and its answer to the request for a WebSocket. The sizes of the pieces that they come in
  /// change nothing.
  static let webSocket = FuzzTarget("websocket") { input in
    try checkFrames(input)
    try checkOpening(input)
  }

  private static let maximumMessage = 1 << 16

  private static func checkFrames(_ input: [UInt8]) throws {
    var session = ClientSession(maximumMessage: maximumMessage) { [UInt8](repeating: 7, count: $0) }
    var slow = session
    let events = session.take(input)
    try expect(input.flatMap { slow.take([$0]) } == events, "the frames mean something else byte by byte")
    try expect(session.isOpen == slow.isOpen, "the session is open for one reader only")
    for (index, event) in events.enumerated() {
      switch event {
      case .message(let message):
        try expect(message.bytes.count <= maximumMessage, "a message is over the limit")
        let isText = String(validating: message.bytes, as: UTF8.self) != nil
        try expect(message.kind == .binary || isText, "a text is not UTF-8")
      case .answer(let frame): try expect(isControlFrame(frame), "an answer is no control frame of a client")
      case .closed, .violated:
        try expect(index == events.count - 1 && !session.isOpen, "something follows the end")
        try expect(session.take([0x89, 0]).isEmpty, "a ping after the end is answered")
      }
    }
  }

  private static func isControlFrame(_ frame: [UInt8]) -> Bool {
    frame.count >= 6 && frame[0] & 0xf8 == 0x88 && Int(frame[1]) == 0x80 + frame.count - 6
  }

  /// The answer byte by byte: its result, or its error.
  private static func checkOpening(_ input: [UInt8]) throws {
    guard let url = WebSocketURL("ws://127.0.0.1/") else { return }
    var opening = OpeningHandshake(url) { [UInt8](repeating: 7, count: $0) }
    var slow = opening
    let result = Result { try opening.take(input) }
    let slowly = Result { () throws -> [UInt8]? in
      for (index, byte) in input.enumerated() {
        if let rest = try slow.take([byte]) { return rest + input[(index + 1)...] }
      }
      return nil
    }
    switch (result, slowly) {
    case (.success(let rest), .success(let slowRest)):
      try expect(rest == slowRest, "the answer ends elsewhere byte by byte")
    case (.failure, .failure): break
    default: throw Finding(description: "the answer is accepted only in one form")
    }
  }
}

import JSON

@testable import Aries
@testable import Files
@testable import MSDK

extension FuzzTarget {
  /// Messages of peers, to connections in every state.
  static let messages = FuzzTarget("messages") { input in
    guard let json = try? JSON(parsing: input) else { return }
    for machine in try machines.get() { try checkReceiving(json, by: machine) }
    _ = try? Attachment(firstOf: json)
    _ = try? StructuredQuestion(json)
  }

  /// Connections that an application has kept.
  static let connections = FuzzTarget("connections") { input in
    guard let connection = try? MSDK.Connection(serialized: String(decoding: input, as: UTF8.self)) else { return }
    let text = connection.serialized(institutionDID: nil)
    let restored = try? MSDK.Connection(serialized: text)
    try expect(restored != nil, "a connection that was serialized is not restored")
    _ = connection.invitationText
    _ = connection.state
    _ = connection.peer
  }

  private static let machines = Result { () throws -> [ConnectionMachine] in
    let folder = (#filePath.split(separator: "/").dropLast(3) + ["Fixtures", "connections"]).joined(separator: "/")
    return try Files.names(in: "/" + folder).sorted().map { name in
      let text = try Files.contents(of: "/\(folder)/\(name)", limit: 1 << 20)
      return try MSDK.Connection(serialized: String(decoding: text, as: UTF8.self)).machine
    }
  }
}

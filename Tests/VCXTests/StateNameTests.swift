import Foundation
import Testing

@testable import MSDK
@testable import VCX

/// The names of states.
@Suite struct StateNameTests {
  private func name(_ type: String?, _ state: UInt32) -> String? {
    msdk_state_name(type, state).map { String(cString: $0) }
  }

  @Test func namesBelongToATypeAndANumber() {
    #expect(name("connection", 4) == "completed" && name("credential", 4) == "stored")
    #expect(name("schema", 1) == "published")
    #expect(name("proof", 0) == "not verified")
    for type in [nil, "", "wallet", "Connection"] { #expect(name(type, 4) == nil) }
    for state in [11, .max] as [UInt32] { #expect(name("connection", state) == nil) }
    #expect(msdk_state_name(notUTF8, 4) == nil)
  }

  /// The diagrams of docs/states.md have lines such as `3 offered -> 2 requested: send_request`.
  @Test func theDocumentHasTheSameNames() throws {
    let types = [
      "Connection, as invitee": "connection", "Connection, as inviter": "connection",
      "Credential, as holder": "credential", "Proof, as prover": "disclosed_proof",
      "Credential, as issuer": "issuer_credential", "Proof, as verifier": "proof",
    ]
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/states.md")
    var (type, steps): (String?, Int) = (nil, 0)
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("## ") { type = types[String(line.dropFirst(3))] }
      guard let step = line.wholeMatch(of: /(\d+) ([a-z ]+) -> (\d+) ([a-z ]+): .*/), let type else { continue }
      steps += 1
      for (number, documented) in [(step.1, step.2), (step.3, step.4)] {
        #expect(name(type, try #require(UInt32(number))) == String(documented), "\(line)")
      }
    }
    #expect(steps > 30)
  }
}

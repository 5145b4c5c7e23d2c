import JSON
import TestSupport
import Testing

@testable import VCX

/// Calls on connections without a session.
@Suite(.theAgent) struct ConnectionCreationTests {
  func state(_ connection: UInt32) async -> UInt32? {
    await numbers.call { vcx_connection_get_state($0, connection, numberCallback) }.delivery?.value
  }

  @Test func anInviterIsCreatedAndKept() async throws {
    let created = await numbers.call { vcx_connection_create($0, "bob", numberCallback) }
    let connection = try #require(created.delivery?.value)
    #expect(await state(connection) == 1)
    let details = await strings.call { vcx_connection_invite_details($0, connection, false, stringCallback) }
    #expect(details.delivery?.value == "{}")

    let text = await strings.call { vcx_connection_serialize($0, connection, stringCallback) }
    let serialized = try #require(text.delivery?.value)
    #expect(try JSON(parsing: serialized)["state"] == ["Inviter": ["Initialized": [:]]])
    let restored = await numbers.call { vcx_connection_deserialize($0, serialized, numberCallback) }
    #expect(await state(try #require(restored.delivery?.value)) == 1)
    #expect(vcx_connection_release(connection) == 0)
  }

  @Test(arguments: [
    (true, nil, 0), (true, "{}", 0), (false, #"{"@id":"1"}"#, 0), (false, nil, 1045), (true, "[]", 1016),
    (true, "{", 1016),
  ])
  func anOutOfBandInviterIsCreatedWhereItCanBeAnswered(handshake: Bool, request: String?, code: UInt32) async {
    let created = await numbers.call {
      vcx_connection_create_outofband($0, "bob", nil, "to talk", handshake, request, numberCallback)
    }
    #expect(created.delivery?.error == code)
    #expect((created.delivery?.value != 0) == (code == 0))
  }

  @Test func connectingNeedsAnAgent() async throws {
    let created = await numbers.call { vcx_connection_create($0, "bob", numberCallback) }
    let connection = try #require(created.delivery?.value)
    let connected = await strings.call { vcx_connection_connect($0, connection, nil, stringCallback) }
    #expect(connected.delivery?.error == 1004)
    #expect(await state(connection) == 1)
  }

  @Test func acceptingInOneCallNeedsAnInvitationAndAnAgent() async {
    let key = "7cRQnoSxB29aSdQfqjFK4RFCBdAMnq2iPGndPATN6Dq7"
    let invitation = #"{"@id":"1","label":"a","recipientKeys":["\#(key)"],"serviceEndpoint":"http://a.example"}"#
    for (text, code) in [("{}", 1045), (invitation, 1004)] as [(String, UInt32)] {
      let accepted = await pairs.call {
        vcx_connection_accept_connection_invite($0, "bob", text, nil, pairCallback)
      }
      #expect(accepted.delivery?.error == code)
      #expect(accepted.delivery?.value.text == nil)
    }
  }
}

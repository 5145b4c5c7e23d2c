import JSON
import MSDK
import TestSupport
import Testing

@testable import VCX

/// Options of connections, backups and messages at an agency.
@Suite(.theAgent) struct AgencyFunctionTests {
  let talk: Conversation

  init() async throws { talk = try await Conversation() }

  private func invitation() async throws -> String {
    let inviter = try await talk.number { vcx_connection_create($0, "carol", numberCallback) }
    return try await talk.text { vcx_connection_connect($0, inviter, nil, stringCallback) }
  }

  @Test func anUnknownOptionOfAConnectionIsRefused() async throws {
    let invitation = try await invitation()
    let options = #"{"use_public_dd":true}"#
    let invitee = try await talk.number { vcx_connection_create_with_invite($0, "a", invitation, numberCallback) }
    let connected = await strings.call { vcx_connection_connect($0, invitee, options, stringCallback) }
    #expect(connected.delivery?.error == 1016 && connected.delivery?.value == nil as String?)
    let accepted = await pairs.call {
      vcx_connection_accept_connection_invite($0, "a", invitation, options, pairCallback)
    }
    #expect(accepted.delivery?.error == 1016 && accepted.delivery?.value.text == nil)
  }

  /// The text is that of the function for serializing, after the request is sent.
  @Test func aConnectionThatIsAcceptedInOneCallComesWithItsText() async throws {
    let invitation = try await invitation()
    let ending = await pairs.call { vcx_connection_accept_connection_invite($0, "a", invitation, nil, pairCallback) }
    let accepted = try #require(ending.delivery?.value)
    let stored = try JSON(parsing: #require(accepted.text))
    #expect(stored["data"]?["public_did"] == talk.config["institution_did"])
    let again = try await talk.text { vcx_connection_serialize($0, accepted.number, stringCallback) }
    #expect(try JSON(parsing: again) == stored)
    let restored = try await talk.number { vcx_connection_deserialize($0, again, numberCallback) }
    for handle in [accepted.number, restored] {
      let state = try await talk.number { vcx_connection_get_state($0, handle, numberCallback) }
      #expect(state == 3 || state == 2)
    }
  }

  @Test func onlyTheNamedConnectionIsLookedAt() async throws {
    let (from, to) = (talk.invitee, talk.inviter)
    _ = try await talk.text { vcx_connection_send_message($0, from, "one", "{}", stringCallback) }
    for (connection, count) in [(from, 0), (to, 1)] {
      let did = try await talk.did(of: connection)
      let found = try JSON(parsing: await talk.text { vcx_messages_download($0, "MS-103", nil, did, stringCallback) })
      let messages = found.array?.flatMap { $0["msgs"]?.array ?? [] }
      #expect(messages?.count == count)
      #expect(found.array?.allSatisfy { $0["pairwiseDID"] == .string(did) } == true)
    }
  }

  // MARK: backups

  @Test func aBackupNeedsALongPassphrase() async {
    let refused = await numbers.call { vcx_wallet_backup_create($0, "b", "short", numberCallback) }
    #expect(refused.refusal == 1007)
  }

  @Test func aBackupTakesItsNewsFromTheProgram() async throws {
    let backup = try await talk.number { vcx_wallet_backup_create($0, "b", "a long passphrase", numberCallback) }
    let all = try JSON(parsing: await talk.text { vcx_download_agent_messages($0, nil, nil, stringCallback) })
    let news = try #require(all.array?.first).text
    let state = try await talk.number {
      vcx_wallet_backup_update_state_with_message($0, backup, news, numberCallback)
    }
    #expect(state == BackupState.readyToExport.rawValue)
    let stored = try await talk.text { vcx_wallet_backup_serialize($0, backup, stringCallback) }
    let restored = try await talk.number { vcx_wallet_backup_deserialize($0, stored, numberCallback) }
    #expect(
      try await talk.text { vcx_wallet_backup_serialize($0, restored, stringCallback) } == stored)
    let early = await numbers.call { vcx_wallet_backup_update_state_with_message($0, backup, "{}", numberCallback) }
    #expect(early.refusal == 1016)
    for text in ["{}", "no JSON", #"{"version":"9","data":{}}"#] {
      let refused = await numbers.call { vcx_wallet_backup_deserialize($0, text, numberCallback) }
      #expect(refused.delivery?.error == 1016)
    }
  }
}

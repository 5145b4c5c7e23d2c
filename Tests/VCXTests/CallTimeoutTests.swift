import Foundation
import JSON
import TestSupport
import Testing
import Threading

@testable import MSDK
@testable import VCX

/// Calls with a time limit.
@Suite(.theAgent) struct CallTimeoutTests {
  private let listener: SilentListener
  private let scene: AgentScene
  private var url: String { listener.endpoint }

  init() throws { (listener, scene) = (try SilentListener(), try AgentScene()) }

  private func resolve(within milliseconds: UInt32) async -> Delivery<String?>? {
    await strings.call { handle in
      msdk_call_timeout(milliseconds)
      return vcx_resolve_message_by_url(handle, url, stringCallback)
    }.delivery
  }

  @Test func aSilentServerIsWaitedForWithinTheLimit() async throws {
    for milliseconds in 1...60 as ClosedRange<UInt32> {
      let ending = try #require(await resolve(within: milliseconds))
      #expect(ending.error == 1201 && ending.value == nil, "\(milliseconds) ms: \(ending)")
      #expect(ending.currentError?.contains("Call timed out") == true)
    }
    listener.close()
  }

  @Test func theLimitIsForOneCall() async throws {
    let ending = await strings.call { handle in
      msdk_call_timeout(1)
      #expect(vcx_extract_thread_id(handle, nil, stringCallback) == 1007)  // uses it up
      Task.detached { [listener] in
        try? await Task.sleep(for: .milliseconds(200))
        listener.close()
      }
      return vcx_resolve_message_by_url(handle, url, stringCallback)
    }
    #expect(ending.delivery?.error == 1013)
  }

  @Test func zeroTakesTheLimitBack() async throws {
    let ending = await strings.call { handle in
      msdk_call_timeout(1)
      msdk_call_timeout(0)
      usleep(2000)
      return vcx_extract_thread_id(handle, #"{"@id":"1"}"#, stringCallback)
    }
    #expect(ending.delivery?.value == "1")
    listener.close()
  }

  /// The first call holds the connection until its server is closed.
  @Test func aCallBehindASlowOneEndsInItsTimeAndDoesNothing() async throws {
    let agent = try await scene.open("alice")
    let invitation: JSON = [
      "@id": "1", "@type": "https://didcomm.org/connections/1.0/invitation", "label": "silent",
      "recipientKeys": ["8QhFxKxyaFsJy4CyxeYX34dFH8oWqyBv1P4HLQCsoeLy"], "serviceEndpoint": .string(url),
    ]
    let connection = try await agent.number {
      vcx_connection_create_with_invite($0, "c", invitation.text, numberCallback)
    }
    let isPosted = Locked(false)
    async let connecting = strings.call { handle in
      defer { isPosted.withLock { $0 = true } }
      return vcx_connection_connect(handle, connection, "{}", stringCallback)
    }
    while !isPosted.withLock({ $0 }) { await Task.yield() }
    for _ in 0..<20 {
      let late = await done.call { handle in
        msdk_call_timeout(20)
        return vcx_connection_delete_connection(handle, connection, doneCallback)
      }
      #expect(late.delivery?.error == 1201)
    }
    listener.close()
    #expect(await connecting.delivery?.error == 1010)
    #expect(try await agent.number { vcx_connection_update_state($0, connection, numberCallback) } > 0)
    #expect(await agent.close() == 0)
  }

  /// A call ends once also if its turn comes at the moment at which its time is over.
  @Test(arguments: [1, 2, 3] as [UInt32]) func eachCallEndsOnce(milliseconds: UInt32) async throws {
    listener.close()
    let agent = try await scene.open("alice")
    let connection = try await agent.number { vcx_connection_create($0, "c", numberCallback) }
    let codes = await withTaskGroup(of: UInt32?.self) { group in
      for _ in 0..<400 {
        group.addTask {
          await strings.call { handle in
            msdk_call_timeout(milliseconds)
            return vcx_connection_serialize(handle, connection, stringCallback)
          }.delivery?.error
        }
      }
      return await group.reduce(into: Set()) { $0.insert($1 ?? .max) }
    }
    #expect(codes.isSubset(of: [0, 1201]))
    #expect(await agent.close() == 0)
  }
}

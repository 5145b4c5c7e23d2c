import AgencyServer
import Foundation
import MSDK
import Testing
import Threading

extension SDKTests {
  /// An agency that serves only some requests of an address at a time.
  @Suite struct BusyAgencyTests {
    /// A world whose agency serves ten requests, and then one in so many `seconds`.
    func world(seconds: Int) throws -> (world: World, meter: Meter) {
      var meter: Meter?
      let world = try World(
        rate: Rate(1, per: seconds, burst: 10),
        behind: { agency in
          meter = try Meter(agency.endpoint, visitor: "1.2.3.4")
          return meter
        })
      return (world, try #require(meter))
    }

    @Test func pollingWithoutAPauseIsSlowedDownAndNotRefused() throws {
      let (world, meter) = try world(seconds: 1)
      defer { meter.stop() }
      var connection = try world.requested()
      try world.inviter.respond()
      for _ in 0..<8 { try connection.poll(with: world.session) }
      #expect(connection.state.number == 4)
    }

    /// The agency asks for 40 seconds of patience.
    @Test func aCallThatWaitsEndsWhenTheAgentStops() throws {
      let (world, meter) = try world(seconds: 40)
      defer { meter.stop() }
      let session = try world.session
      let (hasEnded, before) = (Monitor(false), meter.answers)
      Agent.ofTest.threads.network.post {
        for _ in 0..<20 { if (try? session.downloadOwnMessages(statuses: nil, uids: nil)) == nil { break } }
        hasEnded.withLock { $0 = true }
      }
      for _ in 0..<200 where meter.answers == before { usleep(100_000) }
      #expect(meter.answers > before)
      #expect(hasEnded.wait(milliseconds: 1000) { $0 ? true : nil } == nil)
      Agent.ofTest.stop(deletingWallet: false)
      #expect(hasEnded.wait(milliseconds: 20_000) { $0 ? true : nil } == true)
    }
  }
}

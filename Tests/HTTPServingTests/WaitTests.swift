import Foundation
import TestSupport
import Testing
import Threading

@testable import HTTPServing

/// Clients of a server that wait for a better answer.
@Suite struct WaitTests {
  private let alarms = Monitor<[Alarm]>([])
  private let renewals = Monitor(0)
  private let news = Locked<String?>(nil)

  /// A server whose clients wait at `/wait`, so many seconds, until there are news.
  private func server(seconds: Int = 3600, _ limits: HTTPServer.Limits = HTTPServer.Limits()) throws -> HTTPServer {
    try HTTPServer(limits: limits, isShared: { _ in true }) { [alarms, renewals, news] request in
      guard request.path == "/wait" else { return HTTPServer.Response(body: Array("other".utf8)) }
      let alarm = Alarm()
      alarms.withLock { $0.append(alarm) }
      if news.withLock({ $0 }) != nil { alarm.ring() }
      let wait = HTTPServer.Wait(seconds: seconds, alarm: alarm) {
        renewals.withLock { $0 += 1 }
        return news.withLock { $0 }.map { HTTPServer.Response(body: Array($0.utf8)) }
      }
      return HTTPServer.Response(body: Array("nothing".utf8), wait: wait)
    }
  }

  private func connect(_ server: HTTPServer, path: String = "/wait") throws -> RawConnection {
    let connection = try RawConnection(port: server.port)
    connection.send("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    return connection
  }

  private func publish(_ text: String) {
    news.withLock { $0 = text }
    for alarm in alarms.withLock({ $0 }) { alarm.ring() }
  }

  /// Returns when the latest of so many clients waits.
  private func untilWaiting(_ count: Int) throws {
    let alarm = alarms.wait(milliseconds: 20_000) { $0.count == count ? $0.last : nil }
    try #require(alarm).ring()
    #expect(renewals.wait(milliseconds: 20_000) { $0 >= count ? true : nil } == true)
  }

  @Test func aSignWithoutNewsLetsTheClientWaitOn() throws {
    let server = try server()
    let connection = try connect(server)
    try untilWaiting(1)
    publish("news")
    #expect(connection.readToEnd()?.hasSuffix("news") == true)
  }

  @Test func aSignBeforeTheWaitCounts() throws {
    let server = try server()
    publish("news")
    #expect(try connect(server).readToEnd()?.hasSuffix("news") == true)
  }

  @Test func theFirstAnswerComesWhenTheTimeIsOver() throws {
    let server = try server(seconds: 1)
    #expect(try connect(server).readToEnd()?.hasSuffix("nothing") == true)
  }

  @Test func aStopEndsAllWaits() throws {
    let server = try server()
    let connection = try connect(server)
    try untilWaiting(1)
    server.stop()
    #expect(connection.readToEnd()?.hasSuffix("nothing") == true)
  }

  /// The server notices a client that sends nothing more. This one still reads.
  @Test func aClientThatHasGoneWaitsNoLonger() throws {
    let server = try server()
    let connection = try connect(server)
    try untilWaiting(1)
    connection.finishSending()
    #expect(connection.readToEnd()?.hasSuffix("nothing") == true)
  }

  /// The time limits of clients that send or receive do not count for waiting clients.
  @Test func theTimeLimitsDoNotEndAWait() throws {
    var limits = HTTPServer.Limits()
    (limits.headerSeconds, limits.bodySeconds, limits.idleSeconds) = (1, 1, 1)
    let server = try server(seconds: 3, limits)
    #expect(try connect(server).readToEnd()?.hasSuffix("nothing") == true)
  }

  @Test func waitingClientsTakeNeitherThreadsNorPlacesOfOthers() throws {
    var limits = HTTPServer.Limits()
    (limits.connections, limits.handlers, limits.waiting) = (2, 1, 5)
    let server = try server(limits)
    var waiting: [RawConnection] = []
    for number in 1...5 {
      waiting.append(try connect(server))
      try untilWaiting(number)
    }
    #expect(try connect(server).readToEnd()?.hasSuffix("nothing") == true)
    for _ in 0..<4 { #expect(try connect(server, path: "/").readToEnd()?.hasSuffix("other") == true) }
    #expect(waiting.allSatisfy { !$0.isReadable })
    server.stop()
    for connection in waiting { #expect(connection.readToEnd()?.hasSuffix("nothing") == true) }
  }
}

import AgencyWire
import HTTP
import TestSupport
import Testing
import Threading

@testable import AgencyServer

/// The limits of requests from one address.
@Suite struct RateTests {
  @Test func anAddressHasItsRateAndABurst() {
    let time = Locked<Int64>(100)
    let limiter = RateLimiter(Rate(2, burst: 5), clock: { time.withLock { $0 } })
    let a = Visitor.address("a")
    #expect((0..<7).map { _ in limiter.admits(a) } == [true, true, true, true, true, false, false])
    #expect(limiter.admits(.address("b")))
    time.withLock { $0 += 1 }
    #expect((0..<3).map { _ in limiter.admits(a) } == [true, true, false])
    time.withLock { $0 += 1_000_000 }
    #expect((0..<6).map { _ in limiter.admits(a) } == [true, true, true, true, true, false])
    time.withLock { $0 -= 1000 }
    #expect(!limiter.admits(a))
    // A clock that was set back takes nothing away.
    time.withLock { $0 += 1 }
    #expect((0..<3).map { _ in limiter.admits(a) } == [true, true, false])
    #expect((0..<100).allSatisfy { _ in limiter.admits(.machine) })
  }

  @Test func aRateMayBeSlowerThanOneInASecond() {
    let time = Locked<Int64>(100)
    let limiter = RateLimiter(Rate(10, per: 60, burst: 10), clock: { time.withLock { $0 } })
    let a = Visitor.address("a")
    let served = (0...600).filter { second in
      time.withLock { $0 = 100 + Int64(second) }
      return limiter.admits(a)
    }
    #expect(served.count == 10 + 100)
  }

  @Test func attemptsToGetAnAgentAreCountedApart() throws {
    let folder = try TemporaryFolder()
    var rules = Agency.Rules()
    rules.trustedProxy = "127.0.0.1"
    rules.provisioningsPerMinute = 2
    let time = Locked<Int64>(100)
    let server = try AgencyServer(dataFolder: folder.path, rules: rules, clock: { time.withLock { $0 } })
    let post = { (address: String) in
      let client = Client(server)
      let connect = client.request(Connect(fromDID: client.did, fromDIDVerKey: client.keys.verkey.text))
      let body = try Wrapping(connect, from: client.keys, to: client.agency).carried(by: client.agency).bytes
      return try HTTPClient().post(
        body, to: server.endpoint + "/agency/msg", contentType: "x/y", headers: ["X-Forwarded-For: \(address)"])
    }
    #expect(try (0..<3).map { _ in try post("1.2.3.4").status } == [200, 200, 429])
    #expect(WireRefusal(body: try post("1.2.3.4").body)?.statusCode == "GNR-123")
    #expect(try post("1.2.3.4").retryAfter == 30)
    #expect(try post("5.6.7.8").status == 200)
    #expect(try (0..<5).map { _ in try post("127.0.0.1").status } == [200, 200, 200, 200, 200])
    time.withLock { $0 += 30 }
    #expect(try (0..<2).map { _ in try post("1.2.3.4").status } == [200, 429])
    // Requests that are not about new accounts are served all the same.
    let client = Client(server)
    let agent = try client.provision()
    let fetch = client.request(GetMessagesByConnections(filter: WireMessageFilter()))
    let body = try Wrapping(fetch, from: client.keys, to: agent).carried(by: client.agency).bytes
    let response = try HTTPClient().post(
      body, to: server.endpoint + "/agency/msg", contentType: "x/y", headers: ["X-Forwarded-For: 1.2.3.4"])
    #expect(response.status == 200)
  }

  /// More addresses than are remembered make it forget, so that they take no more memory.
  @Test func addressesAreForgottenBeforeTheyAreTooMany() {
    let limiter = RateLimiter(Rate(1, burst: 1), clock: { 1 })
    #expect(limiter.admits(.address("first")))
    #expect(!limiter.admits(.address("first")))
    for number in 0..<50_000 { _ = limiter.admits(.address("\(number)")) }
    #expect(limiter.admits(.address("first")))
  }

  @Test func aFullMemoryIsForgottenAndNoSmallerOne() {
    let limiter = RateLimiter(Rate(1, burst: 1), clock: { 1 })
    for number in 0..<49_999 { _ = limiter.admits(.address("\(number)")) }
    #expect(!limiter.admits(.address("0")))
    #expect(limiter.admits(.address("last")))
    #expect(limiter.admits(.address("0")))
  }

  /// Their buckets are full again, so that nothing is lost.
  @Test func addressesThatWereSilentAreForgottenFirst() {
    let time = Locked<Int64>(1)
    let limiter = RateLimiter(Rate(1, burst: 1), clock: { time.withLock { $0 } })
    for number in 0..<49_999 { _ = limiter.admits(.address("\(number)")) }
    time.withLock { $0 = 2 }
    #expect(limiter.admits(.address("busy")))
    #expect(!limiter.admits(.address("busy")))
  }

  /// Attempts whose results are not known yet count, too. A failure of the store is no failed guess.
  @Test func guessesAtTheSameTimeAreLimited() throws {
    let (guesses, account) = (GuessLimiter(clock: { 1 }), try Store(.sqlite).agent)
    let depths = Locked<[Int]>([])
    func guess(_ depth: Int) throws(RequestError) {
      _ = try guesses.attempt(by: account, .address("a")) { () throws(RequestError) -> Int? in
        depths.withLock { $0.append(depth) }
        try guess(depth + 1)
        return 0
      }
    }
    for _ in 0..<2 { #expect(throws: RequestError.self) { try guess(1) } }
    #expect(depths.withLock { $0 } == Array(1...10) + Array(1...10))
    for _ in 0..<10 { #expect(try guesses.attempt(by: account, .address("a")) { Int?.none } == nil) }
    #expect(throws: RequestError.self) { try guesses.attempt(by: account, .address("a")) { 0 } }
  }

  @Test func aMeasureThatIsGivenBackIsTakenAgain() {
    let limiter = RateLimiter(Rate(1, per: 10, burst: 2), clock: { 1 })
    let a = Visitor.address("a")
    for _ in 0..<5 {
      #expect(limiter.admits(a))
      limiter.giveBack(a)
    }
    limiter.giveBack(a)
    limiter.giveBack(.address("b"))
    limiter.giveBack(.machine)
    for visitor in [a, .address("b")] { #expect((0..<3).map { _ in limiter.admits(visitor) } == [true, true, false]) }
  }

  @Test(arguments: [(1, 1, 1), (100, 1, 1), (10, 60, 6), (7, 60, 9), (60, 60, 1), (10, 3600, 360)])
  func theClientLearnsWhenThereIsRoomAgain(requests: Int, seconds: Int, pause: Int) {
    let time = Locked<Int64>(0)
    let limiter = RateLimiter(Rate(requests, per: seconds, burst: 1), clock: { time.withLock { $0 } })
    #expect(limiter.pause == pause && limiter.admits(.address("a")))
    time.withLock { $0 = Int64(pause) }
    #expect(limiter.admits(.address("a")))
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("127.8.9.1", true), ("::1", true), ("::ffff:127.0.0.1", true), ("10.0.0.1", true),
    ("10.0.0.2", false), ("128.0.0.1", false), ("2001:db8::1", false), ("", false),
  ])
  func manyClientsMayComeFromTheProxyAndTheMachine(address: String, isShared: Bool) {
    #expect(Routes.isShared(address, proxy: "10.0.0.1") == isShared)
    #expect(Routes.isShared("10.0.0.1", proxy: nil) == false)
  }

  @Test(arguments: [
    ("POST", "/agency/msg", false), ("GET", "/health", false), ("GET", "/agency", true), ("GET", "/agency/msg", true),
    ("GET", "/metrics", true), ("POST", "/agency", true), ("GET", "/nowhere", true),
  ])
  func onlyRequestsThatNeedTheStoreWaitForIt(method: String, path: String, isQuick: Bool) {
    #expect(Routes.isQuick(method: method, path: path) == isQuick)
  }

  @Test func nobodyElsesWordIsTakenForAClientsAddress() throws {
    let requests = [["1.2.3.4"], ["1.2.3.4"], ["1.2.3.4"]]
    #expect(try statuses(burst: 1, proxy: "10.0.0.1", requests) == [400, 400, 400])
  }

  /// The answers to requests through a trusted proxy, each with these lines of `X-Forwarded-For`. `burst` at once are
  /// served from one address.
  func statuses(burst: Int, proxy: String = "127.0.0.1", _ requests: [[String]]) throws -> [Int] {
    let folder = try TemporaryFolder()
    var rules = Agency.Rules()
    rules.trustedProxy = proxy
    rules.rate = Rate(1, burst: burst)
    let server = try AgencyServer(dataFolder: folder.path, rules: rules, clock: { 1 })
    return try requests.map { lines in
      try HTTPClient().post(
        [], to: server.endpoint + "/agency/msg", contentType: "x/y", headers: lines.map { "X-Forwarded-For: \($0)" }
      ).status
    }
  }

  @Test func clientsBehindATrustedProxyAreToldApart() throws {
    let requests = [["1.2.3.4"], ["1.2.3.4"], ["9.9.9.9, 1.2.3.4"], ["1.2.3.4, 5.6.7.8"]]
    #expect(try statuses(burst: 2, requests) == [400, 400, 429, 400])
  }

  @Test func aLineThatTheProxyAppendsCounts() throws {
    let requests = [["7.7.7.1", "1.2.3.4"], ["7.7.7.2", "1.2.3.4"], ["7.7.7.3", "x, 1.2.3.4"]]
    #expect(try statuses(burst: 1, requests) == [400, 429, 429])
  }

  /// The proxy that names no client must not make the client the machine itself, which has no limits. All such requests count
  /// as one visitor's.
  @Test func requestsWithoutAClientAreOneVisitors() throws {
    let requests = [
      ["unknown"], ["1.2.3.4,"], [], ["_hidden"], ["1.2.3.4:x"], ["[1.2.3.4]"], ["[::1"], ["1.2.3.4:99999"],
    ]
    #expect(try statuses(burst: 2, requests) == [400, 400, 429, 429, 429, 429, 429, 429])
    #expect(try statuses(burst: 1, [["unknown"], ["1.2.3.4"], ["127.0.0.1"], ["127.0.0.1"]]) == [400, 400, 400, 400])
  }

  @Test(arguments: [
    ["1.2.3.4", "1.2.3.4:5", "1.2.3.4:65535", "::ffff:1.2.3.4"], ["2001:db8::1", "[2001:db8::1]", "[2001:db8::2]:443"],
  ]) func anAddressMayHaveBracketsAndAPort(forms: [String]) throws {
    let expected = [400] + forms.dropFirst().map { _ in 429 }
    #expect(try statuses(burst: 1, forms.map { ["9.9.9.9, \($0)"] }) == expected)
  }

  @Test func anAddressMayStandBehindATab() throws {
    #expect(try statuses(burst: 1, [["9.9.9.9,\t1.2.3.4"], ["9.9.9.9, 1.2.3.4"]]) == [400, 429])
  }
}

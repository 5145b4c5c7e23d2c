import DIDComm
import JSON
import Testing

@testable import Aries

@Suite struct PickupRunTests {
  private func delivery(_ ids: String...) throws -> PickupRun.Answer {
    let items = ids.map { id -> JSON in ["@id": .string(id), "data": ["json": ["protected": .string(id)]]] }
    return .message(.delivery(try Delivery(["~attach": .array(items)])))
  }

  private func status(_ count: Int64, _ thread: String? = nil) -> PickupRun.Answer {
    var members: JSONObject = ["message_count": .integer(count)]
    if let thread { members["~thread"] = ["thid": .string(thread)] }
    return .message(.status(PickupStatus(members)))
  }

  private func problem() -> PickupRun.Answer {
    .message(.other(.problemReport(ProblemReport(["description": ["code": "message-parse-failure"]]))))
  }

  /// The names of the requests that follow the answers.
  private func requests(_ way: PickupWay, _ answers: [PickupRun.Answer]) -> [String] {
    var run = PickupRun(way, limit: 10)
    var names: [String] = []
    for (number, answer) in ([nil] + answers.map(Optional.some)).enumerated() {
      guard let request = run.next(after: answer, id: "r\(number)") else {
        names.append("end")
        break
      }
      names.append(request["@type"]?.string?.split(separator: "/").last.map(String.init) ?? "")
    }
    return names
  }

  // MARK: Version 2.0

  @Test func aDeliveryIsAcknowledgedAndTheNextIsAskedFor() throws {
    let answers = try [delivery("a", "b"), status(1), delivery("c"), status(0, "r3")]
    #expect(
      requests(.acknowledged, answers)
        == ["delivery-request", "messages-received", "delivery-request", "messages-received", "end"])
  }

  @Test func theAcknowledgementNamesEachMessage() throws {
    var run = PickupRun(.acknowledged, limit: 10)
    let first = run.next(after: nil, id: "1")
    let second = run.next(after: try delivery("a", "b"), id: "2")
    #expect(first?["limit"] == 10 && second?["message_id_list"] == ["a", "b"] && run.isUnderstood)
  }

  @Test func anEmptyQueueEndsTheRun() { #expect(requests(.acknowledged, [status(0)]) == ["delivery-request", "end"]) }

  @Test func aStatusOfAnotherRequestIsNoEnd() {
    #expect(
      requests(.acknowledged, [status(0, "stale"), status(0, "r1")]) == ["delivery-request", "delivery-request", "end"])
  }

  @Test func aMessageInPlaceOfTheAnswerIsNoEnd() {
    #expect(
      requests(.acknowledged, [.envelope(["a": 1]), .envelope(["a": 2]), status(0)])
        == ["delivery-request", "delivery-request", "delivery-request", "end"])
  }

  @Test func theRunEndsIfTheSameMessagesComeForEver() throws {
    let once = try [delivery("a"), status(1)]
    let again = Array(repeating: once, count: 20).flatMap(\.self)
    #expect(requests(.acknowledged, again).last == "end")
  }

  @Test func theRunEndsIfNoAnswerComes() {
    let names = requests(.acknowledged, Array(repeating: .nothing, count: 20))
    #expect(names.last == "end" && names.count <= 7)
  }

  @Test func aMediatorThatRefusesIsNotUnderstood() {
    var run = PickupRun(.acknowledged, limit: 10)
    _ = run.next(after: nil, id: "1")
    let next = run.next(after: problem(), id: "2")
    #expect(next == nil && !run.isUnderstood)
  }

  @Test func tenThousandMessagesAreOneRun() throws {
    var run = PickupRun(.acknowledged, limit: 10)
    _ = run.next(after: nil, id: "0")
    for number in 0..<1_000 {
      let ids = (0..<10).map { "\(number)-\($0)" }
      let items = ids.map { id -> JSON in ["@id": .string(id)] }
      let delivery = try Delivery(["~attach": .array(items)])
      let acknowledgement = run.next(after: .message(.delivery(delivery)), id: "a")
      let request = run.next(after: status(1), id: "b")
      #expect(acknowledgement?["message_id_list"] == JSON(ids) && request?["limit"] == 10)
    }
    let end = run.next(after: status(0), id: "c")
    #expect(end == nil)
  }

  @Test(arguments: [.acknowledged, .implicit(batches: false)] as [PickupWay])
  func aMediatorThatGivesMessagesForEverIsCutShort(way: PickupWay) throws {
    var run = PickupRun(way, limit: 10)
    var (request, count) = (run.next(after: nil, id: "0"), 0)
    while request != nil, count < 50_000 {
      count += 1
      request = run.next(after: .envelope(["n": .integer(Int64(count))]), id: "x")
    }
    #expect(run.isCutShort && count < 50_000)
  }

  // MARK: Implicit pickup

  @Test func pingsFetchUntilNothingComes() {
    #expect(
      requests(.implicit(batches: false), [.envelope(["a": 1]), .envelope(["a": 2]), .nothing])
        == ["ping", "ping", "ping", "end"])
  }

  @Test func anUnusableAnswerDoesNotEndTheRun() {
    #expect(
      requests(.implicit(batches: false), Array(repeating: .unusable, count: 9) + [.nothing]).count == 11)
    for way in [.acknowledged, .implicit(batches: false)] as [PickupWay] {
      #expect(requests(way, Array(repeating: .unusable, count: 200)).last == "end")
    }
  }

  @Test func aPingAsksForNoAnswer() {
    var run = PickupRun(.implicit(batches: false), limit: 10)
    let ping = run.next(after: nil, id: "1")
    #expect(ping?["response_requested"] == false)
  }

  @Test func aMediatorThatAnswersEachPingEndsTheRun() {
    let names = requests(.implicit(batches: false), Array(repeating: status(0), count: 20))
    #expect(names.last == "end")
  }

  // MARK: Version 1.0

  @Test func batchesServeIfImplicitPickupLeavesMessages() throws {
    let answers: [PickupRun.Answer] = try [.nothing, status(2), delivery("a", "b"), delivery()]
    #expect(
      requests(.implicit(batches: true), answers)
        == ["ping", "status-request", "batch-pickup", "batch-pickup", "end"])
  }

  @Test func noBatchIsAskedForIfNothingWaits() {
    #expect(requests(.implicit(batches: true), [.nothing, status(0)]) == ["ping", "status-request", "end"])
  }

  @Test func aMediatorThatNeverDeletesEndsTheRun() throws {
    let batch = try delivery("a")
    let answers = [PickupRun.Answer.nothing, status(2)] + Array(repeating: batch, count: 20)
    #expect(requests(.implicit(batches: true), answers).last == "end")
  }
}

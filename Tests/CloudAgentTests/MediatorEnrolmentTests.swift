import Aries
import DIDComm
import JSON
import Sodium
import Testing
import Threading

@testable import CloudAgent

@Suite struct MediatorEnrolmentTests {
  /// A program that provisions: its keys, and the state on its disk.
  final class Program: KeyRing {
    let pairs = Locked<[KeyPair]>([])
    let saved = Locked<JSONObject?>(nil)
    /// The program ends at this one of its writes.
    let end: Int?
    private let count = Locked(0)
    /// Whether each key was asked for as the first one.
    let asked = Locked<[Bool]>([])

    struct Ended: Error {}

    init(endingAtWrite end: Int? = nil) { self.end = end }

    func keyPair(for key: VerKey) -> KeyPair? { pairs.withLock { pairs in pairs.first { $0.verkey == key } } }

    func run(_ mediator: ScriptedMediator, isRepetition: Bool = false) throws -> Enrolled {
      let earlier = try saved.withLock { $0 }.map { try MediatorEnrolment.State($0) }
      return try MediatorEnrolment(
        invitation: mediator.invitation(), label: "Alice", keys: self, over: mediator,
        makeKey: { [pairs, asked] isFirst in
          asked.withLock { $0.append(isFirst) }
          let pair = KeyPair()
          pairs.withLock { $0.append(pair) }
          return pair.verkey
        },
        save: { [saved, count, end] state in
          let number = count.withLock { count in
            count += 1
            return count
          }
          if !isRepetition, number == end { throw Ended() }
          saved.withLock { $0 = state.json }
        }, keep: { _ in }
      ).run(from: earlier)
    }
  }

  private func check(_ enrolled: Enrolled, _ mediator: ScriptedMediator) {
    #expect(enrolled.mediator.recipientKeys == [mediator.pairwiseKey.verkey])
    #expect(enrolled.grant.endpoint == mediator.endpoint && enrolled.grant.routingKeys == [mediator.routing.verkey])
    #expect(mediator.state.withLock { $0.clients[enrolled.own] } == 1, "mediation is asked for once")
  }

  @Test func theInvitationLeadsToAGrant() throws {
    let (mediator, program) = (ScriptedMediator(), Program())
    try check(program.run(mediator), mediator)
    #expect(mediator.received == ["request", "ack", "mediate-request"])
  }

  @Test func aRepetitionGivesTheSamePlace() throws {
    let (mediator, program) = (ScriptedMediator(), Program())
    let first = try program.run(mediator)
    #expect(try program.run(mediator) == first)
    #expect(mediator.received.count { $0 == "mediate-request" } == 1)
  }

  @Test func aMediatorThatHasForgottenTheClientGetsANewOne() throws {
    let (mediator, program) = (ScriptedMediator(), Program())
    let first = try program.run(mediator)
    mediator.state.withLock { $0.clients = [:] }
    let second = try program.run(mediator)
    check(second, mediator)
    #expect(second.own != first.own)
  }

  @Test(arguments: 1...6) func aProgramThatEndsAtAnyWriteGoesOn(write: Int) throws {
    let (mediator, program) = (ScriptedMediator(), Program(endingAtWrite: write))
    do { _ = try program.run(mediator) } catch is Program.Ended {}
    try check(program.run(mediator, isRepetition: true), mediator)
  }

  @Test(arguments: ["request", "ack", "mediate-request"]) func aLostAnswerIsNoEnd(name: String) throws {
    let (mediator, program) = (ScriptedMediator(.init(loses: [name: 1])), Program())
    let enrolled: Enrolled
    do { enrolled = try program.run(mediator) } catch CloudAgentError.invalidAnswer {
      return try check(program.run(mediator), mediator)
    }
    check(enrolled, mediator)
  }

  /// A key that the program has chosen would be the same again, and some mediators fail after a second request.
  @Test func aLostGrantLeadsToAnotherKey() throws {
    let (mediator, program) = (ScriptedMediator(.init(loses: ["mediate-request": 1])), Program())
    #expect(throws: CloudAgentError.self) { try program.run(mediator) }
    try check(program.run(mediator), mediator)
    #expect(program.asked.withLock { $0 } == [true, false])
  }

  @Test func aResponseWithADeadKeyDoesNotStay() throws {
    let (mediator, program) = (ScriptedMediator(.init(presentsDeadKey: true)), Program())
    for _ in 0..<2 { #expect(throws: CloudAgentError.self) { try program.run(mediator) } }
    mediator.change { $0.presentsDeadKey = false }
    try check(program.run(mediator), mediator)
  }

  @Test func aDenialSaysSoAndTheNextAttemptConnectsAnew() throws {
    let (mediator, program) = (ScriptedMediator(.init(denies: true)), Program())
    #expect(throws: CloudAgentError.denied("it denies mediation")) { try program.run(mediator) }
    mediator.change { $0.denies = false }
    try check(program.run(mediator), mediator)
  }
}

import Testing

@testable import MSDK

/// The pace of the looks for messages beside a line.
@Suite struct LookPaceTests {
  @Test func withoutALineMessagesAreLookedForEveryTwoSeconds() {
    #expect(LookPace().milliseconds == 2_000)
  }

  /// A mediator may tell of some messages and not of others.
  @Test func aLookFollowsAMinuteAfterALineHasOpened() {
    var pace = LookPace()
    pace.open(isSure: false)
    #expect(pace.milliseconds == 60_000)
    pace.noteArrival()
    #expect(pace.milliseconds == 60_000)
  }

  @Test func looksThatFindNothingBecomeRare() {
    var pace = LookPace()
    pace.noteLook(found: false)
    pace.open(isSure: false)
    let pauses = (0..<5).map { _ in
      pace.noteLook(found: false)
      return pace.milliseconds
    }
    #expect(pauses == [120_000, 240_000, 300_000, 300_000, 300_000])
    pace.noteDelivery()
    pace.noteLook(found: false)
    #expect(pace.milliseconds == 300_000)
    pace.noteLook(found: true)
    pace.noteArrival()
    #expect(pace.milliseconds == 60_000)
  }

  @Test func aLineWhoseSilenceIsAProofIsLookedBesideEveryTenMinutes() {
    var pace = LookPace()
    pace.open(isSure: true)
    #expect(pace.milliseconds == 600_000)
  }

  @Test(arguments: [false, true])
  func aLineThatHasMissedAMessageIsNotTrustedUntilItTellsOfOne(isSure: Bool) {
    var pace = LookPace()
    pace.open(isSure: isSure)
    pace.noteLook(found: true)
    #expect(pace.milliseconds == 2_000)
    pace.noteArrival()
    #expect(pace.milliseconds == 60_000)
  }

  @Test func amongTheLooksAtTheBeginningMayBeMessages() {
    var pace = LookPace()
    pace.noteLook(found: true)
    pace.open(isSure: false)
    #expect(pace.milliseconds == 60_000)
  }

  /// A mediator such as ACA-Py holds back a message that arrives while it delivers another one.
  @Test func aMessageThatALineHoldsBackIsNoMiss() {
    var pace = LookPace()
    pace.open(isSure: false)
    pace.noteDelivery()
    #expect(pace.milliseconds == 1_000)
    pace.noteLook(found: true)
    #expect(pace.milliseconds == 1_000)
    pace.noteLook(found: false)
    #expect(pace.milliseconds == 60_000)
    pace.noteLook(found: true)
    #expect(pace.milliseconds == 2_000)
  }

  @Test func anotherLineHasToProveItselfAnew() {
    var pace = LookPace()
    pace.open(isSure: false)
    pace.noteArrival()
    pace.close()
    #expect(pace.milliseconds == 2_000 && !pace.isOpen)
    pace.open(isSure: false)
    #expect(pace.milliseconds == 60_000)
    pace.noteLook(found: false)
    pace.close()
    pace.open(isSure: false)
    #expect(pace.milliseconds == 60_000)
  }
}

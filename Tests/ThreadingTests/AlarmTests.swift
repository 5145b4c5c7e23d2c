import Testing
import Threading

@Suite struct AlarmTests {
  private let alarm = Alarm()
  private let count = Locked(0)

  private var signs: Int { count.withLock { $0 } }

  private func listen() { alarm.listen { [count] in count.withLock { $0 += 1 } } }

  @Test func aListenerHearsEachSign() {
    listen()
    #expect(signs == 0)
    alarm.ring()
    alarm.ring()
    #expect(signs == 2)
  }

  @Test func signsThatNobodyHasHeardAreHeardOnce() {
    alarm.ring()
    alarm.ring()
    listen()
    #expect(signs == 1)
    listen()
    #expect(signs == 1)
  }

  @Test func aSilencedAlarmHoldsNoListener() {
    weak var held: Locked<Int>?
    do {
      let witness = Locked(0)
      held = witness
      alarm.listen { witness.withLock { $0 += 1 } }
    }
    #expect(held != nil)
    alarm.silence()
    #expect(held == nil)
  }
}

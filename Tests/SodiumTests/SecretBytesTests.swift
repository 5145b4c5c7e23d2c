import TestSupport
import Testing

@testable import Sodium

/// The memory for secrets.
@Suite struct SecretBytesTests {
  @Test func veryManySecretsLiveAtATime() {
    let secrets = (0..<100_000).map { SecretBytes(copying: [UInt8(truncatingIfNeeded: $0), 1, 2]) }
    #expect(secrets.enumerated().allSatisfy { $1.exposed() == [UInt8(truncatingIfNeeded: $0), 1, 2] })
  }

  @Test(arguments: [0, 1, 63, 64, 65, 5000]) func everyLengthIsKept(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let secret = SecretBytes(copying: bytes)
    let other = SecretBytes(random: count)
    #expect(secret.exposed() == bytes && secret.count == count)
    #expect(count < 8 || other != secret)
  }

  @Test func threadsShareTheMemory() async {
    await withTaskGroup(of: Bool.self) { group in
      for number in UInt8(0)..<8 {
        group.addTask {
          (0..<2000).allSatisfy { _ in
            SecretBytes(copying: [UInt8](repeating: number, count: 32)).exposed().allSatisfy { $0 == number }
          }
        }
      }
      for await isIntact in group { #expect(isIntact) }
    }
  }

  /// Other threads may take the slot first, so several attempts are made to get it back.
  @Test func aSlotIsWipedWhenItIsGivenBack() {
    for _ in 0..<10_000 {
      let slot = SecretSlots.take()
      slot.initializeMemory(as: UInt8.self, repeating: 0xa5, count: SecretSlots.size)
      SecretSlots.giveBack(slot)
      let next = SecretSlots.take()
      defer { SecretSlots.giveBack(next) }
      guard next == slot else { continue }
      let bytes = UnsafeRawBufferPointer(start: next, count: SecretSlots.size)
      #expect(bytes.allSatisfy { $0 == 0 })
      return
    }
    Issue.record("the slot did not come back")
  }

  @Test func secretsOfDifferentLengthsDiffer() {
    #expect(SecretBytes(copying: []) == SecretBytes(copying: []))
    #expect(SecretBytes(copying: [1]) != SecretBytes(copying: [1, 0]))
    for count in [64, 65, 200] {
      let bytes = [UInt8](repeating: 9, count: count)
      #expect(SecretBytes(copying: bytes) == SecretBytes(copying: bytes))
      #expect(SecretBytes(copying: bytes) != SecretBytes(copying: bytes.dropLast() + [8]))
    }
  }

  @Test func aPartIsASecretOfItsOwn() {
    let secret = SecretBytes(copying: (0..<100).map { UInt8($0) })
    #expect(secret.slice(0..<100) == secret && secret.slice(99..<100).exposed() == [99])
    #expect(secret.slice(50..<50).count == 0)
  }

  @Test func wipedBytesAreZeros() {
    var bytes: [UInt8] = [1, 2, 3]
    wipe(&bytes)
    #expect(bytes == [0, 0, 0])
  }

  @Test func randomBytesDiffer() {
    #expect(randomBytes(0).isEmpty && randomBytes(33).count == 33)
    #expect(randomBytes(32) != randomBytes(32))
    #expect(SecretBytes(random: 32) != SecretBytes(random: 32))
  }
}

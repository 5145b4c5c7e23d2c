import Sodium
import TestSupport
import Testing

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
}

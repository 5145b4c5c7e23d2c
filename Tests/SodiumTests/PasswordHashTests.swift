import Foundation
import Sodium
import TestSupport
import Testing

/// Keys from passwords, as libsodium's `crypto_pwhash` derives them.
@Suite struct PasswordHashTests {
  private let salt = (0..<16).map { UInt8($0) }

  @Test(
    arguments: [
      (.argon2iModerate, "69a280f91fb40995bdb41e58e4ef8401c6a3f2acccbc26295c68e2ee943bc2a4"),
      (.argon2iInteractive, "ff1b3bb0135eb99b1581ceb7d32bb382a954f5f435bbcfd342c720973ecb9431"),
      (.argon2id, "def6fd068289b9a0cf1114f8e978a2c4dab6faef377d895b9c2d59fc93fc5653"),
    ] as [(PasswordHash.Method, String)])
  func aKeyEqualsTheKeyOfLibsodium(method: PasswordHash.Method, key: String) throws {
    #expect(try PasswordHash.derive(Array("password".utf8), salt: salt, by: method).exposed().hex == key)
  }

  @Test(arguments: [0, 15, 17]) func aSaltHasItsLength(count: Int) {
    #expect(throws: SodiumError.wrongLength(of: "salt")) {
      try PasswordHash.derive([1], salt: [UInt8](repeating: 0, count: count), by: .argon2iInteractive)
    }
  }

  @Test func anEmptyPasswordHasAKeyToo() throws {
    let empty = try PasswordHash.derive([], salt: salt, by: .argon2iInteractive)
    #expect(try empty != PasswordHash.derive([0], salt: salt, by: .argon2iInteractive))
    #expect(empty != SecretBytes(copying: [UInt8](repeating: 0, count: 32)))
  }

  /// A key of zeros would open what anybody can seal. In a process of its own, which may have no more memory.
  @Test(.withoutSanitizer) func withoutMemoryThereIsNoKey() async {
    await #expect(processExitsWith: .success) {
      let salt = [UInt8](repeating: 1, count: 16)
      _ = SecretBytes(random: 32)
      var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
      guard setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { exit(2) }
      do throws(SodiumError) {
        _ = try PasswordHash.derive([1], salt: salt, by: .argon2iModerate)
        exit(3)
      } catch {
        exit(error == .outOfMemory ? 0 : 4)
      }
    }
  }
}

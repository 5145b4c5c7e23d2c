import Testing

@testable import AnonCreds

@Suite struct EngineVersionTests {
  @Test(arguments: ["0.2.0", "0.2.1", "0.2.3", "0.2.3-dev.9"]) func triedVersionsAreUsedInSilence(text: String) throws {
    try EngineVersion(text).require(.oldestUsable)
    #expect(EngineVersion(text).warning == nil)
  }

  @Test(arguments: ["0.2.4", "0.2.10", "0.3.0", "1.0.0"]) func aNewerVersionIsUsedWithAWarning(text: String) throws {
    try EngineVersion(text).require(.oldestUsable)
    let warning = "libanoncreds.so has version \(text): msdk was tried with versions up to 0.2.3 only"
    #expect(EngineVersion(text).warning == warning)
  }

  @Test(arguments: ["0.1.9", "0.1.0-dev.5", "", "x"]) func anOlderVersionIsRefused(text: String) {
    let reason = "libanoncreds.so has version \(text), and 0.2.0 is needed"
    #expect(throws: AnonCredsError.unavailable(reason: reason)) { try EngineVersion(text).require(.oldestUsable) }
  }
}

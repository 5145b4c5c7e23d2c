import JSON
import TestSupport
import Testing

@testable import Soundness

/// The points are those of honest presentations.
@Suite struct CurveTests {
  private let points: JSON

  init() throws {
    let cases = try Fixtures.json("anoncreds/soundness_cases.json").requireObject().array("cases")
    let proofs = try #require(cases.first { $0["name"] == "another honest prover" })["presentation"]?["proof"]
    points = proofs?["proofs"]?.array?.first?["non_revoc_proof"]?["c_list"] ?? .null
  }

  private func text(_ name: String) -> String { points[name]?.string ?? "" }

  private func words(_ name: String) -> [String] { text(name).split(separator: " ").map(String.init) }

  /// The check that refuses the point after a change of its words; nil if none does.
  private func refusal(
    _ name: String, in group: Curve.Group = .first, _ change: (inout [String]) -> Void
  ) -> SoundnessCheck? {
    var words = words(name)
    change(&words)
    do throws(SoundnessCheck) { _ = try CurvePoint(words.joined(separator: " "), in: group) } catch { return error }
    return nil
  }

  // MARK: Forms

  @Test(arguments: ["e", "d", "a", "g"]) func theCanonicalTextOfAPointMeansThePoint(name: String) throws {
    let point = try CurvePoint(text(name), in: .first)
    let canonical = try CurvePoint(point.text, in: .first)
    #expect(canonical.text == point.text)
    #expect(canonical.bytes == point.bytes)
    #expect(point.bytes.count == 128)
  }

  @Test(arguments: ["w", "s", "u"]) func theSameHoldsInTheSecondGroup(name: String) throws {
    let point = try CurvePoint(text(name), in: .second)
    let canonical = try CurvePoint(point.text, in: .second)
    #expect(canonical.text == point.text)
    #expect(canonical.bytes == point.bytes)
    #expect(point.bytes.count == 128)
  }

  @Test(arguments: ["0", "", "100", "01", "-1", "a", "1 "]) func anExcessIsANumberFrom1To99(excess: String) {
    #expect(refusal("e") { $0[0] = excess } == .pointForm)
  }

  @Test(arguments: ["1", "9", "10", "99"]) func theExcessDoesNotChangeThePoint(excess: String) throws {
    #expect(refusal("e") { $0[0] = excess } == nil)
  }

  @Test func theDigitsAre64To66Capitals() {
    #expect(refusal("e") { $0[1] = "0" + $0[1] } == nil)
    #expect(refusal("e") { $0[1] = "000" + $0[1] } == .pointForm)
    #expect(refusal("e") { $0[1].removeFirst() } == .pointForm)
    #expect(refusal("e") { $0[1] = String(repeating: "a", count: 64) } == .pointForm)
    #expect(refusal("e") { $0[1] = String(repeating: "F", count: 66) } == .pointForm)
  }

  @Test func aTextHasTheWordsOfItsGroup() {
    #expect(refusal("e") { $0 += ["1"] } == .pointForm)
    #expect(refusal("e") { $0.removeLast() } == .pointForm)
    #expect(refusal("e") { $0[1] += " " } == .pointForm)
    #expect(refusal("w", in: .first) { _ in } == .pointForm)
    #expect(refusal("e", in: .second) { _ in } == .pointForm)
    #expect(refusal("e") { $0 = [String(repeating: " ", count: 1 << 20)] } == .pointForm)
  }

  /// 64 p is the limit.
  @Test func aNumberIsBelow64TimesThePrime() {
    let limit = "0948D920900000006E8D1360000000021848400000000004E9C0000000000004C0"
    let below = "0948D920900000006E8D1360000000021848400000000004E9C0000000000004BF"
    #expect(refusal("e") { $0[1] = limit } == .pointForm)
    #expect(refusal("e") { $0[1] = below } == .curve)
  }

  @Test func infinityIsNoPoint() {
    let zero = String(repeating: "0", count: 64)
    let prime = "2523648240000001BA344D80000000086121000000000013A700000000000013"
    #expect(refusal("e") { $0[5] = zero } == .pointForm)
    #expect(refusal("e") { $0[5] = prime } == .pointForm)
    #expect(
      refusal("w", in: .second) {
        $0[9] = zero; $0[11] = zero
      } == .pointForm)
  }

  // MARK: Groups

  @Test(arguments: [1, 3]) func aPointIsOnTheCurve(index: Int) {
    #expect(refusal("e") { $0[index] = words("d")[index] } == .curve)
  }

  @Test(arguments: [1, 3, 5, 7]) func aPointIsOnTheTwist(index: Int) {
    #expect(refusal("w", in: .second) { $0[index] = words("s")[index] } == .curve)
  }

  /// The twist has more points than the group.
  @Test func aPointOfTheTwistHasTheOrderOfTheGroup() throws {
    let cases = try Fixtures.json("anoncreds/soundness_cases.json").requireObject().array("cases")
    let proof = try #require(cases.first { $0["check"] == "P3" })["presentation"]?["proof"]?["proofs"]?.array?.first
    let text = proof?["non_revoc_proof"]?["c_list"]?["w"]?.string ?? ""
    #expect(throws: SoundnessCheck.order) { try CurvePoint(text, in: .second) }
  }
}

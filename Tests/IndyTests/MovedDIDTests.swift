import Testing

@testable import Indy

@Suite struct MovedDIDTests {
  private static let scid = "QmRRaLXwc6BjBuBPosSupJwEQ8w9f3znP7yfbpGfwcnLr6"
  private static let (former, new) = ("did:webvh:\(scid):a.example", "did:webvh:\(scid):b.example:x")

  @Test(
    arguments: [
      (former, new, true), ("\(former)/resources/zQm1", "\(new)/r/zQm1", true), (former, former, false),
      ("\(former)/resources/zQm1", "\(new)/resources/zQm2", false), (former, "\(new)/resources/zQm1", false),
      (former, "did:webvh:QmOther:a.example", false), ("did:webvh:", "did:webvh::x", false),
      ("did:webvh::a", "did:webvh::b", false), (former, "did:web:b.example", false), ("x", "y", false),
    ])
  func namesWithOneSCIDAreOfOneDID(one: String, other: String, isMoved: Bool) {
    #expect(one.isMoved(from: other) == isMoved && other.isMoved(from: one) == isMoved)
  }

  @Test(
    arguments: [
      (former, former, true), (former, new, true), ("V4SGRU86Z58d6TV7PBUe6f", "V4SGRU86Z58d6TV7PBUe6f", true),
      ("did:sov:V4SGRU86Z58d6TV7PBUe6f", "V4SGRU86Z58d6TV7PBUe6f", true),
      ("did:indy:a:V4SGRU86Z58d6TV7PBUe6f", "did:indy:b:V4SGRU86Z58d6TV7PBUe6f", false),
      ("did:indy:a:V4SGRU86Z58d6TV7PBUe6f", "V4SGRU86Z58d6TV7PBUe6f", false), ("did:web:a", "did:web:b", false),
    ])
  func anIssuerKeepsItsIdentityWhenItMoves(one: String, other: String, isOne: Bool) {
    #expect(one.isIssuer(other) == isOne && other.isIssuer(one) == isOne)
  }
}

import TestSupport
import Testing

@testable import Soundness

@Suite struct FieldTests {
  private static let prime = "16798108731015832284940804142231733909889187121439069848933715426072753864723"

  private static func element(_ generator: inout SplitMix64) -> Field {
    Field(Natural(limbs: (0..<5).map { _ in generator.next() }))
  }

  @Test(arguments: 0..<50) func theLawsOfAFieldHold(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let (a, b, c) = (Self.element(&generator), Self.element(&generator), Self.element(&generator))
    #expect(a + b == b + a)
    #expect((a + b) - b == a)
    #expect(a * b == b * a)
    #expect((a * b) * c == a * (b * c))
    #expect(a * (b + c) == a * b + a * c)
    #expect(a * a.inverse == .one)
    #expect(a - a == .zero)
    let (x, y) = (Field2(a, b), Field2(c, a))
    #expect(x * y == y * x)
    #expect(x * (y + x) == x * y + x * x)
    #expect(x * x.inverse == .one)
  }

  @Test func thePrimeIsZero() throws {
    let prime = try #require(Natural(decimal: Self.prime))
    #expect(Field(prime) == .zero)
    #expect(Field(Natural(limbs: [0] + prime.limbs)) == .zero)
    #expect((.zero - Field.one).number.limbs == [prime.limbs[0] - 1] + prime.limbs.dropFirst())
    #expect(Field.zero.inverse == .zero)
    #expect(Field.one.number.limbs == [1])
  }

  /// The products are those of another implementation.
  @Test func aProductIsKnown() throws {
    let a = try #require(Natural(decimal: "123456789012345678901234567890123456789012345678901234567890"))
    let b = try #require(Natural(decimal: "98765432109876543210987654321098765432109876543210987654321"))
    #expect(
      (Field(a) * Field(b)).number
        == Natural(decimal: "7555156281029342943624621596645342664353733945514615983867112828553871149182"))
    #expect(
      Field(a).inverse.number
        == Natural(decimal: "995540738374102596584662129157612966008576508609704790169433834171735739597"))
  }
}

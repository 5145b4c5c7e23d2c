import JSON
import TestSupport
import Testing

@testable import Credentials

/// The holder's checks of the key in an offer, beside those of the engine.
@Suite struct OfferedKeyTests {
  private static func check(
    offer: (inout JSON) -> Void = { _ in }, key: (inout JSON) -> Void = { _ in }
  ) throws {
    var (text, definition) = (try Vectors.json("cred_offer"), try Vectors.json("cred_def"))
    offer(&text)
    var primary = definition["value"]?["primary"] ?? .null
    key(&primary)
    definition["value"]?["primary"] = primary
    try OfferedKey(offer: text.text, definition: definition.text).check()
  }

  private static func proved(_ change: ([JSON]) -> [JSON]) throws {
    try check(offer: { offer in
      let proved = offer["key_correctness_proof"]?["xr_cap"]?.array ?? []
      offer["key_correctness_proof"]?["xr_cap"] = .array(change(proved))
    })
  }

  @Test func anHonestOfferPasses() throws { try Self.check() }

  @Test func theProofNamesEachPartOfTheKeyOnce() throws {
    let isLinkSecret = { (entry: JSON) in entry.array?.first == "master_secret" }
    let changes: [([JSON]) -> [JSON]] = [
      { $0.filter { !isLinkSecret($0) } }, { $0.filter(isLinkSecret) }, { $0 + [$0[0]] }, { _ in [] },
      { $0.filter { !isLinkSecret($0) } + [$0.first { !isLinkSecret($0) } ?? .null] }, { $0 + [["other", "1"]] },
      { $0.filter { !isLinkSecret($0) } + [[1, "1"]] },
    ]
    let reason = "the proof of its key does not name each part of the key once"
    for (number, change) in changes.enumerated() {
      #expect(throws: CredentialsError.malformedOffer(reason), "\(number)") { try Self.proved(change) }
    }
  }

  @Test func theLinkSecretHasItsPartAmongTheOthers() throws {
    let reason = CredentialsError.malformedOffer("its key has no part for the link secret among the others")
    #expect(throws: reason) { try Self.check(key: { $0["rms"] = "2" }) }
    #expect(throws: reason) {
      try Self.check(
        offer: { offer in
          let proved = offer["key_correctness_proof"]?["xr_cap"]?.array ?? []
          offer["key_correctness_proof"]?["xr_cap"] = .array(proved.filter { $0.array?.first != "master_secret" })
        }, key: { $0["r"]?["master_secret"] = nil })
    }
  }

  @Test(arguments: ["0", "1", "-7", "abc", "", "4"]) func aModulusOfAnotherSizeIsRefused(modulus: String) {
    let reason = CredentialsError.malformedOffer("the modulus of its key does not have 2000 to 4200 bits")
    #expect(throws: reason) { try Self.check(key: { $0["n"] = .string(modulus) }) }
    #expect(throws: reason) { try Self.check(key: { $0["n"] = .string(String(repeating: "9", count: 20_000)) }) }
  }

  @Test(arguments: ["s", "z", "rctxt", "age"]) func eachNumberIsSmallerThanTheModulus(name: String) throws {
    let modulus = try #require(try Vectors.json("cred_def")["value"]?["primary"]?["n"])
    for value in [modulus, "0", "1", "-5", "x", .null] as [JSON] {
      #expect(throws: CredentialsError.malformedOffer("the number \"\(name)\" of its key is out of range")) {
        try Self.check(key: { if name == "age" { $0["r"]?["age"] = value } else { $0[name] = value } })
      }
    }
  }

  @Test func anOfferOrADefinitionWithoutAKeyIsRefused() throws {
    let (offer, definition) = (try Vectors.text("cred_offer"), try Vectors.text("cred_def"))
    for (offer, definition) in [("{}", definition), (offer, "{}"), ("x", definition)] {
      #expect {
        _ = try OfferedKey(offer: offer, definition: definition)
      } throws: { error in
        if case .malformedOffer? = error as? CredentialsError { true } else { false }
      }
    }
  }
}

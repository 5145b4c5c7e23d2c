import Aries
import JSON
import Sodium
import Testing

@Suite struct CredentialOfferTests {
  typealias Scene = ExchangeScene

  static func offer(_ version: String = "issue_2_0") throws -> CredentialOffer {
    try CredentialOffer(Scene.message(version, "offer"))
  }

  @Test(arguments: ["issue_1_0", "issue_2_0"]) func anOfferIsShown(version: String) throws {
    #expect(
      try Self.offer(version).summary == [
        "name": "degree", "cred_def_id": "V4SGRU86Z58d6TV7PBUe6f:3:CL:12:default",
        "schema_id": "V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0", "thid": "0d0f1a4e-6f1c-4c57-9d62-2f8a5b0c0001",
        "attributes": [
          ["name": "name", "value": "Alice Andersen"], ["name": "age", "value": "28"],
          ["name": "degree", "value": "Computer Science"], ["name": "Issue Date", "value": "20240131"],
        ],
      ])
  }

  @Test func onlyVersion2NeedsNoPreview() throws {
    let bare = try CredentialOffer(Scene.message("issue_2_0", "offer").with(["credential_preview": .null]))
    #expect(bare.preview == nil)
    #expect(throws: MessageError.malformed(.missing(key: "credential_preview"))) {
      try CredentialOffer(Scene.message("issue_1_0", "offer").with(["credential_preview": .null]))
    }
  }

  /// An offer of a credential with this schema.
  private func offer(ofSchema id: String) throws -> JSON {
    let content = #"{"schema_id":"\#(id)","cred_def_id":"d"}"#
    let attachment: JSON = [
      ["@id": "indy", "data": ["base64": .string(Base64.encode(Array(content.utf8), .standard))]]
    ]
    return try Scene.message("issue_2_0", "offer").with(["offers~attach": attachment])
  }

  @Test(arguments: [
    ("X:2:a degree:1.0", "a degree"), ("did:sov:X:2:a degree:1.0", "a degree"),
    ("schema:sov:did:sov:X:2:a degree:1.0", "a degree"), ("X:2::1.0", "Degree credential"),
    ("2:a degree:1.0", "Degree credential"), ("did:sov:test:X:2:a degree:1.0", "Degree credential"),
    ("X::2:a degree:1.0", "Degree credential"), ("did:indy:sov:X/anoncreds/v0/SCHEMA/a degree/1.0", "a degree"),
    ("did:webvh:Qm:example.com:issuers:1/resources/z", "Degree credential"),
  ]) func theNameStandsInEachFormOfASchemaID(id: String, name: String) throws {
    #expect(try CredentialOffer(offer(ofSchema: id)).name == name)
  }

  @Test func theNameIsTheSchemasElseTheIssuersElseTheComment() throws {
    let offer = try offer(ofSchema: "did:web:x/schema")
    #expect(try CredentialOffer(offer.with(["~alias": ["label": "Faber"]])).name == "Faber")
    #expect(try CredentialOffer(offer).name == "Degree credential")
    #expect(try CredentialOffer(offer.with(["comment": .null])).name == "Credential")
  }

  @Test func aBrokenOfferIsRefusedWithItsReason() throws {
    let offer = try Scene.message("issue_2_0", "offer")
    func reason(_ change: [String: JSON]) -> MessageError? {
      do { _ = try HolderMachine(offer: offer.with(change)) } catch { return error }
      return nil
    }
    let attachment: JSON = ["@id": "indy", "data": ["base64": "e30"]]
    #expect(
      reason(["@type": "https://didcomm.org/issue-credential/3.0/offer-credential"])
        == .otherType(expected: "issue-credential offer-credential"))
    #expect(
      reason(["@type": "https://didcomm.org/issue-credential/2.0/request-credential"])
        == .otherType(expected: "issue-credential offer-credential"))
    #expect(reason(["@type": .null]) == .malformed(.missing(key: "@type")))
    #expect(reason(["@id": .null]) == .malformed(.missing(key: "@id")))
    #expect(
      reason(["@id": .string(String(repeating: "a", count: 257))])
        == .malformed(.wrongType(key: "@id", expected: "an id of 1 to 256 characters of ASCII")))
    #expect(
      reason(["~thread": ["thid": .string(String(repeating: "a", count: 257))]])
        == .malformed(.wrongType(key: "~thread", expected: "an id of 1 to 256 characters of ASCII")))
    #expect(reason(["offers~attach": .null]) == .malformed(.missing(key: "offers~attach")))
    #expect(
      reason(["offers~attach": []])
        == .malformed(.missing(key: "the attachment of the format hlindy/cred-abstract@v2.0")))
    #expect(reason(["offers~attach": [attachment]]) == .malformed(.missing(key: "cred_def_id")))
    #expect(reason(["offers~attach": .array(Array(repeating: attachment, count: 17))]) == .tooLarge("offers~attach"))
    #expect(
      reason(["offers~attach": [["@id": "indy", "data": ["base64": "%"]]]])
        == .malformedAttachment(.undecodable("base64")))
    #expect(reason(["formats": [["attach_id": "indy", "format": "dif/x@v1"]]]) == .unsupportedFormat)
    #expect(reason(["formats": .null]) == .malformed(.missing(key: "formats")))
    #expect(reason(["credential_preview": ["attributes": [["name": "x"]]]]) == .malformed(.missing(key: "value")))
    let many = JSON.array(Array(repeating: ["name": "x", "value": "y"], count: 1_001))
    #expect(
      reason(["credential_preview": ["attributes": many]])
        == .malformed(.wrongType(key: "attributes", expected: "an array of at most 1000 attributes")))
    let deep = (0..<81).reduce(JSON.null) { inner, _ in [inner] }
    #expect(reason(["more": deep]) == .malformed(.tooDeep(limit: 80)))
  }

  @Test func aPreviewHasAsManyAttributesAsReasonable() throws {
    func offer(_ count: Int) throws -> JSON {
      let attributes = (0..<count).map { ["name": .string("\($0)"), "value": "x"] as JSON }
      return try Scene.message("issue_2_0", "offer").with(["credential_preview": ["attributes": .array(attributes)]])
    }
    #expect(try CredentialOffer(offer(1_000)).preview?.count == 1_000)
    #expect(throws: MessageError.self) { try CredentialOffer(offer(1_001)) }
  }

  @Test func anOfferHasAsManyAttachmentsAsReasonable() throws {
    let offer = try Scene.message("issue_2_0", "offer")
    let attachment = try #require(offer["offers~attach"]?.array?.first)
    let most = offer.with(["offers~attach": .array([JSON](repeating: attachment, count: 16))])
    #expect(throws: Never.self) { try CredentialOffer(most) }
  }

  @Test func theFirstAttachmentOfVersion1Counts() throws {
    let offer = try Scene.message("issue_1_0", "offer")
    let attachments = try #require(offer["offers~attach"]?.array)
    let other: JSON = ["@id": "x", "data": ["json": "other"]]
    let both = offer.with(["offers~attach": .array(attachments + [other])])
    #expect(try IssueCredentialMessage(.offer, both).content() == IssueCredentialMessage(.offer, offer).content())
  }

  @Test func anAttachmentHasALimit() throws {
    func content(_ count: Int) throws -> AttachedContent {
      let attachment: JSON = [["@id": "indy", "data": ["json": .string(String(repeating: " ", count: count))]]]
      return try IssueCredentialMessage(
        .offer, Scene.message("issue_2_0", "offer").with(["offers~attach": attachment])
      ).content()
    }
    #expect(try content(8 << 20).text.utf8.count == 8 << 20)
    #expect(throws: MessageError.tooLarge("offers~attach")) { try content(8 << 20 + 1) }
  }

  @Test func aFormatThatIsNoTextIsPassedOver() throws {
    let offer = try Scene.message("issue_2_0", "offer")
    let formats = try #require(offer["formats"]?.array)
    let message = offer.with(["formats": .array([["attach_id": "x", "format": 1]] + formats)])
    #expect(try IssueCredentialMessage(.offer, message).content() == IssueCredentialMessage(.offer, offer).content())
  }

  @Test func anotherFamilyHasNoOffers() throws {
    let json = try Scene.message("issue_2_0", "offer").with([
      "@type": "https://didcomm.org/present-proof/2.0/offer-credential"
    ])
    #expect(throws: MessageError.otherType(expected: "issue-credential offer-credential")) {
      try IssueCredentialMessage(.offer, json)
    }
  }

  @Test func aTypeWithoutAPrefixIsAnsweredWithTheUsualOne() throws {
    let json = try Scene.message("issue_2_0", "offer").with(["@type": "issue-credential/2.0/offer-credential"])
    #expect(try IssueCredentialMessage(.offer, json).dialect == Dialect("issue-credential", 2))
  }

  @Test func theParentThreadHasTheLimitOfIDs() throws {
    func offer(_ length: Int) throws -> JSON {
      let thread: JSON = ["thid": "t", "pthid": .string(String(repeating: "p", count: length))]
      return try Scene.message("issue_2_0", "offer").with(["~thread": thread])
    }
    #expect(throws: Never.self) { try CredentialOffer(offer(256)) }
    #expect(throws: MessageError.self) { try CredentialOffer(offer(257)) }
  }

  @Test func aMessageHasAsManyFormatsAsReasonable() throws {
    let offer = try Scene.message("issue_2_0", "offer")
    let format = try #require(offer["formats"]?.array?.first)
    func content(_ count: Int) throws -> AttachedContent {
      try IssueCredentialMessage(.offer, offer.with(["formats": .array([JSON](repeating: format, count: count))]))
        .content()
    }
    #expect(try content(16) == content(1))
    #expect(throws: MessageError.tooLarge("formats")) { try content(17) }
  }

  @Test(arguments: ["0.1", "3.0"]) func otherVersionsOfAProtocolAreUnknown(version: String) throws {
    let type = "https://didcomm.org/issue-credential/\(version)/offer-credential"
    let offer = try Scene.message("issue_1_0", "offer").with(["@type": .string(type)])
    #expect(try Message(offer) == .other(type: type))
    #expect(throws: MessageError.otherType(expected: "issue-credential offer-credential")) {
      try CredentialOffer(offer)
    }
  }

  @Test func aValueThatIsNoTextIsComparedAsItsJSON() throws {
    let attributes: JSON = [["name": "age", "value": 28], ["name": "degree", "value": "Physics"]]
    let offer = try Scene.message("issue_2_0", "offer").with(["credential_preview": ["attributes": attributes]])
    let read = try CredentialOffer(offer)
    #expect(read.preview?.map(\.raw) == ["28", "Physics"])
    #expect(read.summary["attributes"] == attributes)
  }
}

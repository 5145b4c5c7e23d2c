import CloudAgent
import JSON
import MSDK
import TestSupport
import Testing

/// The texts that have to do with sponsors and push, before anything is sent.
@Suite struct SponsorTokenTests {
  private func known() throws -> JSON {
    try #require(try Fixtures.json("didcomm/pack-provision-token.json")["token"])
  }

  static let token = #"{"sponseeId":"a","sponsorId":"b","nonce":"c","timestamp":"d","sig":"e","sponsorVerKey":"f"}"#

  @Test func aTokenMayHaveUnknownMembers() throws {
    var token = try known()
    token["@id"] = "1"
    token["future"] = ["x": true]
    #expect(throws: Never.self) { try SponsorToken(parsing: token.text) }
  }

  @Test(arguments: ["sponseeId", "sponsorId", "nonce", "timestamp", "sig", "sponsorVerKey"])
  func aTokenNeedsItsMembers(member: String) throws {
    var token = try known()
    token[member] = nil
    #expect(throws: TokenError.malformed(.missing(key: member))) { try SponsorToken(parsing: token.text) }
  }

  @Test(arguments: ["", "nonsense", "[]", "\"token\""]) func aMalformedTokenIsRefused(text: String) {
    #expect(throws: TokenError.self) { try SponsorToken(parsing: text) }
  }

  @Test func halfAnAttestationIsAnErrorOfItsOwn() throws {
    var token = try known()
    token["attestationData"] = "e30="
    #expect(throws: TokenError.malformedAttestation(.missing(key: "attestationAlgorithm"))) {
      try SponsorToken(parsing: token.text)
    }
  }

  static let agency: JSON = [
    "agency_url": "http://agency.example", "agency_did": "SnTKP3E2D6Y8zE4p62Le3n",
    "agency_verkey": "F45Ey9188uCq5QzTnsJJHC7WczwVSjjpAFxUvJXYJVqR",
  ]

  @Test(arguments: [agency, .string(agency.text)]) func aRequestForATokenNeedsTheAgencyAndTwoNames(config: JSON) throws
  {
    let request: JSON = ["vcx_config": config, "sponsee_id": "user-42", "sponsor_id": "example-sponsor"]
    #expect(throws: Never.self) { try TokenRequest(parsing: request.text) }
    for member in ["vcx_config", "sponsee_id", "sponsor_id"] {
      var less = request
      less[member] = nil
      #expect(throws: SettingsError.missing(member)) { try TokenRequest(parsing: less.text) }
    }
  }

  @Test func aRequestForATokenNamesTheFaultOfTheAgency() {
    let request: JSON = ["vcx_config": ["agency_url": "nowhere"], "sponsee_id": "a", "sponsor_id": "b"]
    #expect(throws: SettingsError.invalidURL("agency_url")) { try TokenRequest(parsing: request.text) }
  }

  @Test(arguments: [
    #"{"id":"phone","value":"FCM:x"}"#, #"{"id":"phone","value":"FCM:x","type":1}"#, #"{"id":"a","value":"","type":4}"#,
    #"{"id":"phone","value":"x","type":null}"#,
  ])
  func aPushRegistrationIsRead(text: String) {
    #expect(throws: Never.self) { try PushRegistration(parsing: text) }
  }

  @Test(
    arguments: [
      (#"{"value":"x"}"#, .missing(key: "id")), (#"{"id":"x"}"#, .missing(key: "value")),
      (#"{"id":"a","value":"b","type":"3"}"#, .wrongType(key: "type", expected: "an integer")),
      (#"{"id":"a","value":"b","type":0}"#, .wrongType(key: "type", expected: "a number from 1 to 4")),
      (#"{"id":"a","value":"b","type":5}"#, .wrongType(key: "type", expected: "a number from 1 to 4")),
      (#"{"id":1,"value":"b"}"#, .wrongType(key: "id", expected: "a string")),
      (#"3"#, .wrongType(key: nil, expected: "an object")),
    ] as [(String, JSONError)])
  func aBadPushRegistrationIsRefused(text: String, error: JSONError) {
    #expect(throws: error) { try PushRegistration(parsing: text) }
  }
}

import Credentials
import Foundation
import JSON
import MSDK
import Registry
import TestSupport
import Testing

@testable import VCX

/// The functions of issuers without a running SDK; the exchanges are tested against other programs.
@Suite struct IssuerFunctionTests {
  private func fixture(_ file: String, _ name: String) throws -> String {
    let json = try Fixtures.json("issuer/\(file).json")
    return try #require(json[name] ?? json["states"]?[name]).text
  }

  @Test func aSchemaOfEvernymsLibraryIsRestored() async throws {
    let text = try fixture("public_objects", "schema")
    let restored = await numbers.call { vcx_schema_deserialize($0, text, numberCallback) }
    let handle = try #require(restored.delivery?.value)
    let id = await strings.call { vcx_schema_get_schema_id($0, handle, stringCallback) }
    #expect(id.delivery?.value == "V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0")
    let written = await strings.call { vcx_schema_serialize($0, handle, stringCallback) }
    #expect(written.delivery?.value == text)
    #expect(await numbers.call { vcx_schema_get_state($0, handle, numberCallback) }.delivery?.value == 1)
    #expect(vcx_schema_release(handle) == 0)
    #expect(await numbers.call { vcx_schema_get_state($0, handle, numberCallback) }.delivery?.error == 1042)
  }

  @Test(arguments: ["credentialdef", "credentialdef_not_revocable"])
  func aDefinitionOfEvernymsLibraryIsRestored(name: String) async throws {
    let text = try fixture("public_objects", name)
    let restored = await numbers.call { vcx_credentialdef_deserialize($0, text, numberCallback) }
    let handle = try #require(restored.delivery?.value)
    let id = await strings.call { vcx_credentialdef_get_cred_def_id($0, handle, stringCallback) }
    #expect(id.delivery?.value == "V4SGRU86Z58d6TV7PBUe6f:3:CL:12:tag1")
    let written = await strings.call { vcx_credentialdef_serialize($0, handle, stringCallback) }
    #expect(written.delivery?.value == text)
    #expect(vcx_credentialdef_release(handle) == 0)
    let gone = await numbers.call { vcx_credentialdef_get_state($0, handle, numberCallback) }
    #expect(gone.delivery?.error == 1037)
  }

  @Test func aDefinitionIsNamedByItsID() async throws {
    let (id, did) = ("V4SGRU86Z58d6TV7PBUe6f:3:CL:12:tag1", "did:sov:V4SGRU86Z58d6TV7PBUe6f")
    let registry = try fixture("public_objects", "revocation_config_for_create_with_id")
    for revocation in [nil, registry] {
      let made = await numbers.call { vcx_credentialdef_create_with_id($0, "d", id, did, revocation, numberCallback) }
      let handle = try #require(made.delivery?.value)
      let text = await strings.call { vcx_credentialdef_serialize($0, handle, stringCallback) }
      let data = try JSON(parsing: #require(text.delivery?.value ?? nil))["data"]
      #expect(data?["tag"] == "tag1" && data?["issuer_did"] == "V4SGRU86Z58d6TV7PBUe6f" && data?["state"] == 0)
      #expect((data?["rev_reg_def"]?.string != nil) == (revocation != nil))
    }
    let wrong = await numbers.call { vcx_credentialdef_create_with_id($0, "d", id, did, "[]", numberCallback) }
    #expect(wrong.delivery?.error == 1016)
  }

  @Test(arguments: [
    ("1 Initial", 1), ("2 OfferSent", 2), ("3 RequestReceived", 3), ("4 Finished Success", 4),
    ("9 Finished Rejected", 9), ("0 Finished Failed", 0),
  ])
  func aCredentialOfEvernymsLibraryIsRestored(name: String, state: UInt32) async throws {
    let text = try fixture("issuer_states", name)
    let restored = await numbers.call { vcx_issuer_credential_deserialize($0, text, numberCallback) }
    let handle = try #require(restored.delivery?.value)
    #expect(await numbers.call { vcx_issuer_credential_get_state($0, handle, numberCallback) }.delivery?.value == state)
    let report = await strings.call { vcx_issuer_credential_get_problem_report($0, handle, stringCallback) }
    #expect((report.delivery?.value == "null") == (state != 0 && state != 9))
    let message = await strings.call { vcx_issuer_get_credential_msg($0, handle, "did", stringCallback) }
    #expect(message.delivery?.error == 1103)
    #expect(vcx_issuer_credential_release(handle) == 0)
    let gone = await done.call { vcx_issuer_revoke_credential($0, handle, doneCallback) }
    #expect([1004, 1015].contains(gone.delivery?.error))
  }

  @Test(arguments: ["x", "", "-1", "1.5"]) func aPriceIsANumber(price: String) async {
    let refused = await numbers.call { command in
      vcx_issuer_create_credential(command, "c", 1, "did", "{}", "Degree", price, numberCallback)
    }
    #expect(refused.refusal == 1007)
  }

  @Test(arguments: ["", "{}", "[]", #"{"version":"2.0","data":{}}"#, #"{"version":"1.0","data":{"state":2}}"#])
  func otherTextsAreNotRestored(text: String) async {
    for call in [vcx_schema_deserialize, vcx_credentialdef_deserialize, vcx_issuer_credential_deserialize] {
      let ending = await numbers.call { call($0, text, numberCallback) }
      #expect(text.isEmpty ? ending.refusal == 1007 : [1016, 1103].contains(ending.delivery?.error))
    }
  }

  @Test(
    arguments: [
      (IssuingError.malformedNames("x"), 1080), (IssuingError.invalidSchema("x"), 1041),
      (IssuingError.invalidTag("x"), 1034), (IssuingError.invalidIssuer("x"), 1008),
      (IssuingError.malformedValues("x"), 1021), (IssuingError.malformedRevocation("x"), 1091),
      (IssuingError.noKeys("x"), 1073), (IssuingError.malformedRequest("x"), 1018), (IssuingError.registryFull, 1091),
      (IssuingError.otherTerms, 1081),
      (PublicationFailure(.object(.schema), "x", .exists("x")), 1088),
      (PublicationFailure(.object(.schema), "x", .refused("x")), 1094),
      (PublicationFailure(.object(.schema), "x", .notAccepted("x")), 1094),
      (PublicationFailure(.object(.definition), "x", .refused("x")), 1034),
      (PublicationFailure(.object(.revocationRegistry), "x", .exists("x")), 1095),
      (PublicationFailure(.statusList, "x", .refused("x")), 1092),
      (PublicationFailure(.statusList, "x", .unreachable("x")), 1025),
      (PublicationFailure(.object(.schema), "x", .notConfigured), 1030),
    ] as [(any Error & Sendable, UInt32)])
  func errorsHaveTheirNumbers(error: any Error & Sendable, code: UInt32) {
    #expect(VCXError(error).code.rawValue == code)
  }
}

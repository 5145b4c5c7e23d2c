import Foundation
import IndyVDR
import JSON
import TestSupport
import Testing

@testable import Registry

/// Through libindy_vdr.so, against a ledger of one node.
@Suite struct LedgerTests {
  private let ledger: LedgerProcess
  private let registry: IndyRegistry
  private let pool: LedgerPool

  init() throws {
    ledger = try LedgerProcess(requests: Self.requests())
    let pool = try LedgerPool(Genesis(ledger.genesis), library: LedgerLibrary.open(at: CredentialLibraries.indyVDR))
    self.pool = pool
    registry = IndyRegistry(networks: ["test"]) { () throws(LedgerError) in pool }
  }

  /// The objects that an issuer writes. The schema has the number 12, as in the ids of the fixtures.
  private static func requests() throws -> JSON {
    let write = { (operation: JSON) -> JSON in
      ["identifier": .string(Objects.issuer), "reqId": 1, "operation": operation]
    }
    var requests: [JSON] = (1...10).map { _ in
      write(["type": "1", "dest": .string(Objects.issuer), "verkey": "H3C2AVvLMv6gmMNam3uVAjZpfkcJCwDwnZn6z3wXmqPV"])
    }
    let endpoint: JSON = ["endpoint": ["endpoint": "http://127.0.0.1:1"]]
    requests.append(write(["type": "100", "dest": .string(Objects.issuer), "raw": .string(endpoint.text)]))
    let schema = try Objects.json("schema")
    let data: JSON = [
      "name": schema["name"] ?? .null, "version": schema["version"] ?? .null,
      "attr_names": schema["attrNames"] ?? .null,
    ]
    requests.append(write(["type": "101", "data": data]))
    let value = try #require(Objects.json("cred_def")["value"])
    requests.append(write(["type": "102", "ref": 12, "signature_type": "CL", "tag": "default", "data": value]))
    var registry = try Objects.json("rev_reg_def")
    (registry["type"], registry["id"], registry["issuerId"]) = ("113", .string(Objects.registryID), nil)
    registry["value"]?["issuanceType"] = "ISSUANCE_BY_DEFAULT"
    requests.append(write(registry))
    requests.append(
      write([
        "type": "114", "revocRegDefId": .string(Objects.registryID),
        "value": ["accum": "1 0", "revoked": [2, 3], "issued": []],
      ]))
    return .array(requests)
  }

  private var now: Int64 { Int64(Date().timeIntervalSince1970) }

  @Test func theLedgersObjectsBecomeObjectsOfAnonCreds() throws {
    #expect(try registry.schema(Objects.schemaID) == Objects.json("schema"))
    #expect(try registry.definition(Objects.definitionID) == Objects.json("cred_def"))
    #expect(try registry.revocationRegistry(Objects.registryID) == Objects.json("rev_reg_def"))
    let list = try registry.statusList(Objects.registryID, at: now)
    try list.checkStatusList(of: Objects.registryID, at: now, size: 20)
    #expect(list["revocationList"]?.array?.firstIndex(of: 1) == 2)
    #expect(list["revocationList"]?.array?.count == 21)
    #expect(throws: RegistryError.notFound) { try registry.statusList(Objects.registryID, at: 1) }
    #expect(throws: RegistryError.notFound) { try registry.schema("\(Objects.issuer):2:other:1.0") }
    #expect(throws: RegistryError.notFound) { try registry.definition("\(Objects.issuer):3:CL:99:default") }
  }

  @Test func keysAndAttributesOfADIDAreRead() throws {
    let nym = try JSON(parsing: try #require(pool.submit(.nym(Objects.issuer))["data"]?.string))
    #expect(nym["verkey"]?.string == "H3C2AVvLMv6gmMNam3uVAjZpfkcJCwDwnZn6z3wXmqPV")
    let attribute = try pool.submit(.attribute("endpoint", of: Objects.issuer))["data"]?.string
    #expect(try JSON(parsing: try #require(attribute))["endpoint"]?["endpoint"]?.string == "http://127.0.0.1:1")
    #expect(try pool.submit(.nym("WgWxqztrNooG92RXvxSTWv"))["data"]?.isNull == true)
  }

  @Test func manyThreadsGetTheirOwnAnswers() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask { () async throws -> Void in
          for _ in 0..<5 {
            if number.isMultiple(of: 2) {
              #expect(try registry.schema(Objects.schemaID)["name"]?.string == "degree")
            } else {
              #expect(throws: RegistryError.notFound) { try registry.schema("\(Objects.issuer):2:no\(number):1.0") }
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func anIDThatTheLibraryRefusesIsNoAnswer() {
    let error = #expect(throws: LedgerError.self) { try pool.submit(.schema(id: "no id")) }
    guard case .refused? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}

package import Indy
package import JSON
internal import Wallet

/// The issuer of public objects, and the form of their ids.
package enum ObjectNaming: Sendable {
  /// Ids of Indy consist of the issuer's DID, and of the names that the issuer has chosen.
  case indy(IndyDID)
  /// Ids are made from the content of the objects, in which the issuer's DID has this form.
  case content(issuer: String, id: @Sendable (JSON) throws -> String)

  var isByContent: Bool { if case .content = self { true } else { false } }

  var issuer: String {
    switch self {
    case .indy(let did): did.text
    case .content(let issuer, _): issuer
    }
  }
}

/// The ids of own objects whose ids are made from their content, by the choices of the caller: a program that repeats a call
/// has chosen the same, and gets the same object.
struct ContentIDs: Sendable {
  private let records: LibraryRecords

  init(wallet: Wallet) { records = LibraryRecords(of: "msdk::content_id", in: wallet) }

  func find(_ choices: [String]) throws -> String? { try records.find(JSON(choices).text)?.value }

  /// The changes that note an id, if no other process has noted one since `former` was found.
  func noting(_ id: String, _ choices: [String], insteadOf former: String?) -> [LibraryChange] {
    let name = JSON(choices).text
    return [records.expecting(name, value: former), records.putting(name, value: id)]
  }
}

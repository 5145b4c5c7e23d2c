package import DIDComm
package import JSON

/// `discover-features/1.0/query` (RFC 0031): asks the peer for its protocols.
package struct FeatureQuery: Equatable, Sendable {
  package static let type = MessageType("discover-features", 1, 0, "query")
  package let id: String
  /// A protocol, where `*` stands for any characters.
  package let query: String
  package let comment: String?
  package let thread: Thread

  /// Without a query, the message asks for all protocols.
  package init(id: String, query: String?, comment: String?) {
    self.id = id
    self.query = query ?? "*"
    self.comment = comment
    thread = Thread(thid: id)
  }

  init(_ object: JSONObject) throws(JSONError) {
    id = try object.string("@id")
    query = try object.optionalString("query") ?? "*"
    comment = try object.optionalString("comment")
    thread = Thread(of: object)
  }

  package var json: JSON {
    var object: JSONObject = ["@type": .string(Self.type.text), "@id": .string(id), "query": .string(query)]
    object["comment"] = comment.map(JSON.string)
    return .object(object)
  }
}

/// `discover-features/1.0/disclose`: answers a query.
package struct FeatureDisclosure: Equatable, Sendable {
  package static let type = MessageType("discover-features", 1, 0, "disclose")
  package let id: String
  package let thread: Thread
  package let protocols: [SpokenProtocol]

  /// The disclosure of msdk's protocols.
  package init(id: String, to query: FeatureQuery) {
    self.id = id
    thread = Thread(thid: query.thread.thid, pthid: query.thread.pthid)
    protocols = SpokenProtocol.own(matching: query.query)
  }

  init(_ object: JSONObject) throws(JSONError) {
    id = try object.optionalString("@id") ?? ""
    thread = Thread(of: object)
    protocols = try object.array("protocols").map(SpokenProtocol.init)
  }

  package var json: JSON {
    [
      "@type": .string(Self.type.text), "@id": .string(id), "~thread": thread.json,
      "protocols": .array(protocols.map(\.json)),
    ]
  }
}

/// `discover-features/2.0/queries` (RFC 0557): several queries at once. msdk answers the queries about protocols.
package struct FeatureQueries: Equatable, Sendable {
  package static let type = MessageType("discover-features", 2, 0, "queries")
  package let id: String
  package let thread: Thread
  /// The patterns of the requested protocols, at most `mostPatterns`.
  package let protocols: [String]

  /// As many patterns as queries may have. More are ignored.
  private static let mostPatterns = 64

  init(_ object: JSONObject) throws(JSONError) {
    id = try object.string("@id")
    thread = Thread(of: object)
    var protocols: [String] = []
    for element in try object.array("queries") where protocols.count < Self.mostPatterns {
      let query = try element.requireObject()
      guard try query.string("feature-type") == "protocol" else { continue }
      protocols.append(try query.optionalString("match") ?? "*")
    }
    self.protocols = protocols
  }
}

/// `discover-features/2.0/disclosures`: answers queries. A protocol that several queries name appears once.
package struct FeatureDisclosures: Equatable, Sendable {
  package static let type = MessageType("discover-features", 2, 0, "disclosures")
  package let json: JSON

  package init(id: String, to queries: FeatureQueries) {
    var protocols: [SpokenProtocol] = []
    for pattern in queries.protocols {
      protocols += SpokenProtocol.own(matching: pattern).filter { !protocols.contains($0) }
    }
    let disclosures = protocols.map { spoken -> JSON in
      guard var object = spoken.json(naming: "id").object else { return .null }
      object["feature-type"] = "protocol"
      return .object(object)
    }
    json = [
      "@type": .string(Self.type.text), "@id": .string(id),
      "~thread": Thread(thid: queries.thread.thid, pthid: queries.thread.pthid).json,
      "disclosures": .array(disclosures),
    ]
  }
}

package import JSON

extension Selection {
  /// The result of `vcx_disclosed_proof_retrieve_credentials`. Up to protocol version 3.0 it is one map of all items;
  /// version 4.0 separates attributes and predicates, and lists the missing items.
  package func text(separatingPredicates: Bool) -> String {
    let entries = EntryWriter(selection: self)
    var writer = JSONWriter(expecting: entries.expectedSize)
    writer.object { writer in
      if separatingPredicates { entries.writeItems(to: &writer) } else { entries.writeMap(to: &writer) }
    }
    return writer.text
  }
}

extension Selection {
  /// The items with their credentials, after the members of a heading. Version 4.0 of the protocol separates attributes
  /// and predicates, and so does this text.
  package func text(under heading: JSONObject) -> String {
    let entries = EntryWriter(selection: self)
    var writer = JSONWriter(expecting: entries.expectedSize)
    writer.object { writer in
      writer.write(membersOf: heading)
      entries.writeItems(to: &writer)
    }
    return writer.text
  }
}

private struct EntryWriter {
  let selection: Selection
  /// `cred_info` of each credential, made once: a request with many items writes each of them many times.
  let infos: [String]

  init(selection: Selection) {
    self.selection = selection
    var isHit = [Bool](repeating: false, count: selection.credentials.count)
    for hit in (selection.attributes + selection.predicates).joined() { isHit[hit.credential] = true }
    infos = selection.credentials.indices.map { isHit[$0] ? selection.credentials[$0].info : "" }
  }

  var expectedSize: Int {
    (selection.attributes + selection.predicates).joined().reduce(256) { $0 + infos[$1.credential].utf8.count + 128 }
  }

  func writeMap(to writer: inout JSONWriter) {
    writer.name("attrs")
    writer.object { writer in
      for (item, hits) in zip(selection.request.attributes, selection.attributes) {
        writer.name(item.referent)
        write(hits, item.names, item.interval, to: &writer)
      }
      for (item, hits) in zip(selection.request.predicates, selection.predicates) where !isAttribute(item.referent) {
        writer.name(item.referent)
        write(hits, [item.name], item.interval, to: &writer)
      }
    }
  }

  /// If a referent names both an attribute and a predicate, the text has one member, the attribute's.
  private func isAttribute(_ referent: String) -> Bool {
    selection.request.attributes.contains { $0.referent == referent }
  }

  func writeItems(to writer: inout JSONWriter) {
    writer.name("attributes")
    writer.object { writer in
      for (item, hits) in zip(selection.request.attributes, selection.attributes) {
        writer.name(item.referent)
        writer.object { writer in write(item, hits, to: &writer) }
      }
    }
    writer.name("predicates")
    writer.object { writer in
      for (item, hits) in zip(selection.request.predicates, selection.predicates) {
        writer.name(item.referent)
        writer.object { writer in write(item, hits, to: &writer) }
      }
    }
  }

  private func write(_ item: ProofRequest.Attribute, _ hits: [Selection.Hit], to writer: inout JSONWriter) {
    writer.name(item.isGroup ? "names" : "name")
    writer.write(item.isGroup ? JSON(item.names) : JSON(item.names.first))
    writer.name("credentials")
    write(hits, item.names, item.interval, to: &writer)
    writer.name("self_attest_allowed")
    writer.write(.bool(item.mayBeSelfAttested))
    writer.name("missing")
    writer.write(.bool(hits.isEmpty && !item.mayBeSelfAttested))
  }

  private func write(_ item: ProofRequest.Predicate, _ hits: [Selection.Hit], to writer: inout JSONWriter) {
    writer.name("name")
    writer.write(item.name)
    writer.name("p_type")
    writer.write(item.comparison.rawValue)
    writer.name("p_value")
    writer.write(.integer(Int64(item.value)))
    writer.name("credentials")
    write(hits, [item.name], item.interval, to: &writer)
    writer.name("missing")
    writer.write(.bool(hits.isEmpty))
  }

  private func write(
    _ hits: [Selection.Hit], _ names: [String], _ interval: Interval?, to writer: inout JSONWriter
  ) {
    let interval = interval?.json.text ?? "null"
    writer.array { writer in
      for hit in hits {
        let credential = selection.credentials[hit.credential]
        writer.object { writer in
          writer.name("cred_info")
          writer.write(json: infos[hit.credential])
          writer.name("interval")
          writer.write(json: interval)
          writer.name("requested_attributes")
          writer.object { writer in
            for (index, position) in hit.shown.enumerated()
            where !names[..<index].contains(where: { $0.isExactly(names[index]) }) {
              writer.name(names[index])
              writer.write(credential.content.attributes[position].raw)
            }
          }
          if credential.isRevoked {
            writer.name("revoked")
            writer.write(.bool(true))
          }
        }
      }
    }
  }
}

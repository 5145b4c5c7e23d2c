internal import CAnonCreds

/// The revocation registries and status lists that a presentation refers to, as JSON.
package struct RevocationObjects: Equatable, Sendable {
  /// Definitions of registries by their ids.
  package var registries: [String: String]
  package var statusLists: [String]
  /// Status lists that serve for another timestamp than their own.
  package var overrides: [StatusListOverride]

  package init(
    registries: [String: String] = [:], statusLists: [String] = [], overrides: [StatusListOverride] = []
  ) {
    self.registries = registries
    self.statusLists = statusLists
    self.overrides = overrides
  }
}

/// Lets the status list of the time `served` answer a request for an interval that begins at `requested`.
package struct StatusListOverride: Equatable, Sendable {
  package var registryID: String
  package var requested: Int64
  package var served: Int64

  package init(registryID: String, requested: Int64, served: Int64) {
    self.registryID = registryID
    self.requested = requested
    self.served = served
  }
}

extension Engine {
  /// Whether the presentation proves the items of `request`. Returns false also for a presentation whose structure,
  /// restrictions or timestamps are wrong, which the library reports as an error. Throws if the fault is not the
  /// presentation's.
  ///
  /// The library leaves much of a presentation unchecked: the caller compares predicates, raw values and schemas with
  /// the request. Needs version 0.2.3, the first that refuses credentials of different link secrets in one presentation.
  package func verify(
    presentation: String, request: String, objects: PublicObjects, revocation: RevocationObjects = RevocationObjects()
  ) throws(AnonCredsError) -> Bool {
    try require(0, 2, 3)
    return try withMemory { memory throws(AnonCredsError) in
      let request = try memory.object(request, functions.presentationRequest)
      let schemas = try memory.named(objects.schemas, functions.schema)
      let definitions = try memory.named(objects.definitions, functions.definition)
      let registries = try memory.named(revocation.registries, functions.registry)
      let lists = try memory.objects(revocation.statusLists, functions.statusList)
      let overrides = try memory.overrides(revocation.overrides)
      var isProved: Int8 = 0
      do throws(AnonCredsError) {
        let presentation = try memory.object(presentation, functions.presentation)
        try check {
          functions.verify(
            presentation, request, schemas.objects, schemas.ids, definitions.objects, definitions.ids,
            registries.objects, registries.ids, lists, overrides, &isProved)
        }
      } catch .failed(let code, _) where code != .io {
        return false
      }
      return isProved != 0
    }
  }
}

extension CallMemory {
  fileprivate func overrides(_ overrides: [StatusListOverride]) throws(AnonCredsError) -> anoncreds_overrides {
    var list: [anoncreds_override] = []
    for each in overrides {
      list.append(
        anoncreds_override(
          registry_id: text(each.registryID), requested: try number(each.requested), served: try number(each.served)))
    }
    return anoncreds_overrides(count: list.count, data: copy(list))
  }
}

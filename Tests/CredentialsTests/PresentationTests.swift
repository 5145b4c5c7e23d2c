import AnonCreds
import JSON
import Testing

@testable import Credentials

@Suite struct PresentationTests {
  private static let request = #"""
    {"nonce":"1","name":"n","version":"1.0","requested_attributes":{
      "name":{"name":"name","restrictions":[{"issuer_did":"x"}]},"phone":{"name":"phone"},
      "early":{"name":"degree","non_revoked":{"from":10,"to":20}},"late":{"name":"age","non_revoked":{"from":15,"to":30}},
      "apart":{"name":"Issue Date","non_revoked":{"from":40,"to":50}}},
     "requested_predicates":{"adult":{"name":"age","p_type":">=","p_value":18}}}
    """#

  private func plan(_ selected: String, _ attested: String = "{}") throws -> PresentationPlan {
    try PresentationPlan(
      ChosenCredentials(selected: selected, selfAttested: attested), for: ProofRequest(parsing: Self.request))
  }

  private func choice(_ credential: String, _ more: String = "") -> String {
    #"{"credential":{"cred_info":{"referent":"\#(credential)"}}\#(more)}"#
  }

  private func item(_ referent: String, isPredicate: Bool = false, isRevealed: Bool = true) -> PresentationPlan.Item {
    PresentationPlan.Item(referent: referent, isPredicate: isPredicate, isRevealed: isRevealed)
  }

  /// An issuer chooses the ids of its credentials.
  @Test func credentialsWhoseIDsLookAlikeStayApart() throws {
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    let plan = try plan(
      #"{"attrs":{"name":\#(choice(composed, #","present_revoked":true"#)),"phone":\#(choice(decomposed))}}"#)
    #expect(plan.groups.map { $0.credential.utf8.count } == [2, 3])
    #expect(plan.groups.map(\.items) == [[item("name")], [item("phone")]])
    #expect(plan.groups.map(\.presentsRevoked) == [true, false])
    var draft = PresentationDraft()
    for (group, text) in zip(plan.groups, ["one", "other"]) { try draft.add(group, credential: text, evidence: nil) }
    #expect(draft.credentials.map(\.credential) == ["one", "other"])
  }

  // MARK: The choice

  @Test func aChoiceIsReadWithItsExtension() throws {
    let chosen = try ChosenCredentials(
      selected:
        #"{"attrs":{"a":{"credential":{"cred_info":{"referent":"c","x":1},"y":2},"tails_file":"/t","revealed":false}},"predicates":1}"#,
      selfAttested: #"{"b":"text"}"#)
    #expect(chosen.choices.map(\.credential) == ["c"])
    #expect(chosen.choices.map(\.isRevealed) == [false])
    #expect(chosen.choices.map(\.tails) == ["/t"])
    #expect(chosen.selfAttested.map(\.value) == ["text"])
  }

  @Test(arguments: [
    "", "[]", #"{"attrs":1}"#, #"{"attrs":{"a":{}}}"#, #"{"attrs":{"a":{"credential":{"cred_info":{}}}}}"#,
  ])
  func aMalformedSelectionIsRefused(text: String) {
    #expect {
      try ChosenCredentials(selected: text, selfAttested: "{}")
    } throws: { error in
      if case .malformedSelection? = error as? CredentialsError { true } else { false }
    }
  }

  @Test(arguments: ["", "[]", #"{"a":1}"#])
  func malformedSelfAttestedValuesAreRefused(text: String) {
    #expect {
      try ChosenCredentials(selected: "{}", selfAttested: text)
    } throws: { error in
      if case .malformedSelfAttested? = error as? CredentialsError { true } else { false }
    }
  }

  // MARK: The plan

  @Test func itemsOfOneCredentialShareAProof() throws {
    let plan = try plan(
      #"{"attrs":{"name":\#(choice("c")),"adult":\#(choice("c")),"early":\#(choice("d", #","revealed":false"#))}}"#)
    #expect(plan.groups.map(\.credential) == ["c", "d"])
    #expect(plan.groups[0].items == [item("name"), item("adult", isPredicate: true, isRevealed: false)])
    #expect(plan.groups[0].interval == nil)
    #expect(plan.groups[1].items == [item("early", isRevealed: false)])
  }

  @Test func theTimeOfAProofLiesInAllIntervalsOfItsItems() throws {
    let plan = try plan(
      #"{"attrs":{"name":\#(choice("c")),"early":\#(choice("c")),"late":\#(choice("c")),"apart":\#(choice("c"))}}"#)
    #expect(plan.groups.map(\.interval) == [nil, Interval(from: 15, to: 20), Interval(from: 40, to: 50)])
    #expect(plan.groups.map(\.items) == [[item("name")], [item("early"), item("late")], [item("apart")]])
  }

  /// ACA-Py refuses a proof for a time that answers an item without one.
  @Test func anItemWithoutATimeHasAProofOfItsOwn() throws {
    let plan = try plan(
      #"{"attrs":{"early":\#(choice("c", #","tails_file":"/a""#)),"name":\#(choice("c", #","tails_file":"/b""#))}}"#)
    #expect(plan.groups.map(\.interval) == [Interval(from: 10, to: 20), nil])
    #expect(plan.groups.map(\.tails) == ["/a", "/a"])
    let later = try self.plan(
      #"{"attrs":{"early":\#(choice("c")),"name":\#(choice("c", #","tails_file":"/b""#))}}"#)
    #expect(later.groups.map(\.tails) == ["/b", "/b"])
  }

  /// The user can hide the value, or choose another credential for it.
  @Test(arguments: [
    (["shown", "name", "adult"], "", "c", false), (["adult", "name", "shown"], "", "c", false),
    (["shown", "adult"], #","revealed":false"#, "c", true), (["shown", "adult"], "", "d", true),
    (["name", "adult"], "", "c", true), (["shown", "timely"], "", "c", false),
  ])
  func oneCredentialDoesNotShowAndCompareAnAttribute(
    items: [String], more: String, credential: String, isPossible: Bool
  ) throws {
    let request = try ProofRequest(
      parsing: #"""
        {"nonce":"1","name":"n","version":"1.0","requested_attributes":{
          "shown":{"name":"Age","restrictions":[{"issuer_did":"x"}]},"name":{"name":"name"}},
         "requested_predicates":{"adult":{"name":"age","p_type":">=","p_value":18},
          "timely":{"name":"age","p_type":">=","p_value":18,"non_revoked":{"to":10}}}}
        """#)
    let choices = items.map { #""\#($0)":"# + ($0 == "shown" ? choice(credential, more) : choice("c")) }
    let chosen = try ChosenCredentials(
      selected: #"{"attrs":{\#(choices.joined(separator: ","))}}"#, selfAttested: "{}")
    // A credential without revocation has no evidence for any time, so all its items share an entry.
    var draft = PresentationDraft()
    let groups = try PresentationPlan(chosen, for: request).groups
    if isPossible {
      for group in groups { try draft.add(group, credential: "{}", evidence: nil) }
      #expect(draft.credentials.flatMap(\.items).count == items.count)
    } else {
      #expect(throws: CredentialsError.self) {
        for group in groups { try draft.add(group, credential: "{}", evidence: nil) }
      }
    }
  }

  @Test func oneChoicePermitsToPresentTheCredentialEvenIfItIsRevoked() throws {
    let plan = try plan(
      #"{"attrs":{"early":\#(choice("c", #","present_revoked":true"#)),"name":\#(choice("c")),"apart":\#(choice("d"))}}"#
    )
    #expect(plan.groups.map(\.credential) == ["c", "c", "d"])
    #expect(plan.groups.map(\.presentsRevoked) == [true, true, false])
    #expect(throws: CredentialsError.self) {
      try self.plan(#"{"attrs":{"early":\#(choice("c", #","present_revoked":1"#))}}"#)
    }
  }

  @Test func nothingIsAValidChoice() throws {
    let plan = try plan("{}", #"{"phone":"555"}"#)
    #expect(plan.groups.isEmpty)
    #expect(plan.selfAttested.map(\.value) == ["555"])
  }

  @Test(arguments: ["name", "adult", "unknown"])
  func onlyUnrestrictedAttributesAreSelfAttested(referent: String) {
    #expect {
      try plan("{}", #"{"\#(referent)":"x"}"#)
    } throws: { error in
      if case .malformedSelection? = error as? CredentialsError { true } else { false }
    }
  }

  @Test func anItemHasOneAnswer() {
    #expect(
      throws: CredentialsError.malformedSelection("phone has both a credential and a self-attested value")
    ) { try plan(#"{"attrs":{"phone":\#(choice("c"))}}"#, #"{"phone":"555"}"#) }
    #expect(throws: CredentialsError.malformedSelection("the request has no item x")) {
      try plan(#"{"attrs":{"x":\#(choice("c"))}}"#)
    }
  }

  // MARK: The engine's input

  @Test func onePairOfCredentialAndTimeIsOneEntry() throws {
    let plan = try plan(#"{"attrs":{"early":\#(choice("c")),"apart":\#(choice("c")),"name":\#(choice("d"))}}"#)
    let evidence = RevocationEvidence(timestamp: 12, state: "state")
    var draft = PresentationDraft()
    for group in plan.groups {
      try draft.add(
        group, credential: "text of \(group.credential)", evidence: group.credential == "c" ? evidence : nil)
    }
    #expect(draft.credentials.map(\.credential) == ["text of c", "text of d"])
    #expect(draft.credentials.map(\.revocation) == [evidence, nil])
    #expect(draft.credentials.map { $0.items.map(\.referent) } == [["early", "apart"], ["name"]])
  }

  /// Each proof is for one time.
  @Test func oneCredentialAtTwoTimesHasTwoEntries() throws {
    let plan = try plan(#"{"attrs":{"early":\#(choice("c")),"apart":\#(choice("c"))}}"#)
    let evidence = [12, 45].map { RevocationEvidence(timestamp: $0, state: "state of \($0)") }
    var draft = PresentationDraft()
    for (group, evidence) in zip(plan.groups, evidence) { try draft.add(group, credential: "text", evidence: evidence) }
    #expect(draft.credentials.map(\.revocation) == evidence)
    #expect(draft.credentials.map { $0.items.map(\.referent) } == [["early"], ["apart"]])
  }

  @Test func everyPublicObjectIsFetchedOnce() {
    var draft = PresentationDraft()
    var fetched: [String] = []
    for _ in 0..<2 {
      draft.needSchema("s") { id in
        fetched.append(id)
        return "schema"
      }
      draft.needDefinition("d") { id in
        fetched.append(id)
        return "definition"
      }
    }
    #expect(fetched == ["s", "d"])
    #expect(draft.objects == PublicObjects(schemas: ["s": "schema"], definitions: ["d": "definition"]))
  }
}

import TestSupport
import Testing

@testable import Wallet

@Suite struct TagCallTests {
  let home: Home
  let wallet: Wallet

  init() throws {
    home = try Home()
    wallet = try home.wallet()
    try wallet.apply(.add(Record(type: "t", id: "i", value: "v", tags: ["a": "1", "~a": "2", "b": "3", "~c": "4"])))
    try wallet.apply(.add(Record(type: "t", id: "other", value: "v", tags: ["a": "1", "~a": "2"])))
  }

  var tags: Tags { get throws { try wallet.record(type: "t", id: "i").tags } }

  @Test func addedTagsMergeAndReplace() throws {
    try wallet.apply(.addTags(["a": "new", "~d": "5"], type: "t", id: "i"))
    #expect(try tags == ["a": "new", "~a": "2", "b": "3", "~c": "4", "~d": "5"])
  }

  @Test func replacingLeavesNoOtherTag() throws {
    try wallet.apply(.replaceTags(with: ["x": "y"], type: "t", id: "i"))
    #expect(try tags == ["x": "y"])
    try wallet.apply(.replaceTags(with: [:], type: "t", id: "i"))
    #expect(try tags.isEmpty)
  }

  @Test func theTildeSaysWhichTagIsDeleted() throws {
    try wallet.apply(.deleteTags(named: ["~a", "absent", "b"], type: "t", id: "i"))
    #expect(try tags == ["a": "1", "~c": "4"])
    try wallet.apply(.deleteTags(named: [], type: "t", id: "i"))
    try wallet.apply(.deleteTags(named: ["a"], type: "t", id: "i"))
    #expect(try tags == ["~c": "4"])
  }

  @Test func otherRecordsKeepTheirs() throws {
    try wallet.apply(.replaceTags(with: [:], type: "t", id: "i"))
    try wallet.apply(.deleteTags(named: ["a"], type: "t", id: "i"))
    #expect(try wallet.record(type: "t", id: "other").tags == ["a": "1", "~a": "2"])
    #expect(try wallet.record(type: "t", id: "i").value == "v")
  }

  @Test func absentRecordsAndReservedTypesAreRefused() {
    for (type, error) in [("t", WalletError.recordNotFound), ("Indy::Key", .reservedType)] {
      #expect(throws: error) { try wallet.apply(.addTags(["a": "1"], type: type, id: "absent")) }
      #expect(throws: error) { try wallet.apply(.replaceTags(with: [:], type: type, id: "absent")) }
      #expect(throws: error) { try wallet.apply(.deleteTags(named: ["a"], type: type, id: "absent")) }
    }
  }

  @Test func tooManyTagsAreRefused() throws {
    let most = RecordChange.mostTags
    let tags = Tags((0...most).map { (name: "n\($0)", value: "v") })
    let refusal = WalletError.malformedTags(reason: "more than 10000")
    let changes: [RecordChange] = [
      .add(Record(type: "t", id: "many", value: "v", tags: tags)), .addTags(tags, type: "t", id: "i"),
      .replaceTags(with: tags, type: "t", id: "i"), .deleteTags(named: tags.map(\.name), type: "t", id: "i"),
    ]
    for change in changes {
      #expect(throws: refusal) { try wallet.apply(change) }
      #expect(throws: refusal) { try wallet.apply(change) { _ in Issue.record("called") } }
    }
    let few = Tags(tags.dropLast().map { $0 })
    try wallet.apply(.add(Record(type: "t", id: "many", value: "v", tags: few)))
    #expect(try wallet.record(type: "t", id: "many").tags == few)
  }

  @Test func namesAreReadFromAnArrayOfStrings() throws {
    #expect(try Tags.names(parsing: #"["a","~b"]"#) == ["a", "~b"])
    #expect(try Tags.names(parsing: "[]") == [])
    for text in ["{}", "[1]", #"["a",null]"#, "", "null"] {
      #expect(throws: WalletError.self) { try Tags.names(parsing: text) }
    }
  }
}

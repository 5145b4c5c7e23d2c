internal import Foundation
package import JSON

/// A section of docs/json.md: the members of one JSON text, as the document lists them.
package struct JSONReference {
  /// Paths such as `my.did` or `[].msgs[].uid`, each with what is said of it.
  package let members: [(path: String, text: String)]

  package init(_ title: String) throws {
    let file = Fixtures.folder.appending(path: "../../docs/json.md")
    let sections = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n## ")
    guard let section = sections.first(where: { $0.hasPrefix(title + "\n") }) else { throw Missing(title: title) }
    members = section.split(separator: "\n").compactMap { line in
      line.wholeMatch(of: /\| `([^`]+)` \| (.*) \|/).map { (String($0.1), String($0.2)) }
    }
  }

  /// A section that is not there.
  package struct Missing: Error { let title: String }

  /// Members that are in the text and not in the document, or the other way round. Parts that the document does not
  /// take apart are not compared in depth. Members that are only sometimes there ("If …") may be missing.
  package func differences(from json: JSON) -> [String] {
    let told = Set(members.map(\.path))
    let there = paths(in: json, at: "", among: told)
    let missing = members.filter { member in
      let parent = Self.parent(of: member.path)
      let isComparable = parent.isEmpty || there.whole.contains(parent)
      return isComparable && !there.members.contains(member.path) && !member.text.hasPrefix("If ")
    }
    return there.members.subtracting(told).sorted() + missing.map { "no " + $0.path }
  }

  /// The paths of the members, and those of the objects that were taken apart.
  private func paths(in json: JSON, at path: String, among told: Set<String>) -> (
    members: Set<String>, whole: Set<String>
  ) {
    var (members, whole): (Set<String>, Set<String>) = ([], [])
    let children: [(String, JSON)]
    if let elements = json.array {
      guard told.contains(where: { $0.hasPrefix(path + "[]") }) else { return ([], []) }
      children = elements.map { (path + "[]", $0) }
    } else if let object = json.object {
      guard path.isEmpty || told.contains(where: { $0.hasPrefix(path + ".") }) else { return ([], []) }
      whole.insert(path)
      children = object.members.map { (path.isEmpty ? $0.key : path + "." + $0.key, $0.value) }
      members.formUnion(children.map(\.0))
    } else {
      return ([], [])
    }
    for (childPath, child) in children {
      let below = paths(in: child, at: childPath, among: told)
      members.formUnion(below.members)
      whole.formUnion(below.whole)
    }
    return (members, whole)
  }

  private static func parent(of path: String) -> String {
    path.lastIndex(of: ".").map { String(path[..<$0]) } ?? ""
  }
}

import JSON
import Registry
import TestSupport
import Testing

@testable import MSDK
@testable import VCX

/// Answers each question with its own id, twice, and with the second code in the object's place if it is not 1007.
private let answering: vcx_string_cb = { handle, error, text in
  guard let text, let question = try? JSON(parsing: String(cString: text)),
    let number = question["request"]?.integer.flatMap({ UInt32(exactly: $0) })
  else { return }
  let answer: JSON = ["object": ["id": question["id"] ?? .null, "handle": .integer(Int64(handle))]]
  let first = msdk_answer_resolver(number, answer.text)
  if first != 0 || error != 0 { _ = msdk_answer_resolver(number, "{\"error\":\"\(first)\"}") }
}

/// The functions by which a program answers for ids that the library does not know.
@Suite(.theAgent) struct ResolverFunctionTests {
  @Test func aProgramHasOneResolver() {
    defer { Agent.standard.resolver.remove() }
    #expect(msdk_set_resolver(7, nil) == 1007)
    #expect(msdk_set_resolver(7, answering) == 0)
    #expect(msdk_set_resolver(8, answering) == 1044)
    #expect(msdk_remove_resolver(8) == 0)
    #expect(msdk_set_resolver(8, answering) == 1044, "the resolver has another handle")
    #expect(msdk_remove_resolver(7) == 0)
    #expect(msdk_remove_resolver(7) == 0)
    #expect(msdk_set_resolver(8, answering) == 0)
  }

  @Test func itsAnswersReachTheLibrary() throws {
    defer { Agent.standard.resolver.remove() }
    #expect(msdk_set_resolver(7, answering) == 0)
    let found = try #require(try Agent.standard.resolver.registry?.schema("did:cheqd:x/y"))
    #expect(found == ["id": "did:cheqd:x/y", "handle": 7])
  }

  @Test func anEmptyAnswerEndsItsQuestion() throws {
    defer { Agent.standard.resolver.remove() }
    let empty: vcx_string_cb = { _, _, question in
      let text = question.map { String(cString: $0) } ?? ""
      guard let number = (try? JSON(parsing: text))?["request"]?.integer.flatMap({ UInt32(exactly: $0) }) else {
        return
      }
      _ = msdk_answer_resolver(number, "")
    }
    #expect(msdk_set_resolver(7, empty) == 0)
    #expect(throws: RegistryError.invalid("\(ProgramAnswerError.malformed)")) {
      try Agent.standard.resolver.registry?.schema("did:cheqd:x/y")
    }
  }

  @Test func eachAgentHasAResolverOfItsOwn() throws {
    defer { Agent.standard.resolver.remove() }
    let other = Agent(number: 77)
    #expect(msdk_set_resolver(7, answering) == 0)
    CurrentAgent.serving(other) { #expect(msdk_set_resolver(8, answering) == 0) }
    #expect(try other.resolver.registry?.schema("did:cheqd:x/y") == ["id": "did:cheqd:x/y", "handle": 8])
    Agent.standard.resolver.remove()
    #expect(Agent.standard.resolver.registry == nil && other.resolver.registry != nil)
    other.close {}
    #expect(other.resolver.registry == nil)
  }

  @Test func anAnswerNeedsAQuestion() {
    #expect(msdk_answer_resolver(1, "{\"found\":false}") == 1007)
    #expect(msdk_answer_resolver(1, nil) == 1007)
    #expect(currentError()?.contains("answer") == true)
    defer { Agent.standard.resolver.remove() }
    #expect(msdk_set_resolver(7, answering) == 0)
    for answer in ["{\"found\":false}", "x", ""] { #expect(msdk_answer_resolver(1, answer) == 1007) }
  }
}

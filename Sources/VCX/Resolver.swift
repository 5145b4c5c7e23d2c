// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK
internal import Registry

// MARK: Public objects from the program
//
// A program can answer for ids of methods that the library does not know, such as did:cheqd, or of a national registry. The
// library checks the answers like those of any registry: an object must be of its kind and its id, and its issuer the DID
// that begins the id. Ids of Indy and of did:webvh are never asked for.

/// Makes the program a registry of the current agent, beside those of the configuration, whose answers count first.
///
/// The resolver lasts until `msdk_remove_resolver`, or until the agent ends. It may be set before `vcx_init`. Returns 0; 1007
/// without `cb`; 1044 if the agent has a resolver.
///
/// - Parameters:
///   - cb: Called any number of times, on threads of the library, up to 16 at the same time. Its error is always 0. Its text
///     is a question: JSON with `request`, `type`, `id` and `time`. The program answers with `msdk_answer_resolver`, inside
///     the callback or later, within 30 seconds.
@_cdecl("msdk_set_resolver")
public func msdk_set_resolver(_ command_handle: vcx_command_handle_t, _ cb: vcx_string_cb?) -> vcx_error_t {
  attempt { () throws(VCXError) in
    guard let cb else { throw .noCallback }
    nonisolated(unsafe) let function = cb
    let agent = CurrentAgent.value
    let isSet = agent.resolver.set(named: command_handle) { question in
      CurrentAgent.serving(agent) {
        _ = CallbackGate.process.pass {
          question.withCString { function(command_handle, ErrorCode.success.rawValue, $0) }
        }
      }
    }
    guard isSet else { throw VCXError(.alreadyInitialized, "the agent has a resolver") }
  }
}

/// Answers a question of the current agent's resolver. The agent is current in the callback; another thread selects it first.
/// Each question takes one answer.
///
/// - Parameters:
///   - request: The number of the question.
///   - answer: JSON text of at most 2 MB: `{"object": {...}}`, the object in the form of the AnonCreds specification;
///     `{"found": false}`; or `{"error": "..."}`, if the program cannot ask its registry.
/// - Returns: 0; 1007 if no question with this number waits: it has an answer, or its time is over; 1016 for another
///   answer, which ends the question with an error.
@_cdecl("msdk_answer_resolver")
public func msdk_answer_resolver(_ request: UInt32, _ answer: CString?) -> vcx_error_t {
  attempt { () throws(VCXError) in
    let answer = try text(answer, "answer", allowingEmpty: true).decode()
    do throws(ProgramAnswerError) { try CurrentAgent.value.resolver.take(answer, to: request) } catch {
      throw VCXError(error == .unexpected ? .invalidOption : .invalidJson, "\(error)")
    }
  }
}

/// Ends the resolver of the current agent. Unanswered questions fail. A call of its callback that has begun goes on.
///
/// - Parameter resolver: The `command_handle` of `msdk_set_resolver`.
/// - Returns: Always 0.
@_cdecl("msdk_remove_resolver")
public func msdk_remove_resolver(_ resolver: vcx_command_handle_t) -> vcx_error_t {
  attempt { () throws(VCXError) in CurrentAgent.value.resolver.remove(named: resolver) }
}

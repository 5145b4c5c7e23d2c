internal import AgencyWire
package import JSON

/// How the user wants to hear of new messages: a device's push token, or a web address.
package struct PushRegistration: Sendable {
  private let method: ComMethod

  /// Reads the argument of `vcx_agent_update_info`: `id`, `value`, and `type`, a number from 1 to 4 that is 1 where it is
  /// left out. An empty value ends the notifications of this id.
  package init(parsing text: String) throws(JSONError) {
    let object = try JSON(parsing: text).requireObject()
    let number = try object.optionalInteger("type") ?? Int64(ComMethod.Kind.push.rawValue)
    guard let kind = Int(exactly: number).flatMap(ComMethod.Kind.init) else {
      throw .wrongType(key: "type", expected: "a number from 1 to 4")
    }
    method = ComMethod(id: try object.string("id"), kind: kind, value: try object.string("value"))
  }

  /// Registers it at the agent's Cloud Agent, where it replaces what has the same id.
  package func register(with session: Session) throws { try session.cloudAgent().setComMethod(method) }
}

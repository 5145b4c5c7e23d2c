internal import CloudAgent
package import JSON

/// A way to notify the user of new messages: a device's push token, or a web address.
package struct PushRegistration: Sendable {
  private let method: ComMethod

  /// Reads the argument of `vcx_agent_update_info`: `id`, `value`, and `type`, a number from 1 to 4, by default 1. An
  /// empty value ends the notifications under this id.
  package init(parsing text: String) throws(JSONError) {
    let object = try JSON(parsing: text).requireObject()
    let number = try object.optionalInteger("type") ?? 1
    guard let kind = ComMethod.Kind(number: number) else {
      throw .wrongType(key: "type", expected: "a number from 1 to 4")
    }
    method = ComMethod(id: try object.string("id"), kind: kind, value: try object.string("value"))
  }

  /// The web address of an institution, under the id that libvcx uses for it.
  package init(webhook url: String) { method = ComMethod(id: "123", kind: .webhook, value: url) }

  /// Registers this way of notification at the owner's Cloud Agent. It replaces the registration with the same id.
  package func register(with session: Session) throws { try session.notifier().setComMethod(method) }
}

extension ComMethod.Kind {
  /// The numbers of the C API.
  fileprivate init?(number: Int64) {
    switch number {
    case 1: self = .push
    case 2: self = .webhook
    case 3: self = .sponsor
    case 4: self = .sponsorPush
    default: return nil
    }
  }
}

import AgencyWire
import DIDComm
import HTTPServing
import JSON
import Sodium
import TestSupport
import Threading

/// An agency that notes the layers of each request, from the outside in, and gives the answers of the test.
final class LayerAgency: Sendable {
  struct Layer: Equatable {
    /// The last part of the message's type.
    let name: String
    /// Nil if the layer proves no sender.
    let sender: VerKey?
    /// The key that opens the layer.
    let reader: VerKey
  }

  let keys = KeyPair()
  let agent = KeyPair()
  let mailbox = KeyPair()
  private let requests = Locked<[[Layer]]>([])
  private let envelopes = Locked<[[UInt8]]>([])
  /// The seconds for which each request wants to wait; nil for a request that does not say so.
  private let waits = Locked<[Int64?]>([])
  private let server: HTTPServer

  /// `answers` has the members of the answer to the request of a name. Other requests get an empty body.
  init(answers: @escaping @Sendable (LayerAgency.Names, String) -> JSON? = { _, _ in nil }) throws {
    let (pairs, requests, waits, envelopes) = ([keys, agent, mailbox], requests, waits, envelopes)
    let names = Names(agent: Party(did: agent.verkey.did.text, verkey: agent.verkey))
    server = try HTTPServer { request in
      guard let (layers, type, wait, reader) = try? Self.open(request.body, pairs), let last = layers.last,
        let sender = last.sender
      else { return HTTPServer.Response(status: 400) }
      requests.withLock { $0.append(layers) }
      waits.withLock { $0.append(wait) }
      envelopes.withLock { $0.append(request.body) }
      guard let answer = answers(names, last.name) else { return HTTPServer.Response() }
      let name = WireType.of(answer["@type"]?.string ?? "", answering: type)
      let text = answer.with(["@type": .string(name)])
      guard let body = try? Envelope.pack(text.bytes, for: [sender], from: reader) else {
        return HTTPServer.Response(status: 500)
      }
      return HTTPServer.Response(body: body)
    }
  }

  struct Names: Sendable {
    let agent: Party
  }

  private static func open(
    _ body: [UInt8], _ pairs: [KeyPair]
  ) throws -> (layers: [Layer], type: String, wait: Int64?, reader: KeyPair) {
    var (envelope, reader, layers) = (body, pairs[0], [Layer]())
    while true {
      let opened = try Envelope(parsing: envelope).open(with: reader)
      let message = try JSON(parsing: opened.message).requireObject()
      let type = try message.string("@type")
      layers.append(
        Layer(
          name: type.split(separator: "/").last.map(String.init) ?? "", sender: opened.sender, reader: reader.verkey))
      guard let address = message["@fwd"]?.string else {
        return (layers, type, try message.optionalInteger("wait"), reader)
      }
      guard let next = pairs.first(where: { $0.verkey.did.text == address }) else { throw Unknown() }
      (envelope, reader) = (try JSON.object(message.object("@msg")).bytes, next)
    }
  }

  private struct Unknown: Error {}

  deinit { server.stop() }

  var endpoint: String { server.endpoint }
  var party: Party { Self.party(keys) }
  var layers: [[Layer]] { requests.withLock { $0 } }
  /// The requests as they came.
  var received: [[UInt8]] { envelopes.withLock { $0 } }
  var waited: [Int64?] { waits.withLock { $0 } }

  static func party(_ pair: KeyPair) -> Party { Party(did: pair.verkey.did.text, verkey: pair.verkey) }
}

internal import CAnonCreds
internal import Platform
internal import Sodium

/// The memory that one call passes to the library: objects, texts, lists. It is wiped and freed when the call ends.
final class CallMemory {
  private let engine: Engine
  var functions: EngineFunctions { engine.functions }
  private var objects: [Int] = []
  private var blocks: [UnsafeMutableRawBufferPointer] = []

  init(_ engine: Engine) { self.engine = engine }

  func free() {
    for object in objects { functions.freeObject(object) }
    for block in blocks {
      if let start = block.baseAddress { explicit_bzero(start, block.count) }
      block.deallocate()
    }
    (objects, blocks) = ([], [])
  }

  // MARK: - Objects

  /// Reads an object from JSON. Refuses numbers that are longer than in any honest object.
  func object(_ json: String, _ reader: EngineFunctions.Reader) throws(AnonCredsError) -> Int {
    let bytes = Array(json.utf8)
    guard NumberBounds.permit(bytes, reader.numbers) else {
      throw .failed(.input, message: "a number has more than \(NumberBounds.mostDigits) digits")
    }
    return try object(bytes, reader)
  }

  /// Reads an object from secret JSON.
  func object(_ json: SecretBytes, _ reader: EngineFunctions.Reader) throws(AnonCredsError) -> Int {
    var bytes = json.exposed()
    defer { wipe(&bytes) }
    return try object(bytes, reader)
  }

  private func object(_ json: [UInt8], _ reader: EngineFunctions.Reader) throws(AnonCredsError) -> Int {
    let block = copy(json)
    let bytes = anoncreds_bytes(count: Int64(json.count), data: block)
    return try newObject { reader.function(bytes, $0) }
  }

  /// Reads an object from JSON. Returns 0 for nil.
  func object(_ json: String?, _ reader: EngineFunctions.Reader) throws(AnonCredsError) -> Int {
    guard let json else { return 0 }
    return try object(json, reader)
  }

  /// The object that `call` creates.
  func newObject(_ call: (UnsafeMutablePointer<Int>) -> Int) throws(AnonCredsError) -> Int {
    var object = 0
    try engine.check { call(&object) }
    objects.append(object)
    return object
  }

  /// Takes over an object that was made otherwise.
  func adopt(_ object: Int) -> Int {
    objects.append(object)
    return object
  }

  func objects(
    _ jsons: [String], _ reader: EngineFunctions.Reader
  ) throws(AnonCredsError) -> anoncreds_objects {
    var list: [Int] = []
    for json in jsons { list.append(try object(json, reader)) }
    return anoncreds_objects(count: list.count, data: copy(list))
  }

  // MARK: - Texts and lists

  func text(_ text: String) -> UnsafePointer<CChar> {
    UnsafePointer(copy(text.utf8.map { CChar(bitPattern: $0) } + [0]))
  }

  /// A secret in the library's form: a text with a zero byte at its end.
  func text(_ secret: SecretBytes) -> UnsafePointer<CChar> {
    var bytes = secret.exposed()
    defer { wipe(&bytes) }
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + 1, alignment: 1)
    block.copyBytes(from: bytes)
    block[bytes.count] = 0
    blocks.append(block)
    return UnsafePointer(block.assumingMemoryBound(to: CChar.self).baseAddress.unsafelyUnwrapped)
  }

  func texts(_ texts: [String]) -> anoncreds_texts {
    anoncreds_texts(count: texts.count, data: copy(texts.map { Optional(text($0)) }))
  }

  func numbers(_ numbers: [Int32]) -> anoncreds_numbers { anoncreds_numbers(count: numbers.count, data: copy(numbers)) }

  /// A copy that lasts as long as the call.
  func copy<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
    let size = max(1, elements.count) * MemoryLayout<Element>.stride
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: MemoryLayout<Element>.alignment)
    blocks.append(block)
    let start = block.assumingMemoryBound(to: Element.self)
    _ = start.initialize(from: elements)
    return start.baseAddress.unsafelyUnwrapped
  }
}

// MARK: - Results

extension CallMemory {
  /// The JSON text of an object.
  func json(of object: Int) throws(AnonCredsError) -> String {
    try withJSON(of: object) { String(decoding: $0, as: UTF8.self) }
  }

  /// The JSON text of an object that is secret.
  func secretJSON(of object: Int) throws(AnonCredsError) -> SecretBytes {
    try withJSON(of: object) { SecretBytes(copying: $0) }
  }

  private func withJSON<Result>(
    of object: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) throws(AnonCredsError) -> Result {
    var bytes = anoncreds_bytes(count: 0, data: nil)
    try engine.check { functions.json(object, &bytes) }
    defer { functions.freeBytes(bytes) }
    return body(UnsafeBufferPointer(start: bytes.data, count: Int(bytes.count)))
  }

  /// The JSON text of the object that `call` creates.
  func newJSON(_ call: (UnsafeMutablePointer<Int>) -> Int) throws(AnonCredsError) -> String {
    try json(of: newObject(call))
  }

  /// The text that `call` creates. The library's copy is overwritten before it is freed, since it may be secret.
  func newText(_ call: (EngineFunctions.NewText) -> Int) throws(AnonCredsError) -> SecretBytes {
    var text: UnsafeMutablePointer<CChar>?
    try engine.check { call(&text) }
    guard let text else { return SecretBytes(copying: []) }
    let bytes = UnsafeMutableRawBufferPointer(start: text, count: strlen(text))
    defer {
      memset(bytes.baseAddress.unsafelyUnwrapped, Int32(UInt8(ascii: "0")), bytes.count)
      functions.freeText(text)
    }
    return SecretBytes(copying: bytes)
  }
}

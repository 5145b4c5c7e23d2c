extension [UInt8] {
  /// The index from `start` on of the first byte that cannot stand in a JSON string as it is: a quotation mark, a
  /// backslash or a control character. The number of bytes if there is none.
  func endOfPlainText(from start: Int) -> Int { withUnsafeBytes { $0.endOfPlainText(from: start) } }
}

extension UnsafeRawBufferPointer {
  private typealias Block = SIMD16<UInt8>

  /// As for an array. Texts can be long, so it looks at as many bytes at once as every processor can.
  func endOfPlainText(from start: Int) -> Int {
    var index = start
    while index + Block.scalarCount <= count,
      loadUnaligned(fromByteOffset: index, as: Block.self).isPlain
    {
      index += Block.scalarCount
    }
    while index < count, self[index].isPlain { index += 1 }
    return index
  }
}

extension SIMD16<UInt8> {
  fileprivate var isPlain: Bool {
    let marks = (self .< 0x20) .| (self .== UInt8(ascii: "\"")) .| (self .== UInt8(ascii: "\\"))
    return !any(marks)
  }
}

extension UInt8 {
  fileprivate var isPlain: Bool { self >= 0x20 && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\") }
}

import Foundation
import QRCode
import Testing

/// The pictures of a code in full: a camera needs each module and the light margin.
@Suite struct PictureTests {
  private let code: QRCode
  /// Whether each cell of the picture is dark, with the margin.
  private let cells: [[Bool]]

  init() throws {
    let code = try #require(QRCode("https://agency.example?oob=eyJ9"))
    let range = -QRCode.margin..<code.width + QRCode.margin
    cells = range.map { row in range.map { code.isDark(row: row, column: $0) } }
    self.code = code
  }

  // MARK: PNG (RFC 2083)

  private typealias Checksum = @convention(c) (UInt, UnsafePointer<UInt8>, UInt32) -> UInt
  private typealias Uncompress =
    @convention(c) (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt>, UnsafePointer<UInt8>, UInt) -> Int32

  /// A function of zlib, which the library brings.
  private func zlib<Function>(_ name: String) throws -> Function {
    unsafeBitCast(try #require(dlsym(nil, name)), to: Function.self)
  }

  private func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

  /// The contents of the chunks by their types. Each has the check sum of its type and its content.
  private func chunks(_ png: [UInt8]) throws -> [String: [UInt8]] {
    let checksum: Checksum = try zlib("crc32")
    var chunks: [String: [UInt8]] = [:]
    var start = 8
    while start < png.count {
      let end = start + 8 + number(png[start..<start + 4])
      let body = Array(png[start + 4..<end])
      #expect(number(png[end..<end + 4]) == Int(checksum(0, body, UInt32(body.count))))
      chunks[String(decoding: body.prefix(4), as: UTF8.self)] = Array(body.dropFirst(4))
      start = end + 4
    }
    return chunks
  }

  @Test(arguments: [1, 3, 8]) func theBitmapShowsEachModuleAndTheMargin(scale: Int) throws {
    let chunks = try chunks(code.png(scale: scale))
    let side = cells.count * scale
    let header = try #require(chunks["IHDR"])
    #expect(number(header[0..<4]) == side && number(header[4..<8]) == side)
    #expect(header.dropFirst(8).elementsEqual([1, 0, 0, 0, 0]), "one bit for each pixel, in gray")

    let (packed, rowBytes) = (try #require(chunks["IDAT"]), 1 + (side + 7) / 8)
    var pixels = [UInt8](repeating: 0xff, count: side * rowBytes + 1)
    var count = UInt(pixels.count)
    let uncompress: Uncompress = try zlib("uncompress")
    #expect(uncompress(&pixels, &count, packed, UInt(packed.count)) == 0)
    try #require(Int(count) == side * rowBytes)
    for row in 0..<side {
      let bytes = pixels[row * rowBytes..<(row + 1) * rowBytes]
      #expect(bytes.first == 0, "no filter")
      let dark = (0..<side).map { bytes[bytes.startIndex + 1 + $0 / 8] >> (7 - $0 % 8) & 1 == 0 }
      #expect(dark == (0..<side).map { cells[row / scale][$0 / scale] })
    }
  }

  // MARK: the others

  /// A character shows two modules, one above the other, on a dark terminal.
  @Test func theTextShowsTheUpperAndTheLowerModule() {
    let lines = code.text.split(separator: "\n").map(Array.init)
    let shown = lines.flatMap { line in
      [line.map { $0 == " " || $0 == "▄" }, line.map { $0 == " " || $0 == "▀" }]
    }
    #expect(Array(shown.prefix(cells.count)) == cells)
    #expect(shown.dropFirst(cells.count).allSatisfy { $0.allSatisfy { !$0 } })
    #expect(lines.joined().allSatisfy { " ▄▀█".contains($0) })
  }

  @Test func theDrawingHasALightGround() {
    #expect(code.svg.contains(##"<path fill="#fff" d="M0 0h\##(cells.count)v\##(cells.count)H0z"/><path d="##))
  }
}

import QRCode
import Testing

@Suite struct QRCodeTests {
  private static let finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]

  @Test func threeCornersHaveFinders() throws {
    let code = try #require(QRCode("https://agency.example?oob=eyJ9"))
    let last = code.width - 7
    for (top, left) in [(0, 0), (0, last), (last, 0)] {
      let corner = (0..<7).map { row in
        (0..<7).map { code.isDark(row: top + row, column: left + $0) ? "1" : "0" }.joined()
      }
      #expect(corner == Self.finder)
    }
    #expect(!code.isDark(row: -1, column: 0) && !code.isDark(row: 0, column: code.width))
  }

  @Test func textShowsEachModuleAndTheMargin() throws {
    let code = try #require(QRCode("msdk"))
    let lines = code.text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count == code.width + 2 * QRCode.margin })
    #expect(lines.count == (code.width + 2 * QRCode.margin + 1) / 2)
    #expect(Array(lines[QRCode.margin / 2])[QRCode.margin] == " ", "the finder's corner is dark in both rows")
  }

  @Test func pictureHasASignatureAndItsSize() throws {
    let code = try #require(QRCode("msdk"))
    let side = (code.width + 2 * QRCode.margin) * 3
    let png = code.png(scale: 3)
    #expect(png.prefix(8).elementsEqual([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    #expect(Int(png[18]) << 8 | Int(png[19]) == side && Int(png[22]) << 8 | Int(png[23]) == side)
    #expect(png.suffix(8).prefix(4).elementsEqual("IEND".utf8))
  }

  @Test func vectorPictureHasTheDarkModules() throws {
    let code = try #require(QRCode("msdk"))
    let drawn = code.svg.matches(of: /M(\d+) (\d+)h(\d+)v1/).flatMap { run in
      (0..<(Int(run.3) ?? 0)).map { [(Int(run.2) ?? 0) - QRCode.margin, (Int(run.1) ?? 0) + $0 - QRCode.margin] }
    }
    let dark = (0..<code.width).flatMap { row in
      (0..<code.width).filter { code.isDark(row: row, column: $0) }.map { [row, $0] }
    }
    #expect(drawn == dark)
    #expect(code.svg.contains("viewBox=\"0 0 \(code.width + 8) \(code.width + 8)\""))
  }

  @Test func textThatIsTooLongHasNoCode() {
    #expect(QRCode(String(repeating: "a", count: 2900)) != nil)
    #expect(QRCode(String(repeating: "a", count: 3000)) == nil)
    #expect(QRCode("") == nil)
  }
}

/// The elements of a JSON array, found without building them, for a long array of which few elements are needed.
package struct JSONElements: Sendable {
  private let bytes: [UInt8]
  private let ranges: [Range<Int>]

  /// Finds the elements. Throws if the text is no array. A mistake within an element is found when that element is
  /// read.
  package init(of bytes: [UInt8]) throws(JSONError) {
    ranges = try ContainerParts(of: bytes, between: "[", and: "]").ranges
    self.bytes = bytes
  }

  package var count: Int { ranges.count }

  /// The text of an element, with the blanks around it.
  package func text(_ index: Int) -> ArraySlice<UInt8> { bytes[ranges[index]] }

  /// Reads an element.
  package func read(_ index: Int, limits: JSONLimits = .standard) throws(JSONError) -> JSON {
    try JSON(parsing: Array(text(index)), limits: limits)
  }
}

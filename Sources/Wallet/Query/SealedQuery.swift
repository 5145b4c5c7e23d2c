internal import Patterns
internal import SQLite

/// A query in the form for the database: sealed names and values, and tests that need the wallet's keys.
indirect enum SealedQuery: Sendable {
  case all(of: [SealedQuery])
  case any(of: [SealedQuery])
  case not(SealedQuery)
  case tag(SealedTagName, Test)

  enum Test: Sendable {
    case equal(Value)
    case notEqual(Value)
    case oneOf([Value])
    case ordered(Query.Order, Value)
    case like(Value)
    /// A test that the database cannot do. It is applied to every value of the tag among the possible records.
    case satisfying(Predicate)
  }

  /// A test of a stored tag value.
  typealias Predicate = @Sendable (Value) throws(WalletError) -> Bool
}

extension RecordCipher {
  func seal(_ query: Query) -> SealedQuery {
    switch query {
    case .all(let parts): .all(of: parts.map(seal))
    case .any(let parts): .any(of: parts.map(seal))
    case .not(let query): .not(seal(query))
    case .tag(let name, let test): .tag(seal(name), seal(test, of: name))
    }
  }

  private func seal(_ test: Query.Test, of name: TagName) -> SealedQuery.Test {
    let seal = { (text: String) -> Value in name.isPlaintext ? .text(text) : .blob(self.seal(tagValue: text)) }
    return switch test {
    case .equal(let text): .equal(seal(text))
    case .notEqual(let text): .notEqual(seal(text))
    case .oneOf(let texts): .oneOf(texts.map(seal))
    case .ordered(let order, let text): .ordered(order, seal(text))
    case .like(let text): .like(seal(text))
    case .matching(let pattern): .satisfying(opening { text throws(WalletError) in try matches(pattern, text) })
    case .number(let order, let number):
      .satisfying(opening { JSONNumber($0).map { order.holds($0, number) } ?? false })
    }
  }

  /// A test of a stored value, applied to its decrypted text.
  private func opening(_ question: @escaping @Sendable (String) throws(WalletError) -> Bool) -> SealedQuery.Predicate {
    { value throws(WalletError) in
      switch value {
      case .text(let text): try question(text)
      case .blob(let sealed): try question(open(tagValue: sealed))
      case .null, .integer, .real: throw .corrupt(reason: "a tag is neither text nor a blob")
      }
    }
  }
}

private func matches(_ pattern: Pattern, _ text: String) throws(WalletError) -> Bool {
  do { return try pattern.matches(Array(text.utf8)) } catch {
    throw .malformedQuery(reason: "a pattern takes too long to compare with a tag's value", at: "")
  }
}

/// The number in `text`, which must be a whole JSON number; nil for all other texts, such as `0x10`, ` 1` or `01`.
private func JSONNumber(_ text: String) -> Double? {
  var rest = Substring(text).utf8
  let isDigit = { (byte: UInt8) in UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
  let skipDigits = { () -> Int in
    let digits = rest.prefix(while: isDigit)
    rest = rest.dropFirst(digits.count)
    return digits.count
  }
  let skip = { (characters: String) -> Bool in
    guard let next = rest.first, characters.utf8.contains(next) else { return false }
    rest = rest.dropFirst()
    return true
  }
  _ = skip("-")
  let startsWithZero = rest.first == UInt8(ascii: "0")
  let whole = skipDigits()
  guard whole == 1 || whole > 1 && !startsWithZero else { return nil }
  if skip("."), skipDigits() == 0 { return nil }
  if skip("eE") {
    _ = skip("+-")
    guard skipDigits() > 0 else { return nil }
  }
  return rest.isEmpty ? Double(text) : nil
}

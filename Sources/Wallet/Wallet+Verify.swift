internal import SQLite

extension Wallet {
  /// Checks every row of the file against the format, byte for byte, at one moment: storage classes, that every
  /// ciphertext opens, that searchable ones are those that a search would ask for, that nonces are used once, that every
  /// tag has its item. Takes time in proportion to the wallet, and memory for the nonces.
  package func verify() throws(WalletError) -> Verification {
    try readers.lend { lent throws(WalletError) in
      defer { readers.giveBack(lent) }
      var check = RowCheck(cipher: cipher)
      do throws(SQLiteError) { try check.run(on: lent.reader) } catch { throw WalletError(error) }
      return check.result
    }
  }
}

private struct RowCheck {
  let cipher: RecordCipher
  var result = Verification()

  mutating func run(on reader: Reader) throws(SQLiteError) {
    for finding in try reader.integrityFindings() { result.note(.damagedFile(finding)) }
    try reader.forEachItemRow { row in checkItem(row) }
    for table in ["tags_encrypted", "tags_plaintext"] {
      try reader.forEachTagRow(of: table) { row in checkTag(row, table) }
    }
    let repeated = try reader.repeatedNonces()
    if repeated > 0 { result.note(.repeatedNonces(count: repeated)) }
  }

  private mutating func checkItem(_ row: [Value]) {
    result.countRecord()
    guard case .integer(let id) = row[0] else { return }
    guard case .blob(let type) = row[1], case .blob(let name) = row[2], case .blob(let value) = row[3],
      case .blob(let key) = row[4]
    else { return result.note(.wrongStorageClass(table: "items", row: id)) }
    guard let typeText = try? cipher.open(type: type), let nameText = try? cipher.open(name: name),
      (try? cipher.open(SealedValue(value: value, key: key))) != nil
    else { return result.note(.undecipherable(table: "items", row: id)) }
    if cipher.seal(type: typeText) != type || cipher.seal(id: nameText) != name {
      result.note(.unsearchable(table: "items", row: id))
    }
  }

  private mutating func checkTag(_ row: [Value], _ table: String) {
    result.countTag()
    guard case .integer(let id) = row[0] else { return }
    if row[3] == .null { result.note(.orphanedTag(table: table, row: id)) }
    guard case .blob(let name) = row[1] else { return result.note(.wrongStorageClass(table: table, row: id)) }
    guard let nameText = try? cipher.open(tagName: name) else {
      return result.note(.undecipherable(table: table, row: id))
    }
    if cipher.seal(tagName: nameText) != name { result.note(.unsearchable(table: table, row: id)) }
    checkTagValue(row[2], table, id)
  }

  private mutating func checkTagValue(_ value: Value, _ table: String, _ id: Int64) {
    switch (value, table) {
    case (.text, "tags_plaintext"): break
    case (.blob(let sealed), "tags_encrypted"):
      guard let text = try? cipher.open(tagValue: sealed) else {
        return result.note(.undecipherable(table: table, row: id))
      }
      if cipher.seal(tagValue: text) != sealed { result.note(.unsearchable(table: table, row: id)) }
    default: result.note(.wrongStorageClass(table: table, row: id))
    }
  }
}

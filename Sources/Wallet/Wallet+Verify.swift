internal import SQLite

extension Wallet {
  /// Checks every row of the file against the format, byte for byte, at one moment: storage classes, that every
  /// ciphertext opens, that a search finds each searchable ciphertext, that each nonce is used once, that every tag has
  /// its item. Takes time in proportion to the wallet, and memory for the nonces.
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
    try goOn { check throws(SQLiteError) in
      try reader.forEachIntegrityFinding { check.result.note(.damagedFile($0)) }
    }
    try goOn { check throws(SQLiteError) in try reader.forEachItemRow { check.checkItem($0) } }
    for table in ["tags_encrypted", "tags_plaintext"] {
      try goOn { check throws(SQLiteError) in try reader.forEachTagRow(of: table) { check.checkTag($0, table) } }
    }
    try goOn { check throws(SQLiteError) in
      let repeated = try reader.repeatedNonces()
      if repeated > 0 { check.result.note(.repeatedNonces(count: repeated)) }
    }
  }

  /// Runs a part of the check. If damage ends it, that is a finding: earlier findings count, and the other parts still
  /// run.
  private mutating func goOn(
    after part: (inout RowCheck) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    do {
      try part(&self)
    } catch let error where error.primary == .corrupt {
      result.note(.damagedFile(error.description))
    } catch {
      throw error
    }
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

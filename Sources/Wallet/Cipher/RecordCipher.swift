internal import Sodium

/// Converts records to sealed rows and back, without access to the database.
///
/// Types, ids, tag names and the values of encrypted tags are *searchable*: the nonce is derived from the plaintext, so
/// that equal plaintexts give equal ciphertexts. Values are sealed with random nonces, each under a new key.
struct RecordCipher: Sendable {
  let keys: WalletKeys
  private let types = Memo<[UInt8]>()
  private let tagNames = Memo<[UInt8]>()
  private let openedTagNames = Memo<String>()

  init(_ keys: WalletKeys) { self.keys = keys }

  // MARK: Sealing

  func seal(_ record: Record, random: RandomSource = randomBytes) -> SealedRecord {
    SealedRecord(
      type: seal(type: record.type), name: seal(id: record.id),
      value: seal(value: record.value, random: random), tags: seal(record.tags))
  }

  func seal(type: String) -> [UInt8] {
    types.value(for: Array(type.utf8)) { searchable($0.span, keys.type, keys.itemNonce) }
  }

  func seal(id: String) -> [UInt8] { searchable(id.utf8Span.span, keys.name, keys.itemNonce) }

  func seal(value: String, random: RandomSource = randomBytes) -> SealedValue {
    seal(value: value.utf8Span.span, random: random)
  }

  func seal(value: Span<UInt8>, random: RandomSource = randomBytes) -> SealedValue {
    let (sealed, key) = AEAD.sealWithNewKey(value, wrappedBy: keys.value, random: random)
    return SealedValue(value: sealed, key: key)
  }

  func seal(_ tags: Tags) -> [SealedTag] {
    tags.map { tag in
      switch TagName(tag.name) {
      case .plaintext(let name): .plaintext(name: seal(tagName: name), value: tag.value)
      case .encrypted(let name): .encrypted(name: seal(tagName: name), value: seal(tagValue: tag.value))
      }
    }
  }

  func seal(_ name: TagName) -> SealedTagName {
    switch name {
    case .plaintext(let name): .plaintext(seal(tagName: name))
    case .encrypted(let name): .encrypted(seal(tagName: name))
    }
  }

  func seal(tagName: String) -> [UInt8] {
    tagNames.value(for: Array(tagName.utf8)) { searchable($0.span, keys.tagName, keys.tagNonce) }
  }

  func seal(tagValue: String) -> [UInt8] { searchable(tagValue.utf8Span.span, keys.tagValue, keys.tagNonce) }

  private func searchable(_ plaintext: Span<UInt8>, _ key: SecretBytes, _ nonceKey: HMACKey) -> [UInt8] {
    AEAD.sealPrefixed(plaintext, key: key, nonceKey: nonceKey)
  }

  // MARK: Opening

  func open(type: [UInt8]) throws(WalletError) -> String { try text(open(type, keys.type)) }

  func open(name: [UInt8]) throws(WalletError) -> String { try text(open(name, keys.name)) }

  /// The bytes of a value. The caller wipes a secret value.
  func openBytes(_ value: SealedValue) throws(WalletError) -> [UInt8] {
    do {
      return try AEAD.open(value.value, wrappedKey: value.key, with: keys.value)
    } catch {
      throw WalletError(opening: error)
    }
  }

  func open(_ value: SealedValue) throws(WalletError) -> String { try text(openBytes(value)) }

  func open(_ tags: [SealedTag]) throws(WalletError) -> Tags {
    var opened: [Tags.Tag] = []
    opened.reserveCapacity(tags.count)
    for tag in tags {
      switch tag {
      case .encrypted(let name, let value):
        opened.append((TagName.encrypted(try open(tagName: name)).text, try open(tagValue: value)))
      case .plaintext(let name, let value):
        opened.append((TagName.plaintext(try open(tagName: name)).text, value))
      }
    }
    return Tags(opened)
  }

  func open(tagName: [UInt8]) throws(WalletError) -> String {
    try openedTagNames.value(for: tagName) { name throws(WalletError) in try text(open(name, keys.tagName)) }
  }

  func open(tagValue: [UInt8]) throws(WalletError) -> String { try text(open(tagValue, keys.tagValue)) }

  private func open(_ sealed: [UInt8], _ key: SecretBytes) throws(WalletError) -> [UInt8] {
    do {
      return try AEAD.openPrefixed(sealed, key: key)
    } catch {
      throw WalletError(opening: error)
    }
  }

  private func text(_ bytes: [UInt8]) throws(WalletError) -> String {
    do { return String(copying: try UTF8Span(validating: bytes.span)) } catch { throw .undecipherable }
  }
}

import Cryptography
import HTTPTypes

extension VariantSelector {
  /// The selector as bytes: the names of the fields, and the hash of their values.
  public var encoded: [UInt8] {
    var fields = LengthPrefixed(reserving: 128)
    fields.append(digest?.bytes ?? [])
    for name in names { fields.append(name.canonicalName) }
    return fields.bytes
  }

  /// Restores a selector from ``encoded``; nil if the bytes are malformed.
  public init?(encoded: [UInt8]) { self.init(encoded: encoded[...]) }

  init?(encoded: ArraySlice<UInt8>) {
    var fields = LengthPrefixedReader(encoded)
    guard let digest = fields.field() else { return nil }
    var names: [HTTPField.Name] = []
    while !fields.isAtEnd {
      guard let text = fields.text(), let name = HTTPField.Name(text), name.canonicalName == text,
        names.last.map({ $0.canonicalName < text }) ?? true
      else { return nil }
      names.append(name)
    }
    // Without names the selector matches every request, so it must be known that there are none.
    let hash = HashValue(bytes: digest)
    guard names.isEmpty ? digest.isEmpty : hash != nil else { return nil }
    self.init(names: names, digest: hash)
  }
}

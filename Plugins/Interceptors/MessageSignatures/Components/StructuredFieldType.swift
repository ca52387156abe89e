import HTTPTypes

/// The type of a structured field, which must be known for ``MessageComponent/FieldForm/structured``.
package enum StructuredFieldType: Sendable, Hashable {
  /// A single item, such as `Client-Cert`.
  case item
  /// A list, such as `Cache-Status`.
  case list
  /// A dictionary, such as `Priority`.
  case dictionary

  /// The fields whose types are known without configuration, by name in lower case.
  static let registered: [String: StructuredFieldType] = [
    "accept-ch": .list, "accept-signature": .dictionary, "cache-status": .list,
    "cdn-cache-control": .dictionary, "client-cert": .item, "client-cert-chain": .list,
    "content-digest": .dictionary, "priority": .dictionary, "proxy-status": .list, "repr-digest": .dictionary,
    "signature": .dictionary, "signature-input": .dictionary, "want-content-digest": .dictionary,
    "want-repr-digest": .dictionary,
  ]

  /// Returns the canonical form of a field's value (RFC 9651, section 4.1).
  func canonical(_ text: String) throws(StructuredFieldError) -> String {
    var writer = StructuredFieldWriter()
    switch self {
    case .item: writer.append(try StructuredFieldParser.item(text))
    case .list: writer.append(try StructuredFieldParser.list(text))
    case .dictionary: writer.append(try StructuredFieldParser.dictionary(text))
    }
    return writer.text
  }
}

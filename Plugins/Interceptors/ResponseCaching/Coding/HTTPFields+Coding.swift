import Cryptography
import HTTPTypes

extension HTTPFields {
  /// Appends the number of the fields, then their names and values.
  func write(to fields: inout LengthPrefixed) {
    fields.append(count: count)
    for field in self {
      fields.append(field.name.rawName)
      // Values need not be UTF-8.
      field.withUnsafeBytesOfValue { fields.append(UnsafeRawBufferPointer($0)) }
    }
  }

  /// Reads fields; nil if they are malformed.
  init?(from fields: inout LengthPrefixedReader) {
    self.init()
    guard let count = fields.count() else { return nil }
    // The number is not trusted: each field takes 16 bytes, so the loop ends with the bytes.
    for _ in 0..<count {
      guard let name = fields.text().flatMap({ HTTPField.Name($0) }), let value = fields.field() else {
        return nil
      }
      append(HTTPField(name: name, lenientValue: value))
    }
  }
}

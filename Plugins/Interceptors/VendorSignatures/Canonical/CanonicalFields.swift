import HTTPTypes

/// The header fields that a signature covers, sorted by name.
struct CanonicalFields {
  private var fields: [HTTPField] = []

  init(reserving capacity: Int) { fields.reserveCapacity(capacity) }

  /// Adds a field; fields of the same name keep their order.
  mutating func insert(_ field: HTTPField) {
    // A request has few fields, and libraries add them almost sorted.
    var place = fields.count
    while place > 0, field.name.canonicalName < fields[place - 1].name.canonicalName { place -= 1 }
    fields.insert(field, at: place)
  }

  /// Writes a line for each name: the name in lower case, a colon, and the values, joined by commas.
  ///
  /// swift-http-types keeps a field for each cookie, but one is sent, joined by semicolons (RFC 6265, section
  /// 5.4).
  func writeLines(to text: inout CanonicalText) {
    for index in fields.indices {
      let name = fields[index].name.canonicalName
      if index > 0, fields[index - 1].name.canonicalName == name {
        text.append(fields[index].name == .cookie ? "; " : ",")
      } else {
        if index > 0 { text.endLine() }
        text.append(name)
        text.append(byte: UInt8(ascii: ":"))
      }
      text.append(valueOf: fields[index])
    }
    if !fields.isEmpty { text.endLine() }
  }

  /// Writes the names, joined by semicolons.
  func writeNames(to text: inout CanonicalText) {
    for index in fields.indices {
      let name = fields[index].name.canonicalName
      if index > 0 {
        if fields[index - 1].name.canonicalName == name { continue }
        text.append(byte: UInt8(ascii: ";"))
      }
      text.append(name)
    }
  }
}

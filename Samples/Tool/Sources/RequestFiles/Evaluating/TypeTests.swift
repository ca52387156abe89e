/// The predicates about the kind of a value.
enum TypeTests {
  static func holds(_ test: TypeTest, _ value: Value) -> Bool {
    switch (test, value) {
    case (.isBoolean, .bool), (.isDate, .date), (.isString, .text), (.isObject, .object), (.isFloat, .float),
      (.isInteger, .integer), (.isInteger, .bigInteger), (.isList, .list), (.isCollection, .list),
      (.isCollection, .object), (.isNumber, .integer), (.isNumber, .bigInteger), (.isNumber, .float):
      true
    case (.isIsoDate, .text(let text)):
      text.contains("T") && (try? CalendarFields.moment(text, format: "%+")) != nil
    case (.isUuid, .text(let text)): isUUID(text)
    case (.isIpv4, .text(let text)): isIPv4(text)
    case (.isIpv6, .text(let text)): isIPv6(text)
    default: false
    }
  }

  private static func isUUID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { $0.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit) }
  }

  private static func isIPv4(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
          && (part.utf8.count == 1 || part.utf8.first != 0x30) && (Int(part) ?? 256) <= 255
      }
  }

  private static func isIPv6(_ text: String) -> Bool {
    var text = text
    // The last 32 bits can be written as an address of IPv4.
    if text.contains(".") {
      guard let colon = text.lastIndex(of: ":"), isIPv4(String(text[text.index(after: colon)...])) else {
        return false
      }
      text = text[...colon] + "0:0"
    }
    let halves = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
    guard halves.count <= 2 else { return false }
    let groups = halves.flatMap {
      $0.isEmpty ? [] : $0.split(separator: ":", omittingEmptySubsequences: false)
    }
    guard
      groups.allSatisfy({
        (1...4).contains($0.count) && $0.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit)
      })
    else { return false }
    return halves.count == 2 ? groups.count <= 7 : groups.count == 8
  }
}

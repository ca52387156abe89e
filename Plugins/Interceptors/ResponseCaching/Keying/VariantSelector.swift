import Cryptography
public import HTTPTypes
import Interception

/// The request header fields that select a response, and a hash of their values (RFC 9111, section 4.1).
///
/// Only a hash is kept, because some values are credentials. Values that differ in spelling only are equal;
/// see `SelectingField`.
public struct VariantSelector: Sendable, Hashable {
  /// The names of the fields, sorted.
  let names: [HTTPField.Name]
  /// The hash of their values; nil if there are none.
  let digest: HashValue?

  /// Creates a selector from its parts.
  init(names: [HTTPField.Name], digest: HashValue?) {
    self.names = names
    self.digest = digest
  }

  /// Creates the selector of a response to a request; nil if its `Vary` contains `*`, which matches no
  /// request.
  ///
  /// A response that is still encoded depends on `Accept-Encoding` even if the server omitted it.
  init?(of head: HTTPResponse, to requestFields: HTTPFields, leavingOut volatile: VolatileParts) {
    var names: Set<HTTPField.Name> = []
    for member in head.headerFields.members(of: .vary) {
      if member == "*" { return nil }
      guard let name = HTTPField.Name(String(member)) else { return nil }
      if !volatile.contains(name) { names.insert(name) }
    }
    if !head.headerFields.contentCodings.isEmpty { names.insert(.acceptEncoding) }
    self.names = names.sorted { $0.canonicalName < $1.canonicalName }
    guard !names.isEmpty else {
      digest = nil
      return
    }
    guard let digest = Self.digest(of: self.names, in: requestFields) else { return nil }
    self.digest = digest
  }

  /// Whether the response may be used for a request with these header fields.
  public func matches(_ requestFields: HTTPFields) -> Bool {
    guard let digest else { return true }
    return Self.digest(of: names, in: requestFields) == digest
  }

  var fingerprint: UInt64 { digest?.prefix ?? 0 }

  private static func digest(of names: [HTTPField.Name], in fields: HTTPFields) -> HashValue? {
    var bytes = LengthPrefixed()
    for name in names {
      bytes.append(name.canonicalName)
      bytes.append([fields.contains(name) ? 1 : 0])
      bytes.append(SelectingField.normalized(fields.bytes(of: name) ?? [], of: name))
    }
    return try? HashValue(sha256: bytes.bytes)
  }
}

/// The normalization of a field that `Vary` names (RFC 9111, section 4.1).
///
/// White space around commas is insignificant, and several lines are one list. The fields of content
/// negotiation are compared by what they mean: a list of ranges with weights, whose order and case are
/// insignificant (RFC 9110, section 12.5). A value that isn't such a list, or names a range twice, is
/// compared as it is spelled, as are all other fields. Within quoted strings nothing is changed.
enum SelectingField {
  /// Fields whose members are case-insensitive tokens with weights.
  private static let tokenLists: Set<String> = ["accept-language", "accept-encoding", "accept-charset"]

  private typealias Bytes = ArraySlice<UInt8>

  /// Returns the normalized value of a field.
  static func normalized(_ value: [UInt8], of name: HTTPField.Name) -> [UInt8] {
    let isTokenList = tokenLists.contains(name.canonicalName)
    if isTokenList || name == .accept, let members = ranges(of: value[...], haveParameters: !isTokenList) {
      return Array(members.joined(separator: CollectionOfOne(UInt8(ascii: ","))))
    }
    return respelled(value, isTokenList: isTokenList)
  }

  /// Returns the ranges of a negotiation field with their weights, sorted; nil if the value is no list of
  /// them, or if one occurs twice, because then their order may decide.
  private static func ranges(of value: Bytes, haveParameters: Bool) -> [[UInt8]]? {
    let members = FieldList.parts(of: value, at: UInt8(ascii: ","))
    guard members.isComplete else { return nil }
    var weights: [[UInt8]: Int] = [:]
    for member in members.parts where !member.isEmpty {
      let parts = FieldList.parts(of: member, at: UInt8(ascii: ";")).parts
      guard let range = parts.first, isToken(range) else { return nil }
      var text = lowercased(range)
      var weight: Int?
      for part in parts.dropFirst() {
        // What follows the weight extends an obsolete grammar.
        guard weight == nil, let mark = part.firstIndex(of: UInt8(ascii: "=")), isToken(part[..<mark]) else {
          return nil
        }
        let (name, argument) = (lowercased(part[..<mark]), part[(mark + 1)...])
        if name == [UInt8(ascii: "q")] {
          guard let read = thousandths(argument) else { return nil }
          weight = read
        } else if haveParameters, !argument.isEmpty {
          text += [UInt8(ascii: ";")] + name + [UInt8(ascii: "=")] + argument
        } else {
          return nil
        }
      }
      guard weights.updateValue(weight ?? 1_000, forKey: text) == nil else { return nil }
    }
    return weights.map { $1 == 1_000 ? $0 : $0 + ";q=\($1)".utf8 }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Whether bytes are visible and without quotes, as those of ranges and names are.
  private static func isToken(_ bytes: Bytes) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") }
  }

  /// Parses a weight (RFC 9110, section 12.4.2).
  private static func thousandths(_ text: Bytes) -> Int? {
    guard let first = text.first, first == UInt8(ascii: "0") || first == UInt8(ascii: "1"), text.count <= 5
    else { return nil }
    var value = first == UInt8(ascii: "1") ? 1_000 : 0
    guard text.count > 1 else { return value }
    guard text[text.startIndex + 1] == UInt8(ascii: ".") else { return nil }
    var unit = 100
    for digit in text.dropFirst(2) {
      guard (0x30...0x39).contains(digit) else { return nil }
      value += unit * Int(digit - 0x30)
      unit /= 10
    }
    return value <= 1_000 ? value : nil
  }

  private static func lowercased(_ bytes: Bytes) -> [UInt8] {
    bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }

  /// Returns a value in its order, without insignificant white space.
  private static func respelled(_ value: [UInt8], isTokenList: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(value.count)
    var (isQuoted, isEscaped) = (false, false)
    for byte in value {
      if isQuoted {
        bytes.append(byte)
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isQuoted = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""):
        isQuoted = true
        bytes.append(byte)
      case UInt8(ascii: ","):
        removeTrailingSpace(from: &bytes)
        bytes.append(byte)
      case UInt8(ascii: ";") where isTokenList:
        removeTrailingSpace(from: &bytes)
        bytes.append(byte)
      case UInt8(ascii: " "), UInt8(ascii: "\t"):
        let isSeparated = bytes.last == UInt8(ascii: ",") || isTokenList && bytes.last == UInt8(ascii: ";")
        if !bytes.isEmpty, !isSeparated { bytes.append(byte) }
      case UInt8(ascii: "A")...UInt8(ascii: "Z") where isTokenList:
        bytes.append(byte | 0x20)
      default: bytes.append(byte)
      }
    }
    if !isQuoted { removeTrailingSpace(from: &bytes) }
    return bytes
  }

  private static func removeTrailingSpace(from bytes: inout [UInt8]) {
    while let last = bytes.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
      bytes.removeLast()
    }
  }
}

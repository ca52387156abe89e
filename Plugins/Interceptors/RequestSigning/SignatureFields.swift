import Cryptography
package import HTTPTypes
import Interception

/// The names of the header fields that signing adds.
///
/// They differ between attempts: a cache key must ignore them, and a log should redact `nonce`,
/// `signature` and `sealedKey`.
package enum SignatureFields {
  /// `Switchyard-Key`: the id of the key.
  package static let key = name("Switchyard-Key")
  /// `Switchyard-Time`: whole seconds since 1970, in decimal digits.
  package static let time = name("Switchyard-Time")
  /// `Switchyard-Nonce`: 128 random bits as 32 lower-case hexadecimal digits.
  package static let nonce = name("Switchyard-Nonce")
  /// `Switchyard-API`: service and name of the API, percent-encoded and joined by a slash; absent without an
  /// API.
  package static let api = name("Switchyard-API")
  /// `Switchyard-Fields`: the names of the other covered header fields, in lower case, joined by spaces;
  /// absent if there are none.
  package static let covered = name("Switchyard-Fields")
  /// `Switchyard-Signature`: the version of the scheme, a period, and the HMAC-SHA256 as 64 lower-case
  /// hexadecimal digits.
  package static let signature = name("Switchyard-Signature")
  /// `Switchyard-Sealed-Key`: the id of a platform's key, a space, and the caller's secret encrypted to it,
  /// in lower-case hexadecimal digits; absent unless the signer knows a platform's key.
  package static let sealedKey = name("Switchyard-Sealed-Key")

  /// All of them.
  package static let all: [HTTPField.Name] = [key, time, nonce, api, covered, signature, sealedKey]

  /// Whether a name is one of them; the first letter rules out almost every other name.
  static func contains(_ name: HTTPField.Name) -> Bool {
    name.canonicalName.utf8.first == UInt8(ascii: "s") && all.contains(name)
  }

  // The fallback is never used: a test checks that the literals above are legal names.
  private static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .authorization }
}

/// The header fields that a signature covers if a request has them, without duplicates and without the
/// signature's own fields; those that override the method are always among them.
struct CoveredFields: Sendable {
  /// The fields by which a server may replace the method of a request, which the signature also covers.
  static let methodOverrides = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"]
    .compactMap { HTTPField.Name($0) }

  /// The fields of a request that its signature covers.
  struct Present {
    /// The names in lower case, joined by spaces.
    var names = ""
    var values: [FieldText] = []
    /// The field that lists the names; nil if there are none.
    var field: HTTPField?
  }

  /// The maximum number of names for which the fields that list them are kept.
  private static let combinedLimit = 4

  private let names: [HTTPField.Name]
  /// The fields that override the method and aren't among the names.
  private let overrides: [HTTPField.Name]
  /// For each set of the names, by the bits of their positions, the field that lists them; empty if there
  /// are too many names.
  private let lists: [HTTPField?]

  init(_ names: [HTTPField.Name]) {
    var seen: Set<HTTPField.Name> = []
    let names = names.filter { !SignatureFields.all.contains($0) && seen.insert($0).inserted }
    self.names = names
    overrides = Self.methodOverrides.filter { !seen.contains($0) }
    lists =
      names.count > Self.combinedLimit
      ? []
      : (0..<(1 << names.count)).map { set in
        Self.list(names.indices.filter { set & 1 << $0 != 0 }.map { names[$0] })
      }
  }

  /// Returns the covered fields that a request has.
  func present(in fields: HTTPFields) -> Present {
    var present = Present()
    var set = 0
    for (index, name) in names.enumerated() {
      guard let value = fields.bytes(of: name) else { continue }
      present.values.append(FieldText(value))
      if !lists.isEmpty { set |= 1 << index }
    }
    let hasOverrides = fields.contains { Self.overridesMethod($0.name) }
    if !hasOverrides, !lists.isEmpty {
      present.field = lists[set]
    } else {
      let others = hasOverrides ? overrides.filter { fields.contains($0) } : []
      present.values += others.compactMap { fields.bytes(of: $0).map { FieldText($0) } }
      present.field = Self.list(names.filter { fields.contains($0) } + others)
    }
    present.names = present.field?.value ?? ""
    return present
  }

  /// Creates the field that lists names.
  private static func list(_ names: [HTTPField.Name]) -> HTTPField? {
    guard !names.isEmpty else { return nil }
    return HTTPField(
      name: SignatureFields.covered, value: names.map(\.canonicalName).joined(separator: " "))
  }

  /// Returns the first field that overrides the method and isn't covered.
  static func uncoveredOverride(in fields: HTTPFields, covered: [HTTPField.Name]) -> HTTPField.Name? {
    fields.first { overridesMethod($0.name) && !covered.contains($0.name) }?.name
  }

  /// Whether a field overrides the method; the first letter rules out almost every other name.
  private static func overridesMethod(_ name: HTTPField.Name) -> Bool {
    name.canonicalName.utf8.first == UInt8(ascii: "x") && methodOverrides.contains(name)
  }
}

/// The text of a signature: the version of the scheme, a period, and 64 lower-case hexadecimal digits.
///
/// With the version, both ends report signatures of another one as such instead of as a mismatch. It is part
/// of the label too, so that a signature can't be presented as one of another version.
enum SignatureText {
  /// The version of the scheme.
  static let version = 2
  /// The version and the period.
  static let prefix = "v\(version)."
  /// The number of characters of a signature.
  static let count = prefix.utf8.count + 2 * Digest.size

  /// Returns the text of a signature.
  static func encode(_ signature: HashValue) -> String { Hexadecimal.encode(signature, after: prefix) }

  /// Returns the text of a signature.
  static func encode(_ signature: [UInt8]) -> String { prefix + Hexadecimal.encode(signature) }

  /// Returns the bytes of a signature.
  static func decode(_ text: String) throws(SignatureError) -> [UInt8] {
    if text.hasPrefix(prefix) {
      let digits = String(text.dropFirst(prefix.count))
      guard let signature = Hexadecimal.decode(digits, count: Digest.size) else {
        throw .malformed(SignatureFields.signature)
      }
      return signature
    }
    guard let version = version(of: text) else { throw .malformed(SignatureFields.signature) }
    throw .unsupportedVersion(version)
  }

  /// Returns the version of a text that another version of the scheme may have produced; nil for others.
  private static func version(of text: String) -> Int? {
    // Version 1 had no prefix.
    if Hexadecimal.decode(text, count: Digest.size) != nil { return 1 }
    guard let period = text.utf8.firstIndex(of: UInt8(ascii: ".")), text.utf8.first == UInt8(ascii: "v")
    else {
      return nil
    }
    let digits = text.utf8[..<period].dropFirst()
    guard (1...3).contains(digits.count), digits.first != UInt8(ascii: "0"),
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(String(Substring(digits)))
  }
}

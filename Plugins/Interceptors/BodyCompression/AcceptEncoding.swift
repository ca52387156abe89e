import ContentCodings
import HTTPTypes
import Interception

/// The value of an `Accept-Encoding` field, RFC 9110, section 12.5.3.
struct AcceptEncoding {
  /// The weights in thousandths, by name in lowercase.
  private var weights: [String: Int] = [:]

  /// Parses a value; malformed members are ignored, as are those after the 64th.
  init(_ value: String) {
    for member in value.split(separator: ",").prefix(64) {
      let parts = member.split(separator: ";").map { part in
        part.lowercased().filter { $0 != " " && $0 != "\t" }
      }
      guard let name = parts.first, !name.isEmpty else { continue }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
      weights[name] = weight.map { Self.thousandths(of: $0.dropFirst(2)) } ?? 1000
    }
  }

  /// The weight of a coding in thousandths; 0 if it isn't acceptable.
  func weight(of coding: ContentCoding) -> Int {
    // Recipients treat x-gzip as gzip (RFC 9110, section 8.4.1.3).
    weights[coding.name] ?? (coding == .gzip ? weights["x-gzip"] : nil) ?? weights["*"] ?? 0
  }

  /// The acceptable ones of the given codings, those with the highest weight first, and of equal ones in the
  /// given order.
  func accepted(of codings: [ContentCoding]) -> [ContentCoding] {
    let weighed = codings.enumerated().map { (place: $0, coding: $1, weight: weight(of: $1)) }
    return weighed.filter { $0.weight > 0 }
      .sorted { ($1.weight, $0.place) < ($0.weight, $1.place) }
      .map(\.coding)
  }

  /// Whether unencoded content is acceptable; it is, unless excluded by name or by `*`.
  var acceptsIdentity: Bool { (weights["identity"] ?? weights["*"] ?? 1000) > 0 }

  // A weight is 0 or 1 with at most three decimals. Another text means that the member is acceptable.
  private static func thousandths(of text: Substring) -> Int {
    let zero = UInt8(ascii: "0")
    let digits = text.utf8.filter { $0 != UInt8(ascii: ".") }
    guard digits.first == zero, digits.allSatisfy({ (zero...UInt8(ascii: "9")).contains($0) }) else {
      return 1000
    }
    let decimals = (1...3).reduce(0) { 10 * $0 + ($1 < digits.count ? Int(digits[$1] - zero) : 0) }
    // Only a weight of zero means that the member isn't acceptable.
    return decimals == 0 && digits.contains { $0 != zero } ? 1 : decimals
  }
}

/// A response that refuses a compressed body, so that it is worthwhile to send the body uncompressed.
struct RefusedCoding: Hashable {
  /// The codings that are not to be used for the resource.
  let codings: [ContentCoding]
  /// Whether the response names the coding as its reason.
  let isCertain: Bool

  /// Reads a response; nil if it refuses nothing, or excludes uncompressed content too.
  ///
  /// - Parameter isStream: Whether the body was sent without a length.
  init?(_ coding: ContentCoding, by head: HTTPResponse, isStream: Bool) {
    switch head.status.code {
    case 415:
      let field = head.headerFields.value(of: .acceptEncoding)
      if let field, !AcceptEncoding(field).acceptsIdentity { return nil }
      // Without the field the reason may also be the media type (RFC 9110, section 15.5.16).
      self.init(codings: [coding], isCertain: field != nil)
    case 411 where isStream:
      // The server requires a length, which no compressed stream has.
      self.init(codings: ContentCoding.encodable, isCertain: true)
    default: return nil
    }
  }

  private init(codings: [ContentCoding], isCertain: Bool) {
    self.codings = codings
    self.isCertain = isCertain
  }
}

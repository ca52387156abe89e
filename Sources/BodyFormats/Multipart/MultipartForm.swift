import HTTPTypes
public import Interception

/// A form of fields and files, sent as `multipart/form-data` (RFC 7578).
///
/// ```swift
/// var form = MultipartForm()
/// form.append("Harbour", named: "title")
/// try form.append(file: "/photos/harbour.jpeg", named: "photo", contentType: "image/jpeg")
/// form.apply(to: &request)
/// ```
///
/// Files are read while they are sent and never held in memory as a whole. To send a single content, use
/// `RequestBody`.
public struct MultipartForm: Sendable {
  /// The parts, in the order in which they are sent.
  public private(set) var parts: [Part] = []
  /// The boundary that separates the parts.
  public let boundary: String

  /// Creates an empty form with a boundary of 128 random bits.
  public init() {
    var generator = SystemRandomNumberGenerator()
    self.init(using: &generator)
  }

  /// Creates an empty form with a boundary drawn from `generator`.
  ///
  /// The parts are not searched for the boundary. If their content comes from others, use an unpredictable
  /// generator.
  public init(using generator: inout some RandomNumberGenerator) {
    var digits: [UInt8] = []
    for _ in 0..<2 {
      let half = generator.next()
      for shift in stride(from: 60, through: 0, by: -4) {
        digits.append(Array("0123456789abcdef".utf8)[Int(half >> UInt64(shift) & 15)])
      }
    }
    boundary = String(decoding: digits, as: UTF8.self)
  }

  /// Creates an empty form with a given boundary, which must not occur in any part.
  ///
  /// - Throws: `NetworkError.Kind.invalidRequest` unless the boundary consists of 1 to 70 of the characters
  ///   allowed by RFC 2046, section 5.1.1, and does not end in a space.
  public init(boundary: String) throws(NetworkError) {
    guard Self.isLegal(boundary) else {
      throw NetworkError(
        .invalidRequest,
        "The boundary of the multipart form is invalid; use 1 to 70 letters, digits or '()+_,-./:=?.")
    }
    self.boundary = boundary
  }

  /// The value of the form's `Content-Type` field, with the boundary.
  public var contentType: String {
    let isToken = boundary.utf8.allSatisfy { Self.isAlphanumeric($0) || "'+_-.".utf8.contains($0) }
    return "multipart/form-data; boundary=" + (isToken ? boundary : "\"\(boundary)\"")
  }

  /// The form's length in bytes, or nil if the length of any part is unknown.
  public var length: Int64? {
    var sum = Int64(closing.count)
    for part in parts {
      guard let length = part.body.length else { return nil }
      let (next, overflows) = sum.addingReportingOverflow(Int64(opening(of: part).count) + 2)
      let (total, overflowsToo) = next.addingReportingOverflow(length)
      guard !overflows, !overflowsToo else { return nil }
      sum = total
    }
    return sum
  }

  /// Whether the form can be sent again; that requires every part to be replayable.
  public var replay: RequestBody.Replay { parts.contains { $0.body.replay == .once } ? .once : .any }

  /// Sets the body and the `Content-Type` field of `request` to those of the form.
  public func apply(to request: inout Request) {
    request.body = body
    request.head.headerFields[.contentType] = contentType
  }

  mutating func append(_ part: Part) { parts.append(part) }

  // MARK: Boundaries

  private static func isLegal(_ boundary: String) -> Bool {
    let bytes = boundary.utf8
    return (1...70).contains(bytes.count) && bytes.last != UInt8(ascii: " ")
      && bytes.allSatisfy { isAlphanumeric($0) || "'()+_,-./:=? ".utf8.contains($0) }
  }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}

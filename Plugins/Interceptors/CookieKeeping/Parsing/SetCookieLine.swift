import Interception

/// A parsed value of a `Set-Cookie` field (RFC 6265bis, section 5.6).
struct SetCookieLine: Sendable, Hashable {
  /// The name; empty if the value has no equals sign.
  let name: String
  let value: String
  /// The last `Domain`, in lower case and without a leading dot; empty if there is none.
  var domain = ""
  /// The last `Path`, if it is absolute.
  var path: String?
  var isSecure = false
  var isHTTPOnly = false
  var sameSite: Cookie.SameSite?
  /// The expiry by the last `Max-Age`, or else by the last `Expires`; nil for a session cookie.
  var expiry: Expiry?

  /// When a cookie expires.
  enum Expiry: Sendable, Hashable {
    /// After this many seconds; zero if it has expired.
    case after(Int64)
    /// At this time.
    case at(WallTime)
  }

  /// The maximum length of a name and a value together, in bytes.
  static let maximumSize = 4_096
  /// The maximum length of an attribute's value, in bytes.
  private static let maximumAttributeSize = 1_024

  /// Parses a value; nil if it contains a control character other than a tab, is empty, or is too long.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else { return nil }
    var parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
    let pair = parts.removeFirst()
    if let equals = pair.firstIndex(of: UInt8(ascii: "=")) {
      name = Self.text(pair[..<equals])
      value = Self.text(pair[(equals + 1)...])
    } else {
      name = ""
      value = Self.text(pair)
    }
    let size = name.utf8.count + value.utf8.count
    guard (1...Self.maximumSize).contains(size) else { return nil }
    var (age, date): (Expiry?, Expiry?)
    for part in parts {
      let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
      let attribute = Self.text(part[..<equals]).lowercased()
      let bytes = part[equals...].dropFirst().trimmingWhitespace()
      guard bytes.count <= Self.maximumAttributeSize else { continue }
      switch attribute {
      case "max-age": age = Self.age(bytes).map(Expiry.after) ?? age
      case "expires": date = CookieDate.parse(bytes).map(Expiry.at) ?? date
      case "domain":
        let domain = bytes.first == UInt8(ascii: ".") ? bytes.dropFirst() : bytes
        self.domain = String(decoding: domain, as: UTF8.self).lowercased()
      case "path": path = bytes.first == UInt8(ascii: "/") ? Self.text(bytes) : nil
      case "secure": isSecure = true
      case "httponly": isHTTPOnly = true
      case "samesite": sameSite = Cookie.SameSite(rawValue: Self.text(bytes).lowercased())
      default: break
      }
    }
    expiry = age ?? date
  }

  /// Parses a number of seconds; nil if the attribute is to be ignored.
  private static func age(_ bytes: ArraySlice<UInt8>) -> Int64? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    let digits = isNegative ? bytes.dropFirst() : bytes
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    if isNegative { return 0 }
    // A number that is too large is as good as the largest one.
    return Int64(String(decoding: digits, as: UTF8.self)) ?? .max
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.trimmingWhitespace(), as: UTF8.self)
  }
}

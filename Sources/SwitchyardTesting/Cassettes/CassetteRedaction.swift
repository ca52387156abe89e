import HTTPTypes
import Interception

/// Replaces secrets before an exchange is recorded or matched.
public struct CassetteRedaction: Sendable {
  /// The replacement for a secret.
  public static let replacement = "REDACTED"

  /// The lowercase names of header fields whose values are secrets.
  public var fields: Set<String>
  /// The lowercase prefixes of such names.
  public var fieldPrefixes: [String]
  /// The lowercase names of query items whose values are secrets.
  public var queryNames: Set<String>
  /// Replaces secrets in the content of requests and responses; by default the content is unchanged.
  public var content: @Sendable ([UInt8]) -> [UInt8]

  /// Creates a redaction; the defaults cover common secrets.
  public init(
    fields: Set<String> = Self.usualFields, fieldPrefixes: [String] = ["switchyard-"],
    queryNames: Set<String> = Self.usualQueryNames,
    content: @escaping @Sendable ([UInt8]) -> [UInt8] = { $0 }
  ) {
    self.fields = Set(fields.map { $0.lowercased() })
    self.fieldPrefixes = fieldPrefixes.map { $0.lowercased() }
    self.queryNames = Set(queryNames.map { $0.lowercased() })
    self.content = content
  }

  /// The header fields that carry credentials or sessions.
  public static let usualFields: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token",
    "x-csrf-token", "www-authenticate", "proxy-authenticate", "authentication-info",
  ]

  /// The query items that carry credentials.
  public static let usualQueryNames: Set<String> = [
    "access_token", "api_key", "apikey", "auth", "code", "client_secret", "id_token", "key", "password",
    "refresh_token", "secret", "session", "sig", "signature", "sign", "token", "x-amz-signature",
    "x-amz-credential", "x-amz-security-token",
  ]

  /// Returns the redacted fields.
  func written(_ fields: HTTPFields) -> [Cassette.Field] {
    fields.map { field in
      let name = field.name.canonicalName
      let isSecret = self.fields.contains(name) || fieldPrefixes.contains { name.hasPrefix($0) }
      let isAddress = ["location", "content-location", "referer", "link"].contains(name)
      guard !isSecret else { return Cassette.Field(name: field.name.rawName, value: Self.replacement) }
      let isLatin1 = String(validating: field.bytes, as: UTF8.self) == nil
      return Cassette.Field(
        name: field.name.rawName, value: isAddress ? written(path: field.text) : field.text,
        isLatin1: isLatin1 ? true : nil)
    }
  }

  /// Returns the authority without user information.
  func written(authority: String) -> String { authority.split(separator: "@").last.map(String.init) ?? "" }

  /// Returns the path with the secret values of its query replaced.
  func written(path: String) -> String {
    guard let mark = path.firstIndex(of: "?") else { return path }
    let items = path[path.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
    let redacted = items.map { item -> String in
      guard let equals = item.firstIndex(of: "=") else { return String(item) }
      let name = Self.decoded(item[..<equals]).lowercased()
      return queryNames.contains(name) ? "\(item[..<equals])=\(Self.replacement)" : String(item)
    }
    return path[...mark] + redacted.joined(separator: "&")
  }

  /// Decodes the percent-encoding of a name, so that `%74oken` is recognized as `token`.
  static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension CassetteRedaction {
  /// Returns the redacted request.
  func written(_ request: Request, body: [UInt8]) -> Cassette.RecordedRequest {
    Cassette.RecordedRequest(
      method: request.head.method.rawValue, scheme: request.head.scheme?.lowercased() ?? "",
      authority: written(authority: request.head.authority ?? ""),
      path: written(path: request.head.path ?? ""), fields: written(request.head.headerFields),
      body: Cassette.Content(content(body)))
  }
}

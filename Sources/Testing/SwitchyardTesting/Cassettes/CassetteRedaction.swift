import HTTPTypes
import Interception

/// Replaces secrets before an exchange is recorded or matched.
public struct CassetteRedaction: Sendable {
  /// The replacement for a secret.
  package static let replacement = "REDACTED"

  /// The lowercase names of header fields whose values are secrets, besides those of `CredentialFields`, the
  /// pipeline and its interceptors.
  let fields: Set<String>
  /// The lowercase prefixes of such names.
  let fieldPrefixes: [String]
  /// The lowercase names of query items whose values are secrets.
  let queryNames: Set<String>
  /// Replaces secrets in the content of requests and responses; by default the content is unchanged.
  let content: @Sendable ([UInt8]) -> [UInt8]

  /// Creates a redaction; the defaults cover common secrets.
  ///
  /// - Parameters:
  ///   - fields: The names of further header fields whose values are secrets, besides those of
  ///     `CredentialFields`, the pipeline and its interceptors.
  ///   - fieldPrefixes: The prefixes of such names.
  ///   - queryNames: The names of further query items whose values are secrets, besides usual ones such as
  ///     `token` and `signature`.
  ///   - content: Replaces secrets in the content of requests and responses. By default the content is
  ///     unchanged.
  public init(
    fields: Set<String> = [], fieldPrefixes: [String] = [],
    queryNames: Set<String> = [],
    content: @escaping @Sendable ([UInt8]) -> [UInt8] = { $0 }
  ) {
    self.fields = Set(fields.map { $0.lowercased() })
    self.fieldPrefixes = fieldPrefixes.map { $0.lowercased() }
    self.queryNames = Self.usualQueryNames.union(queryNames.map { $0.lowercased() })
    self.content = content
  }

  /// The query items that carry credentials.
  private static let usualQueryNames: Set<String> = [
    "access_token", "api_key", "apikey", "auth", "code", "client_secret", "id_token", "key", "password",
    "refresh_token", "secret", "session", "sig", "signature", "sign", "token", "x-amz-signature",
    "x-amz-credential", "x-amz-security-token",
  ]

  private func hides(_ field: HTTPField, of request: Request) -> Bool {
    let name = field.name.canonicalName
    return request.context.credentialFields.contains(field.name) || fields.contains(name)
      || fieldPrefixes.contains { name.hasPrefix($0) }
  }

  /// Returns the redacted fields of a request or its response.
  func written(_ fields: HTTPFields, of request: Request) -> [Cassette.Field] {
    fields.map { field in
      let name = field.name.canonicalName
      let isSecret = hides(field, of: request)
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
  /// Returns the text of an error without the secret values of the request's fields and query.
  func written(reason: String, of request: Request) -> String {
    let fields = request.head.headerFields.filter { hides($0, of: request) }
      .flatMap { [$0.value] + $0.value.split(separator: " ").map(String.init) }
    let query = (request.head.path ?? "").drop { $0 != "?" }.dropFirst().split(separator: "&")
      .flatMap { item -> [String] in
        let halves = item.split(separator: "=", maxSplits: 1)
        guard halves.count == 2, queryNames.contains(Self.decoded(halves[0]).lowercased()) else { return [] }
        return [String(halves[1]), Self.decoded(halves[1])]
      }
    let secrets = fields + query
    // The longest first, because replacing a part would hide the whole value from the search. A short one
    // could be a part of any text.
    return secrets.filter { $0.utf8.count >= 6 }.sorted { $0.utf8.count > $1.utf8.count }
      .reduce(reason) { $0.replacing($1, with: Self.replacement) }
  }

  /// Returns the redacted request.
  func written(_ request: Request, body: [UInt8]) -> Cassette.RecordedRequest {
    Cassette.RecordedRequest(
      method: request.head.method.rawValue, scheme: request.head.scheme?.lowercased() ?? "",
      authority: written(authority: request.head.authority ?? ""),
      path: written(path: request.head.path ?? ""), fields: written(request.head.headerFields, of: request),
      body: Cassette.Content(content(body)))
  }
}

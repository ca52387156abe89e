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
    for member in (head.headerFields[.vary] ?? "").split(separator: ",") {
      let member = member.trimmingWhitespace()
      if member == "*" { return nil }
      guard !member.isEmpty else { continue }
      guard let name = HTTPField.Name(String(member)) else { return nil }
      if !volatile.contains(name) { names.insert(name) }
    }
    if head.headerFields.contains(.contentEncoding) { names.insert(.acceptEncoding) }
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
      bytes.append(SelectingField.normalized(fields[name] ?? "", of: name))
    }
    return try? HashValue(sha256: bytes.bytes)
  }
}

/// The normalization of a field that `Vary` names (RFC 9111, section 4.1).
///
/// White space around commas is insignificant, as is the case of language tags and codings and white space
/// around the semicolons of their weights. The order of a list is kept: many servers take the first language
/// as the preferred one. Within quoted strings nothing is changed.
enum SelectingField {
  /// Fields whose members are case-insensitive tokens with weights.
  private static let tokenLists: Set<String> = ["accept-language", "accept-encoding", "accept-charset"]

  /// Returns the normalized value of a field.
  static func normalized(_ value: String, of name: HTTPField.Name) -> String {
    let isTokenList = tokenLists.contains(name.canonicalName)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(value.utf8.count)
    var (isQuoted, isEscaped) = (false, false)
    for byte in value.utf8 {
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
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func removeTrailingSpace(from bytes: inout [UInt8]) {
    while let last = bytes.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
      bytes.removeLast()
    }
  }
}

/// Parts of a request that change each time without affecting the response: signatures, nonces, trace ids.
///
/// A cache key leaves them out, and a `Vary` that names such a field is ignored. Declare what your own
/// interceptors add before the cache, but nothing that affects the response, or a request gets the response
/// to a different one.
public struct VolatileParts: Sendable, Hashable {
  /// The names of header fields, in lower case.
  public private(set) var fields: Set<String>
  /// The prefixes of names of header fields, in lower case.
  public private(set) var fieldPrefixes: [String]
  /// The names of query parameters, without decoding; case-sensitive.
  public private(set) var parameters: Set<String>

  /// Creates a list; the case of field names is ignored.
  public init(fields: Set<String> = [], fieldPrefixes: [String] = [], parameters: Set<String> = []) {
    self.fields = Set(fields.map { $0.lowercased() })
    self.fieldPrefixes = fieldPrefixes.map { $0.lowercased() }
    self.parameters = parameters
  }

  /// The `Switchyard-` fields of signing, RFC 9421 signatures, request ids, and the fields of W3C and B3
  /// tracing.
  public static let standard = VolatileParts(
    fields: [
      "signature", "signature-input", "traceparent", "tracestate", "baggage", "b3", "request-id",
      "x-request-id", "x-correlation-id", "x-amzn-trace-id", "x-cloud-trace-context",
    ],
    fieldPrefixes: ["switchyard-", "x-b3-"])

  /// Returns the list with further parts.
  public func adding(_ more: VolatileParts) -> VolatileParts {
    VolatileParts(
      fields: fields.union(more.fields), fieldPrefixes: fieldPrefixes + more.fieldPrefixes,
      parameters: parameters.union(more.parameters))
  }

  /// Whether a header field is left out.
  public func contains(_ name: HTTPField.Name) -> Bool {
    fields.contains(name.canonicalName) || fieldPrefixes.contains { name.canonicalName.hasPrefix($0) }
  }
}

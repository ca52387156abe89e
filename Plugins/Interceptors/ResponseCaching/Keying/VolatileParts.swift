import Cryptography
package import HTTPTypes
import Interception

/// Parts of a request that change each time without affecting the response: signatures, nonces, trace ids.
///
/// A cache key leaves them out, and a `Vary` that names such a field is ignored. Declare what your own
/// interceptors add before the cache, but nothing that affects the response, or a request gets the response
/// to a different one.
public struct VolatileParts: Sendable, Hashable {
  /// The names of header fields, in lower case.
  package private(set) var fields: Set<String>
  /// The prefixes of names of header fields, in lower case.
  package private(set) var fieldPrefixes: [String]
  /// The names of query parameters, without decoding; case-sensitive.
  package private(set) var parameters: Set<String>

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
  package func contains(_ name: HTTPField.Name) -> Bool {
    fields.contains(name.canonicalName) || fieldPrefixes.contains { name.canonicalName.hasPrefix($0) }
  }
}

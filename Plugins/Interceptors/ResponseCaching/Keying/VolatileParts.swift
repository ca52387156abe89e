public import HTTPTypes

/// Parts of a request that differ each time and say nothing about the answer: signatures, nonces, trace ids.
///
/// A cache key leaves them out, and a `Vary` that names such a field is taken as if it didn't. Declare what
/// your own interceptors add before the cache; leave out anything that changes the answer, or one request is
/// given the answer to another one.
public struct VolatileParts: Sendable, Hashable {
  /// Names of header fields, in lower case.
  public private(set) var fields: Set<String>
  /// Beginnings of names of header fields, in lower case.
  public private(set) var fieldPrefixes: [String]
  /// Names of query parameters, as they are written in the path; case matters.
  public private(set) var parameters: Set<String>

  /// Makes a list; the case of field names doesn't matter.
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

  /// Returns the list with more parts in it.
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

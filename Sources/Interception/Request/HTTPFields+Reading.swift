package import HTTPTypes

extension HTTPFields {
  /// Returns what the subscript does, without the cost of joining values if there is only one.
  package func value(of name: HTTPField.Name) -> String? {
    guard let index = firstIndex(where: { $0.name == name }) else { return nil }
    let isAlone = !self[(index + 1)...].contains { $0.name == name }
    return isAlone ? self[index].value : self[name]
  }
}

extension HTTPField.Name {
  /// Request IDs, and the fields of W3C and B3 tracing: they differ in each request, and affect no response.
  package static let tracing = [
    "traceparent", "tracestate", "baggage", "b3", "x-b3-traceid", "x-b3-spanid", "x-b3-parentspanid",
    "x-b3-sampled", "x-b3-flags", "request-id", "x-request-id", "x-correlation-id", "x-amzn-trace-id",
    "x-cloud-trace-context",
  ].compactMap { HTTPField.Name($0) }
}

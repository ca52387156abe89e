package import HTTPTypes

/// The syntax of media types (RFC 9110, section 8.3.1).
package enum MediaTypeSyntax {
  /// Whether `text` is `type/subtype`, optionally with parameters, and has no character forbidden in a field
  /// value.
  package static func isValid(_ text: String) -> Bool {
    let essence = text.utf8.prefix { $0 != UInt8(ascii: ";") }
    let halves = essence.trimmingWhitespace().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return halves.count == 2 && halves.allSatisfy { !$0.isEmpty && $0.allSatisfy(isTokenByte) }
      && text.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
  }

  /// Returns the `type/subtype` of a field value in lowercase.
  package static func essence(of text: String) -> String {
    let essence = text.utf8.prefix { $0 != UInt8(ascii: ";") }.trimmingWhitespace()
    return String(decoding: essence, as: UTF8.self).lowercased()
  }

  package static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
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

extension BidirectionalCollection where SubSequence == Self, Element == UInt8 {
  /// Returns the bytes without surrounding spaces and tabs, the optional white space of RFC 9110, section
  /// 5.6.3.
  @inlinable
  package func trimmingWhitespace() -> Self {
    var rest = self
    while let first = rest.first, first == 0x20 || first == 0x09 { rest.removeFirst() }
    while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
    return rest
  }
}

extension Substring {
  /// Returns the text without surrounding spaces and tabs, the optional white space of RFC 9110, section
  /// 5.6.3.
  package func trimmingWhitespace() -> Substring { Substring(utf8.trimmingWhitespace()) }
}

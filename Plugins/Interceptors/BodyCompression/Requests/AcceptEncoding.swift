import Interception

/// The value of an `Accept-Encoding` field, RFC 9110, section 12.5.3.
struct AcceptEncoding {
  private var weights: [String: Bool] = [:]

  /// Parses a value; malformed members are ignored.
  init(_ value: String) {
    for member in value.split(separator: ",") {
      let parts = member.split(separator: ";").map { part in
        part.lowercased().filter { $0 != " " && $0 != "\t" }
      }
      guard let name = parts.first, !name.isEmpty else { continue }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
      // 0, 0.0, 0.00 and 0.000 all mean "not acceptable".
      weights[name] = !(weight.map { $0.dropFirst(2).allSatisfy { $0 == "0" || $0 == "." } } ?? false)
    }
  }

  /// Whether a coding is acceptable.
  func accepts(_ coding: ContentCoding) -> Bool {
    // Recipients treat x-gzip as gzip (RFC 9110, section 8.4.1.3).
    weights[coding.name] ?? (coding == .gzip ? weights["x-gzip"] : nil) ?? weights["*"] ?? false
  }

  /// Whether unencoded content is acceptable; it is, unless excluded by name or by `*`.
  var acceptsIdentity: Bool { weights["identity"] ?? weights["*"] ?? true }
}

/// A content coding of responses.
enum ContentCoding: String {
  case identity
  case gzip

  /// Chooses the coding of a response by the `Accept-Encoding` field (RFC 9110 section 12.5.3).
  ///
  /// Gzip is chosen only if the client lists it, or `*`, with a weight above zero.
  init(acceptEncoding: String?) {
    var weights: [Substring: Double] = [:]
    for member in (acceptEncoding ?? "").split(separator: ",") {
      let parts = member.split(separator: ";").map(Self.trimmed)
      guard let coding = parts.first?.lowercased(), !coding.isEmpty else { continue }
      var weight = 1.0
      for parameter in parts.dropFirst() {
        let pair = parameter.split(separator: "=", maxSplits: 1).map(Self.trimmed)
        guard pair.count == 2, pair[0].lowercased() == "q" else { continue }
        // A coding whose weight is not a number is not used.
        weight = Double(pair[1]) ?? 0
      }
      weights[coding[...]] = weight
    }
    let weight = weights["gzip"] ?? weights["x-gzip"] ?? weights["*"] ?? 0
    self = weight > 0 ? .gzip : .identity
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text = text.dropLast() }
    return text
  }
}

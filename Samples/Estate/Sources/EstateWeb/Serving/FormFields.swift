import Foundation

/// The fields of a form in a query or a body (`application/x-www-form-urlencoded`).
struct FormFields: Sendable, Hashable {
  private var values: [String: String] = [:]

  /// Reads the fields; the first of equal names counts, and a field that is not percent-encoded UTF-8 is
  /// skipped.
  init(_ text: String) {
    for pair in text.split(separator: "&", maxSplits: 64) {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(parts[0]), let value = parts.count == 2 ? Self.decoded(parts[1]) : ""
      else { continue }
      values[name] = values[name] ?? value
    }
  }

  subscript(name: String) -> String? { values[name] }

  private static func decoded(_ text: Substring) -> String? {
    String(text.replacing("+", with: " ")).removingPercentEncoding
  }
}

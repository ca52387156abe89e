import Foundation

/// The fields of a form in a query or a body (`application/x-www-form-urlencoded`).
struct FormFields: Sendable, Hashable {
  /// What the names of the fields of a route's form begin with, which keeps them apart from the page's own.
  static let prefix = "route."

  private var values: [String: [String]] = [:]
  private var names: [String] = []

  /// Reads the fields; a field that is not percent-encoded UTF-8 is skipped.
  init(_ text: String) {
    for pair in text.split(separator: "&", maxSplits: 64) {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(parts[0]), let value = parts.count == 2 ? Self.decoded(parts[1]) : ""
      else { continue }
      if values[name] == nil { names.append(name) }
      values[name, default: []].append(value)
    }
  }

  /// The value of a field, of several with the name the first one.
  subscript(name: String) -> String? { values[name]?.first }

  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The fields of the route, without their prefix, in their order.
  var ofRoute: [(name: String, value: String)] {
    names.filter { $0.hasPrefix(Self.prefix) }.map {
      (String($0.dropFirst(Self.prefix.count)), self[$0] ?? "")
    }
  }

  private static func decoded(_ text: Substring) -> String? {
    String(text.replacing("+", with: " ")).removingPercentEncoding
  }
}

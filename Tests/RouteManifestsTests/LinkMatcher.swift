import Foundation

/// Matches links with an `apple-app-site-association` file by the rules that Apple documents for
/// `applinks.details.components`.
///
/// `*` is any run of characters, `?` is one character. A component matches if its path, query and fragment
/// patterns match, where a missing pattern matches everything; a dictionary for the query compares the items
/// by name, and a missing item like an empty one. The first component that matches decides. Patterns are
/// compared with the URL as it is percent-encoded, and by case, unless a component or the file's defaults say
/// otherwise.
struct LinkMatcher {
  private struct Component {
    var path = "*"
    var query = "*"
    var items: [String: String] = [:]
    var fragment = "*"
    var isExcluded = false
    var isCaseSensitive = true
    var isPercentEncoded = true

    init(_ fields: [String: Any], defaults: [String: Any]) {
      func field<Value>(_ name: String, _ type: Value.Type) -> Value? {
        (fields[name] ?? defaults[name]) as? Value
      }
      path = field("/", String.self) ?? path
      query = field("?", String.self) ?? query
      items = field("?", [String: String].self) ?? items
      fragment = field("#", String.self) ?? fragment
      isExcluded = field("exclude", Bool.self) ?? isExcluded
      isCaseSensitive = field("caseSensitive", Bool.self) ?? isCaseSensitive
      isPercentEncoded = field("percentEncoded", Bool.self) ?? isPercentEncoded
    }

    func matches(_ url: URLComponents) -> Bool {
      let path = isPercentEncoded ? url.percentEncodedPath : url.path
      let query = (isPercentEncoded ? url.percentEncodedQuery : url.query) ?? ""
      let fragment = (isPercentEncoded ? url.percentEncodedFragment : url.fragment) ?? ""
      guard matches(path.isEmpty ? "/" : path, self.path), matches(query, self.query),
        matches(fragment, self.fragment)
      else { return false }
      let found = (isPercentEncoded ? url.percentEncodedQueryItems : url.queryItems) ?? []
      return items.allSatisfy { name, pattern in
        let values = found.filter { $0.name == name }.map { $0.value ?? "" }
        return (values.isEmpty ? [""] : values).contains { matches($0, pattern) }
      }
    }

    private func matches(_ text: String, _ pattern: String) -> Bool {
      isCaseSensitive
        ? Self.matches(Array(text.utf8), Array(pattern.utf8))
        : Self.matches(Array(text.lowercased().utf8), Array(pattern.lowercased().utf8))
    }

    private static func matches(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
      // The lengths of the prefixes of the text that match the pattern read so far.
      var reached: Set<Int> = [0]
      for sign in pattern {
        switch sign {
        case UInt8(ascii: "*"):
          guard let first = reached.min() else { return false }
          reached = Set(first...text.count)
        case UInt8(ascii: "?"): reached = Set(reached.filter { $0 < text.count }.map { $0 + 1 })
        default: reached = Set(reached.filter { $0 < text.count && text[$0] == sign }.map { $0 + 1 })
        }
      }
      return reached.contains(text.count)
    }
  }

  private let components: [Component]

  /// Reads the file of a host.
  init(_ json: String) throws {
    let file = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let links = file?["applinks"] as? [String: Any]
    let details = links?["details"] as? [[String: Any]] ?? []
    components = details.flatMap { detail in
      let defaults = (detail["defaults"] ?? links?["defaults"]) as? [String: Any] ?? [:]
      return (detail["components"] as? [[String: Any]] ?? []).map { Component($0, defaults: defaults) }
    }
  }

  /// Whether the link opens the app.
  func opens(_ url: String) -> Bool {
    guard let parts = URLComponents(string: url) else { return false }
    return components.first { $0.matches(parts) }.map { !$0.isExcluded } ?? false
  }
}

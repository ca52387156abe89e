import SwitchyardTesting

@testable import Mediation

/// Random patterns, URLs that distinguish them, and matching by the documented rules without a tree.
enum PatternSamples {
  private static let literals = ["a", "1", "1.5", "true", "%41b"]
  private static let placeholders = [
    "{%}", "{%}", "{%:int}", "{%:double}", "{%:bool}", "{%:uuid}", "{%:a|1|z}", "{%:1|a}",
    "{%:true|false|2.5}", "{%:z|Ab}", "{%:false|true}", "{%:1|2}", "{%:2|2.5}",
  ]
  /// A text for each literal and each text of an enumeration, and for each kind a text that belongs to no
  /// narrower kind and is not a literal.
  private static let words = [
    "a", "1", "1.5", "true", "Ab", "z", "2", "3", "2.5", "false", "00000000-0000-4000-8000-000000000000",
  ]

  static func pattern(_ numbers: inout SeededRandom, longest: Int = 3) -> RoutePattern {
    var path: [String] = []
    let count = Int.random(in: 0...longest, using: &numbers)
    for index in 0..<count {
      let name = "p\(index)"
      let isLast = index == count - 1
      let literal = literals.randomElement(using: &numbers) ?? "a"
      let placeholder = (placeholders.randomElement(using: &numbers) ?? "{%}").replacing("%", with: name)
      switch Int.random(in: 0..<10, using: &numbers) {
      case 0..<5: path.append(literal)
      case 8 where isLast: path.append("{\(name)...}")
      case 9 where isLast: path.append(placeholder.replacing("}", with: "?}"))
      default: path.append(placeholder)
      }
    }
    var query: [String] = []
    for key in ["q", "r"] where Int.random(in: 0..<5, using: &numbers) == 0 {
      query.append("\(key)={\(key)\(Bool.random(using: &numbers) ? "?" : "")}")
    }
    return RoutePattern(
      stringLiteral: (["e://h"] + path).joined(separator: "/")
        + (query.isEmpty ? "" : "?" + query.joined(separator: "&")))
  }

  /// Returns all paths over the words up to a length, each with every set of query keys.
  static func urls(longest: Int) -> [RouteURL] {
    var paths: [[String]] = [[]]
    var last: [[String]] = [[]]
    for _ in 0..<longest {
      last = last.flatMap { path in words.map { path + [$0] } }
      paths += last
    }
    return paths.flatMap { path in
      ["", "?q=1", "?r=1", "?q=1&r=2"].compactMap { query in
        try? RouteURL((["e://h"] + path).joined(separator: "/") + query)
      }
    }
  }

  /// What the rules ask of a URL, read once for many patterns.
  struct Parts {
    let scheme: String
    /// The host and the segments of the path.
    let path: [String]
    let names: Set<String>

    init(_ url: RouteURL) {
      scheme = url.scheme
      path = [url.host] + url.segments
      names = Set(url.query.map(\.name))
    }
  }

  /// Returns whether a pattern matches, by the documented rules M1 to M7.
  static func matches(_ pattern: RoutePattern, _ url: RouteURL) -> Bool { matches(pattern, Parts(url)) }

  /// Returns whether a pattern matches the URL with these parts.
  static func matches(_ pattern: RoutePattern, _ url: Parts) -> Bool {
    let path = url.path
    let isLong = pattern.hasRest && path.count > pattern.segments.count
    guard pattern.lengths.contains(path.count) || isLong else { return false }
    for (index, text) in path.enumerated() {
      switch pattern.segments[min(index, pattern.segments.count - 1)] {
      case .literal(let literal): if literal != text { return false }
      case .value(_, .int): if Int(text) == nil { return false }
      case .value(_, .double): if Double(text) == nil { return false }
      case .value(_, .bool): if text != "true" && text != "false" { return false }
      case .value(_, .uuid): if text.count != 36 { return false }
      case .value(_, .oneOf(let texts)): if !texts.contains(text) { return false }
      case .value(_, .text), .rest: continue
      }
    }
    return url.scheme == pattern.scheme
      && pattern.fields.allSatisfy { $0.isOptional || url.names.contains($0.key) }
  }
}

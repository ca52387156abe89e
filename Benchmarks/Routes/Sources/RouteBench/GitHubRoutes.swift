import Foundation

/// The routes of a public API, as route tables and URLs of any size.
struct GitHubRoutes {
  /// The method and the segments of each route; captures start with a colon.
  let paths: [[String]]

  /// Reads lines with a method and a path.
  init(file: String) throws {
    paths = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      return [words[0].lowercased()] + (words.last ?? "").split(separator: "/").map(String.init)
    }
  }

  /// Returns `count` routes; beyond the end of the list its routes are repeated under another module's name.
  ///
  /// The host of a route is the method, its first segment the module.
  func paths(_ count: Int) -> [[String]] {
    (0..<count).map { number in
      let path = paths[number % paths.count]
      return count <= paths.count ? path : [path[0], "module-\(number / paths.count)"] + path.dropFirst()
    }
  }

  /// Returns a path as one of our patterns.
  static func pattern(_ path: [String]) -> String { pattern(path, under: "api://") }

  /// Returns a path as a pattern with another scheme and host.
  static func pattern(_ path: [String], under start: String) -> String {
    start + path.map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : $0 }.joined(separator: "/")
  }

  /// Returns a path with its captures replaced by values.
  static func substituted(_ path: [String], _ values: inout Values) -> String {
    path.map { $0.hasPrefix(":") ? values.next() : $0 }.joined(separator: "/")
  }
}

/// Values of 2 to 40 bytes, the same in every run.
struct Values: RandomNumberGenerator {
  private static let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789-_".unicodeScalars)
  private var state: UInt64 = 42

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func next() -> String {
    var text = ""
    for _ in 0..<Int.random(in: 2...40, using: &self) {
      text.unicodeScalars.append(Self.letters[Int.random(in: 0..<Self.letters.count, using: &self)])
    }
    return text
  }
}

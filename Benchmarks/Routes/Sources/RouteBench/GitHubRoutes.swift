import Foundation

/// The routes of a public API, as tables and URLs of any size.
struct GitHubRoutes {
  /// The method and the segments of each route, a capture with a colon before it.
  let paths: [[String]]

  /// Reads lines of a method and a path.
  init(file: String) throws {
    paths = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      return [words[0].lowercased()] + (words.last ?? "").split(separator: "/").map(String.init)
    }
  }

  /// The first `count` routes; beyond the list's end its routes begin again under another module's name.
  ///
  /// The method is the host, and the module the first segment of the path.
  func paths(_ count: Int) -> [[String]] {
    (0..<count).map { number in
      let path = paths[number % paths.count]
      return count <= paths.count ? path : [path[0], "module-\(number / paths.count)"] + path.dropFirst()
    }
  }

  /// A path as a pattern of ours.
  static func pattern(_ path: [String]) -> String { pattern(path, under: "api://") }

  /// A path as a pattern under another scheme and host.
  static func pattern(_ path: [String], under start: String) -> String {
    start + path.map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : $0 }.joined(separator: "/")
  }

  /// A path with values in place of its captures.
  static func substituted(_ path: [String], _ values: inout Values) -> String {
    path.map { $0.hasPrefix(":") ? values.next() : $0 }.joined(separator: "/")
  }
}

/// Values of 2 to 40 bytes, the same in each run.
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

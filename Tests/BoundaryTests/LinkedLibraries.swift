/// The shared libraries that a program loads, directly and indirectly.
struct LinkedLibraries: Sendable {
  var names: [String]
  /// The libraries that the loader does not find, whose dependencies are therefore unknown.
  var missing: [String] = []

  /// Parses the output of `ldd`: a line per library with its name, an arrow and a path.
  init(ldd output: String) {
    names = []
    for line in output.split(separator: "\n") {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard let name = words.first else { continue }
      names.append(name.split(separator: "/").last.map(String.init) ?? String(name))
      if line.contains("=> not found") { missing.append(String(name)) }
    }
  }
}

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

  /// What a program that loads them needs: the libraries of the system, and the largest part of Foundation.
  var needs: PackageGraph.Needs {
    PackageGraph.Needs(
      libraries: Set(SystemLibrary.allCases.filter { $0.linked.contains(where: isLoaded) }),
      foundation: FoundationPart.allCases.last { isLoaded($0.rawValue) })
  }

  private func isLoaded(_ file: String) -> Bool {
    names.contains { $0 == "lib\(file).so" || $0.hasPrefix("lib\(file).so.") }
  }
}

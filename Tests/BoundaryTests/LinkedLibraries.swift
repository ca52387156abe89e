/// The shared libraries that a program loads, its libraries' libraries included.
struct LinkedLibraries: Sendable {
  var names: [String]
  /// Those that the loader does not find, whose own libraries are therefore unknown.
  var missing: [String] = []

  /// Reads what `ldd` prints: one library a line, by name, an arrow and a path.
  init(ldd output: String) {
    names = []
    for line in output.split(separator: "\n") {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard let name = words.first else { continue }
      names.append(name.split(separator: "/").last.map(String.init) ?? String(name))
      if line.contains("=> not found") { missing.append(String(name)) }
    }
  }

  /// The libraries that a module without a transport and without Foundation must not bring.
  var heavy: [String] {
    let prefixes = ["libFoundation", "lib_Foundation", "libcurl", "libssl", "libcrypto", "libxml2", "libicu"]
    return names.filter { name in prefixes.contains { name.hasPrefix($0) } }
  }
}

/// What products need beside Swift's runtime, by docs/requirements.txt.
struct RequirementsTable: Sendable {
  /// The names of the libraries that a product links without traits, and of the largest part of Foundation.
  private(set) var products: [String: Set<String>] = [:]
  /// The names of files of each library, without `lib` and the ending.
  private var files: [String: [String]] = [:]
  private static let partsOfFoundation = ["FoundationNetworking", "Foundation", "FoundationEssentials"]

  /// Parses the table: lines with cells between bars, in sections.
  init(_ text: String) {
    var section = ""
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      if line.hasPrefix("[") {
        section = String(line.dropFirst().prefix { $0 != "]" })
        continue
      }
      let cells = line.split(separator: "|").map { cell in
        cell.split { $0 == "," || $0.isWhitespace }.map(String.init)
      }
      guard cells.count > 1, let name = cells[0].first else { continue }
      switch section {
      case "libraries": files[name] = cells[1]
      case "products": products[name] = Set(cells[1]).subtracting(["-"])
      default: break
      }
    }
  }

  /// Returns the names of the libraries of the table that a program loads, and of the largest part of
  /// Foundation.
  func listed(among loaded: LinkedLibraries) -> Set<String> {
    let libraries = files.filter { _, files in files.contains { isLoaded($0, loaded) } }.keys
    let foundation = Self.partsOfFoundation.first { isLoaded($0, loaded) }
    return Set(libraries).union(foundation.map { [$0] } ?? [])
  }

  private func isLoaded(_ file: String, _ loaded: LinkedLibraries) -> Bool {
    loaded.names.contains { $0 == "lib\(file).so" || $0.hasPrefix("lib\(file).so.") }
  }
}

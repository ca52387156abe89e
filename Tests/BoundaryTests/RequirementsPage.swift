/// The parts of a document that say what products need, written from the package's graph.
struct RequirementsPage {
  /// A part that is not closed, or that no function writes.
  struct UnknownPart: Error {
    let line: String
  }

  let graph: PackageGraph

  /// Returns a document with the lines between "requirements: NAME" and "end of requirements" replaced.
  func written(_ text: String) throws -> String {
    var lines: [String] = []
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line == "<!-- end of requirements -->" { isInside = false }
      if !isInside { lines.append(line) }
      if line.hasPrefix("<!-- requirements: ") {
        let words = line.split(separator: " ").dropFirst(2).dropLast().map(String.init)
        guard let name = words.first, let part = part(name, Array(words.dropFirst())), !isInside else {
          throw UnknownPart(line: line)
        }
        lines += part
        isInside = true
      }
    }
    return lines.joined(separator: "\n")
  }

  private func part(_ name: String, _ arguments: [String]) -> [String]? {
    switch name {
    case "install": installation(of: arguments)
    case "products": products
    case "libraries": libraries
    case "platforms": platforms
    case "summary":
      [
        "All \(graph.products.count) library products run on Linux. \(portable.count) of them need no library that"
          + " Apple's platforms lack; they",
        "are meant for these platforms too, and have never been built or run there.",
      ]
    default: nil
    }
  }

  private func installation(of products: [String]) -> [String] {
    let libraries = products.reduce(into: Set()) { $0.formUnion(graph.needs(of: $1).libraries) }
    let packages = ["pkg-config"] + libraries.sorted().map(\.package)
    return ["```console", "$ sudo apt-get install \(packages.joined(separator: " "))", "```"]
  }

  /// A line for all products with the same needs, those with the most libraries first.
  private var products: [String] {
    var groups: [PackageGraph.Needs: [String]] = [:]
    for product in graph.products {
      let alone = graph.needs(of: product)
      groups[alone, default: []].append("`\(product)`")
      for trait in graph.traits {
        let needs = graph.needs(of: product, trait: trait)
        if needs != alone { groups[needs, default: []].append("`\(product)` with the trait `\(trait)`") }
      }
    }
    let rows = groups.sorted { left, right in
      let counts = (left.key.libraries.count, right.key.libraries.count)
      if counts.0 != counts.1 { return counts.0 > counts.1 }
      if left.key.foundation == right.key.foundation { return left.value[0] < right.value[0] }
      guard let foundation = left.key.foundation else { return false }
      return right.key.foundation.map { foundation > $0 } ?? true
    }
    return ["| product | libraries | Foundation |", "|---|---|---|"]
      + rows.map { needs, names in
        let libraries = needs.libraries.isEmpty ? "–" : Self.list(needs.libraries)
        return
          "| \(names.joined(separator: ", ")) | \(libraries) | \(needs.foundation?.rawValue ?? "–") |"
      }
  }

  private var libraries: [String] {
    ["| library | package of Debian and Ubuntu | on Apple's platforms |", "|---|---|---|"]
      + SystemLibrary.allCases.map { library in
        let place = library.isOnApplePlatforms ? "part of the system" : "–"
        return "| \(library.rawValue) | `\(library.package)` | \(place) |"
      }
  }

  /// The libraries of a product that Apple's platforms lack.
  private func lacking(_ product: String) -> Set<SystemLibrary> {
    graph.needs(of: product, on: "macos").libraries.filter { !$0.isOnApplePlatforms }
  }

  private var portable: [String] { graph.products.filter { lacking($0).isEmpty } }

  private var platforms: [String] {
    var lines = [
      "All \(graph.products.count) library products run on Linux. These \(portable.count) need nothing that Apple's"
        + " platforms lack:", "\(Self.names(portable)).",
    ]
    let others = Dictionary(grouping: graph.products, by: lacking).filter { !$0.key.isEmpty }
    if !others.isEmpty { lines += ["", "The others lack a library there:", ""] }
    let items = others.map { "* \(Self.list($0.key)): \(Self.names($0.value))." }
    return lines + items.sorted { ($0.count, $0) < ($1.count, $1) }
  }

  private static func list(_ libraries: Set<SystemLibrary>) -> String {
    libraries.sorted().map(\.rawValue).joined(separator: ", ")
  }

  private static func names(_ products: [String]) -> String {
    let names = products.map { "`\($0)`" }
    return names.count < 2
      ? names.joined() : "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")"
  }
}

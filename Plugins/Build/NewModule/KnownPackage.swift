import Foundation
import PackagePlugin

/// The existing contents of the package that a module is added to.
struct KnownPackage {
  let targets: [KnownTarget]
  let layout: PackageLayout
  private let package: Package

  init(_ package: Package, folder: String) {
    self.package = package
    let base = package.directoryURL.standardizedFileURL.path + "/"
    targets = package.targets.map { target in
      let path = target.directoryURL.standardizedFileURL.path
      return KnownTarget(
        name: target.name, path: path.hasPrefix(base) ? String(path.dropFirst(base.count)) : path,
        isTest: (target as? any SourceModuleTarget)?.kind == .test,
        dependencies: Set(target.recursiveTargetDependencies.map(\.name)))
    }
    layout = PackageLayout(of: targets, folder: folder)
  }

  /// The names in the whole package graph, which SwiftPM requires to be unique across packages.
  var takenNames: [String] {
    var names: Set<String> = []
    var seen: Set<Package.ID> = []
    var rest = [package]
    while let next = rest.popLast() {
      guard seen.insert(next.id).inserted else { continue }
      names.formUnion(next.targets.map(\.name) + next.products.map(\.name))
      rest += next.dependencies.map(\.package)
    }
    return names.sorted()
  }

  func manifest() throws -> String {
    let file = package.directoryURL.appending(path: "Package.swift")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else {
      throw NewModuleError("\(file.path) can't be read")
    }
    return text
  }

  /// The name in the manifest of the package that provides Mediation or the plugin.
  var library: String {
    let text = (try? manifest()) ?? ""
    let use = /"(?:Mediation|Navigation|ModuleBoundary|Switchyard)",\s*package:\s*"([^"]+)"/
    if let match = text.firstMatch(of: use) { return String(match.1) }
    let owner = package.dependencies.first { $0.package.targets.contains { $0.name == "Mediation" } }
    return owner?.package.id ?? "Switchyard"
  }

  /// Returns the given scheme, or else the one used by the first contract, or else the package's name.
  func scheme(given: String?) throws -> String {
    if let given {
      guard given.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*/) != nil, given != "http", given != "https" else {
        throw NewModuleError("'\(given)' is not an app's URL scheme; use a word such as estate")
      }
      return given.lowercased()
    }
    let contracts = package.targets.filter { $0.name.hasSuffix("Routes") }
    for case let contract as SwiftSourceModuleTarget in contracts {
      for file in contract.sourceFiles(withSuffix: "swift") {
        guard let text = try? String(contentsOf: file.url, encoding: .utf8) else { continue }
        let pattern = /RoutePattern\s*=\s*"([a-z][a-z0-9+.\-]*):\/\//
        for match in text.matches(of: pattern) where !match.1.hasPrefix("http") { return String(match.1) }
      }
    }
    let letters = package.displayName.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return letters.first?.isLetter == true ? letters : "app"
  }

  /// Returns the steps left to the developer, as sentences.
  func remainingSteps(for name: ModuleName, plan: NewModulePlan) -> [String] {
    var lines: [String] = []
    if plan.manifest == nil {
      lines += [
        "Package.swift is written in a way that can't be extended safely; add these targets to it:",
        plan.declarations,
      ]
    }
    if plan.isGuardedAlone {
      lines.append(
        "\(name) uses the plugin ModuleBoundary itself, because no app's target in Package.swift uses it. "
          + "Added to the app's target, plugins: [.plugin(name: \"ModuleBoundary\", package: \"\(library)\")] checks all "
          + "modules in a folder named Modules in one run; see swift package new-module --help.")
    }
    for (target, products) in [
      (name.text, plan.undeclaredProducts), (name.tests, plan.undeclaredTestProducts),
    ]
    where !products.isEmpty {
      lines.append(
        "\(target) is declared by a row of Package.swift; it must depend on these products of \(library): "
          + "\(products.joined(separator: ", ")).")
    }
    let place = mediatorPlace().map { " (\($0))" } ?? ", which no target of this package creates yet"
    let app = plan.guardingApp.map { "\($0), whose plugin checks \(name)'s boundary," } ?? "the app's target"
    return lines + [
      "Next: import \(name) and add \(plan.expression) to the modules that the app passes to its Mediator\(place); "
        + "\(app) must depend on \(name).",
      "Then \(plan.url) opens it. Try it now: swift test --filter \(name.tests)",
    ]
  }

  /// Returns the file and line of the first mediator created by the package's code.
  private func mediatorPlace() -> String? {
    for case let target as SwiftSourceModuleTarget in package.targets
    where target.kind == .generic || target.kind == .executable {
      for file in target.sourceFiles(withSuffix: "swift") {
        guard let text = try? String(contentsOf: file.url, encoding: .utf8),
          let line = MediatorPlace.line(in: text)
        else { continue }
        return "\(file.url.path):\(line)"
      }
    }
    return nil
  }
}

import Foundation
import PackagePlugin

/// What the package that gets a module has already.
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

  /// The names that SwiftPM knows in the whole graph, which must differ even from package to package.
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
      throw Refusal("\(file.path) can't be read")
    }
    return text
  }

  /// What the manifest calls the package of which it uses Mediation or the plugin.
  var library: String {
    let text = (try? manifest()) ?? ""
    let use = /"(?:Mediation|Navigation|ModuleBoundary|Switchyard)",\s*package:\s*"([^"]+)"/
    if let match = text.firstMatch(of: use) { return String(match.1) }
    let owner = package.dependencies.first { $0.package.targets.contains { $0.name == "Mediation" } }
    return owner?.package.id ?? "Switchyard"
  }

  /// The scheme that was asked for, or the one that the first contract uses, or the package's name.
  func scheme(given: String?) throws -> String {
    if let given {
      guard given.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*/) != nil, given != "http", given != "https" else {
        throw Refusal("'\(given)' is no scheme of an app; give a word such as estate")
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

  /// What is left to the developer, in sentences.
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
        "\(name) has the plugin ModuleBoundary of its own, because Package.swift shows no app's target that has it. "
          + "On the app's target, plugins: [.plugin(name: \"ModuleBoundary\", package: \"\(library)\")] checks all "
          + "modules in a folder Modules with one run; see swift package new-module --help.")
    }
    let place = mediatorPlace().map { " (\($0))" } ?? ""
    let app = plan.guardingApp.map { "\($0), whose plugin checks \(name)'s boundary," } ?? "the app's target"
    return lines + [
      "Next: import \(name) and add \(name)Module() to the modules that the app gives to its Mediator\(place); "
        + "\(app) must depend on \(name).",
      "Then \(plan.url) answers \"\(name) is here\". Try it now: swift test --filter \(name.tests)",
    ]
  }

  /// The file and line of the first mediator that the package's own code makes.
  private func mediatorPlace() -> String? {
    for case let target as SwiftSourceModuleTarget in package.targets
    where target.kind == .generic || target.kind == .executable {
      for file in target.sourceFiles(withSuffix: "swift") {
        guard let text = try? String(contentsOf: file.url, encoding: .utf8),
          let found = text.firstMatch(of: /\bMediator\(\s*schemes:/)
        else { continue }
        let line = text[..<found.range.lowerBound].count(where: \.isNewline) + 1
        return "\(file.url.path):\(line)"
      }
    }
    return nil
  }
}

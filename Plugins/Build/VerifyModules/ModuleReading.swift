import Foundation
import PackagePlugin

/// Reads the source files of business modules and of the targets that they use.
enum ModuleReading {
  /// A business module, which can consist of several targets if it is a package of its own.
  struct Module {
    var name: String
    var folder: String
    var sources: [ModuleSource]
  }

  /// Reads all business modules, sorted by name.
  static func modules(_ modules: BusinessModules, among packages: ModulePackages) throws -> [Module] {
    var found: [Module] = []
    for target in modules.targets {
      let name = packages.module(ofItsOwn: packages.package(of: target)) ?? target.name
      // The targets of a package can be its layers, such as ListingsScreens.
      let layer = ModuleLayer.allCases.first { target.name == name + $0.rawValue }
      let sources = try Self.sources(of: target, in: layer?.rawValue)
      if let index = found.firstIndex(where: { $0.name == name }) {
        found[index].sources += sources
      } else {
        found.append(Module(name: name, folder: target.directoryURL.path, sources: sources))
      }
    }
    return found
  }

  /// Reads the Swift files of a target, placed in its folder or in that of a layer.
  static func sources(of target: any Target, in layer: String? = nil) throws -> [ModuleSource] {
    guard let module = target as? SwiftSourceModuleTarget else { return [] }
    let folder = module.directoryURL.standardizedFileURL.path + "/"
    return try module.sourceFiles(withSuffix: "swift").map { file in
      let path = file.url.standardizedFileURL.path
      let place = path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : file.url.lastPathComponent
      do {
        return ModuleSource(
          path: file.url.path, place: layer.map { "\($0)/\(place)" } ?? place,
          text: try Data(contentsOf: file.url))
      } catch {
        throw UnreadableSource(path: file.url.path, reason: error.localizedDescription)
      }
    }
  }
}

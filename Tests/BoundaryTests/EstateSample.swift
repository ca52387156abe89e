import Foundation
import Testing

/// The sample app.
enum EstateSample {
  static let folder = Checkout.folder.appending(path: "Samples/Estate")

  /// The names of the business modules, which are folders next to each other.
  static var modules: [String] {
    let folder = folder.appending(path: "Sources/Modules")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }

  static var isThere: Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path)
  }

  static func sources(of module: String, in package: URL) -> [URL] {
    let found = FileManager.default.enumerator(
      at: package.appending(path: "Sources/Modules/\(module)"), includingPropertiesForKeys: nil)
    return (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
      .sorted { $0.path < $1.path }
  }

  /// Makes `copy` equal to the sample without its build products; it depends on the same checkout.
  static func mirror(to copy: URL) throws {
    let wanted = files(in: folder)
    for extra in files(in: copy).subtracting(wanted) {
      try FileManager.default.removeItem(at: copy.appending(path: extra))
    }
    for path in wanted where path != "Package.swift" {
      try copy.write(Data(contentsOf: folder.appending(path: path)), to: path)
    }
    let text = try String(contentsOf: folder.appending(path: "Package.swift"), encoding: .utf8)
    try #require(text.contains("\"../..\""), "the sample's manifest names the checkout in another way")
    try copy.write(text.replacing("\"../..\"", with: "\"\(Checkout.folder.path)\""), to: "Package.swift")
  }

  /// Returns the paths of the files in a folder that are not hidden.
  private static func files(in folder: URL) -> Set<String> {
    let found = FileManager.default.enumerator(
      at: folder, includingPropertiesForKeys: [.isRegularFileKey], options: [.skipsHiddenFiles])
    let files = (found?.compactMap { $0 as? URL } ?? []).filter {
      (try? $0.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
    }
    return Set(files.map { String($0.path.dropFirst(folder.path.count + 1)) })
  }
}

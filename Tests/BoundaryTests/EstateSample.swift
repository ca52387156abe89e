import Foundation
import Testing

/// The sample app as it is delivered.
enum EstateSample {
  static let folder = Checkout.folder.appending(path: "Samples/Estate")

  /// The names of the business modules: the folders that lie side by side.
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

  /// Copies the sample without its build products; its dependency on the checkout keeps pointing there.
  static func copy(to target: URL) throws {
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    for entry in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
    {
      try FileManager.default.copyItem(at: entry, to: target.appending(path: entry.lastPathComponent))
    }
    let manifest = target.appending(path: "Package.swift")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    try #require(text.contains("\"../..\""), "the sample's manifest names the checkout in another way")
    try text.replacing("\"../..\"", with: "\"\(Checkout.folder.path)\"")
      .write(to: manifest, atomically: true, encoding: .utf8)
  }
}

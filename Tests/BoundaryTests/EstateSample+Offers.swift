import Foundation
import Testing

extension EstateSample {
  /// Names a module in the app's list, in a copy of the sample, as a developer would.
  static func listOffers(in package: URL) throws {
    let shell = "Sources/EstateApp/EstateShell.swift"
    try edit(shell, in: package, adding: "import Offers", after: "import Navigation")
    try edit(shell, in: package, adding: "OffersModule(),", after: "HelpModule(host: host),")
  }

  /// Makes a folder with what the app reads at its start.
  static func makeState(in folder: URL) throws -> URL {
    let secret = String(repeating: "5a", count: 32)
    try write("no authority", to: "state/ca.pem", in: folder)
    try write("{\"keyID\":\"demo\",\"secret\":\"\(secret)\"}", to: "state/demo-key.json", in: folder)
    return folder.appending(path: "state")
  }

  private static func write(_ text: String, to path: String, in folder: URL) throws {
    let file = folder.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }

  private static func edit(_ path: String, in package: URL, adding line: String, after anchor: String) throws
  {
    let file = package.appending(path: path)
    let text = try String(contentsOf: file, encoding: .utf8)
    try #require(text.contains(anchor), "\(path) has no line «\(anchor)»")
    try text.replacing(anchor, with: "\(anchor)\n\(line)", maxReplacements: 1)
      .write(to: file, atomically: true, encoding: .utf8)
  }
}

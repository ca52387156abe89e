import Foundation
import Testing

@Suite("A newcomer's first program")
struct FirstProgramTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  @Test("H14: The first program is five lines and a catch, the same in README.md, the guide and QuickStart")
  func lines() throws {
    let program = try text("Samples/QuickStart/Sources/QuickStart/main.swift")
    let lines = program.split(separator: "\n")
    #expect(lines.filter { !["do {", "} catch {", "  print(error)", "}"].contains($0) }.count == 5)
    #expect(lines.count == 9)
    #expect(lines.allSatisfy { $0.count <= 110 && !$0.contains(";") })
    #expect(lines.filter { $0.hasPrefix("import ") } == ["import BodyFormats", "import CurlTransport"])
    // It is the whole program: the target has no other source.
    let folder = Self.root.appending(path: "Samples/QuickStart/Sources/QuickStart").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["main.swift"])

    for path in [
      "README.md", "Samples/QuickStart/README.md", "Sources/Switchyard/Switchyard.docc/GettingStarted.md",
    ] {
      let blocks = try text(path).components(separatedBy: "```swift\n").dropFirst()
        .map { $0.components(separatedBy: "```")[0] }
      let first = blocks.first { !$0.hasPrefix("// swift-tools-version") }
      #expect(first == program, "\(path)")
    }
  }
}

import CommandRunning
import Foundation
import Testing

/// The faults that `Scripts/simulate --plant` puts into a copy of the sources.
@Suite("Planted faults") struct PlantedFaultTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL

  private struct Plant {
    let name: String
    let text: String
    /// The first line: the invariant and the fault in words.
    var head: String { String(text.prefix { $0 != "\n" }) }
    var files: [String] {
      text.split(separator: "\n").filter { $0.hasPrefix("+++ b/") }.map { String($0.dropFirst(6)) }
    }
  }

  private static func plants() throws -> [Plant] {
    let folder = root.appending(path: "Tests/Simulation/Plants")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "patch" }
      .map { url in
        Plant(
          name: url.deletingPathExtension().lastPathComponent,
          text: try String(contentsOf: url, encoding: .utf8))
      }
      .sorted { $0.name < $1.name }
  }

  @Test("Each of the ten invariants has at least two, and all are at least 25")
  func coverage() throws {
    let plants = try Self.plants()
    #expect(plants.count >= 25)
    for invariant in 1...10 {
      #expect(plants.count { $0.head.hasPrefix("I\(invariant): ") } >= 2, "I\(invariant) has too few")
    }
  }

  @Test("Each begins with its invariant and a sentence, and is active under its own name only")
  func form() throws {
    for plant in try Self.plants() {
      #expect(plant.head.wholeMatch(of: /I(10|[1-9]): [A-Z].*\./) != nil, "\(plant.name): \(plant.head)")
      let names = plant.text.matches(of: /Plant\.isActive\("([a-z-]+)"\)/).map { String($0.1) }
      #expect(!names.isEmpty && names.allSatisfy { $0 == plant.name }, "\(plant.name) has \(names)")
      #expect(!plant.files.isEmpty)
    }
  }

  @Test("All of them fit the sources, one after the other", .timeLimit(.minutes(5)))
  func fit() async throws {
    let folder = try TemporaryFolder(prefix: "plants")
    let plants = try Self.plants()
    for file in Set(plants.flatMap(\.files)) {
      let copy = folder.url.appending(path: file)
      try FileManager.default.createDirectory(
        at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: Self.root.appending(path: file), to: copy)
    }
    for plant in plants {
      var patch = Command("patch", "--strip", "1", "--no-backup-if-mismatch")
      patch.folder = folder.url
      patch.input = Array(plant.text.utf8)
      let outcome = try await patch.run()
      #expect(outcome.status == 0, "\(plant.name): \(outcome)")
    }
  }
}

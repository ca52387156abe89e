import Foundation
import Testing

/// Replays what Scripts/fuzz found, and the inputs that it begins with.
struct ReplayTests {
  private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Corpus")

  /// The kept inputs of a target, by the names of their files.
  private static func kept(_ target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
    let folder = corpus.appendingPathComponent(target.name)
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
      (name, [UInt8](try Data(contentsOf: folder.appendingPathComponent(name))))
    }
  }

  @Test("No kept input and no seed breaks a law of its parser", arguments: FuzzTarget.all)
  func laws(_ target: FuzzTarget) throws {
    let seeds = target.seeds.map { (name: "a seed", bytes: $0) }
    #expect(!seeds.isEmpty)
    for (name, bytes) in try Self.kept(target) + seeds + [("nothing", [])] {
      // Also cut off, because most parsers are given only what has arrived.
      for bytes in [bytes, Array(bytes.dropLast()), Array(bytes.dropFirst())] {
        #expect(throws: Never.self, "\(target.name), \(name): \(escaped(bytes))") { try target.check(bytes) }
      }
    }
  }

  @Test("No parser's time is quadratic in the length of a kept input or a seed", arguments: FuzzTarget.all)
  func growth(_ target: FuzzTarget) throws {
    for bytes in try Self.kept(target).map(\.bytes) + target.seeds where !bytes.isEmpty {
      for input in Growth.stretches(of: bytes) {
        let measured = Growth.measure(target, input)
        #expect(!measured.isTooSteep, "\(target.name), \(escaped(input)) repeated: \(measured)")
      }
    }
  }

  @Test("The measurement of growth finds quadratic time and passes linear time")
  func measurement() {
    let quadratic = Growth.measure([1]) { bytes in
      var sum = 0
      for first in stride(from: 0, to: bytes.count, by: 4) {
        for second in stride(from: 0, to: first, by: 4) { sum &+= Int(bytes[second]) ^ second }
      }
      #expect(sum != 0)
    }
    #expect(quadratic.isTooSteep, "\(quadratic)")
    let linear = Growth.measure([1]) { bytes in
      var sum = 0
      for _ in 0..<50 { for byte in bytes { sum &+= Int(byte) } }
      #expect(sum != 0)
    }
    #expect(!linear.isTooSteep, "\(linear)")
  }

  @Test("Every folder of kept inputs is that of a target")
  func folders() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
    #expect(!names.isEmpty)
    #expect(Set(names).subtracting(FuzzTarget.all.map(\.name)).isEmpty)
  }
}

extension FuzzTarget: CustomTestStringConvertible {
  var testDescription: String { name }
}

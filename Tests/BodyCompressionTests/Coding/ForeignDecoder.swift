import CommandRunning
import Foundation
import Interception

/// Decoders that are independent of the code under test: programs of the system, and Python's zlib.
enum ForeignDecoder {
  struct Failure: Error, CustomStringConvertible { let description: String }

  /// The codings whose decoders are installed; in CI all of them, where a missing one is a failure.
  static let codings: [ContentCoding] = [ContentCoding.gzip, .deflate, .brotli, .zstd].filter { coding in
    let program = words(for: coding)[0]
    return ProcessInfo.processInfo.environment["CI"] == "true"
      || ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"].contains { folder in
        FileManager.default.isExecutableFile(atPath: "\(folder)/\(program)")
      }
  }

  static func decode(_ coded: [UInt8], _ coding: ContentCoding = .gzip) async throws -> [UInt8] {
    var command = Command(words: words(for: coding))
    command.input = coded
    command.mergesErrors = false
    let outcome = try await command.run()
    guard outcome.status == 0 else { throw Failure(description: "\(coding): exit \(outcome.status)") }
    return outcome.bytes
  }

  private static func words(for coding: ContentCoding) -> [String] {
    switch coding {
    case .gzip: ["gzip", "-dc"]
    case .brotli: ["brotli", "-dc"]
    case .zstd: ["zstd", "-dcq"]
    default:
      [
        "python3", "-c",
        "import sys, zlib; sys.stdout.buffer.write(zlib.decompress(sys.stdin.buffer.read()))",
      ]
    }
  }
}

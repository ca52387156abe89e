import CommandRunning
import Foundation

/// The cache2k trace web07 (CC BY 4.0, headissue GmbH, Jens Wilke): keys of four bytes, most significant
/// first.
enum WebTrace {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../shared/vectors/traces/web07.trace.xz").standardizedFileURL

  static var isThere: Bool { FileManager.default.fileExists(atPath: file.path()) }
  static var mustBeThere: Bool { ProcessInfo.processInfo.environment["CI"] == "true" }

  static func keys() async throws -> [UInt64] {
    let bytes = try await Command("/usr/bin/xz", "-dc", file.path()).run().bytes
    return stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).map { index in
      bytes[index..<index + 4].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}

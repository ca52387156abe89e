import Foundation
import Mediation
import Testing

/// The URL test data of the web platform tests, if they lie beside the package.
enum WebPlatformURLs {
  static let file = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "shared/vectors/wpt-urltestdata.json")

  static var mustRun: Bool {
    ProcessInfo.processInfo.environment["CI"] == "true" || FileManager.default.fileExists(atPath: file.path)
  }

  static func inputs() throws -> [String] {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    return try #require(json as? [Any]).compactMap { ($0 as? [String: Any])?["input"] as? String }
  }
}

@Suite struct RouteURLVectorTests {
  @Test(
    "F2: the web platform's URLs give a value or a fault within the text",
    .enabled(if: WebPlatformURLs.mustRun, "skipped: ../shared/vectors/wpt-urltestdata.json is not there"))
  func hostileInputs() throws {
    var read = 0
    var refused = 0
    for input in try WebPlatformURLs.inputs() {
      do {
        let url = try RouteURL(input)
        read += 1
        #expect(!url.host.isEmpty && !url.scheme.isEmpty)
        #expect(!url.segments.contains { $0.isEmpty || $0 == "." || $0 == ".." })
      } catch {
        refused += 1
        #expect((0...input.utf8.count).contains(error.offset))
        #expect(!error.description.isEmpty)
      }
    }
    #expect(read > 100)
    #expect(refused > 100)
  }
}

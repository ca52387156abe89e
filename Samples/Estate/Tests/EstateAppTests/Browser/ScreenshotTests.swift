import Foundation
import Testing

/// Pictures of every page, to be looked at.
@Suite(
  "Screenshots", .enabled(if: HeadlessBrowser.isInstalled, "chromium is not installed"), .serialized,
  .timeLimit(.minutes(10)))
@MainActor struct ScreenshotTests {
  /// The folder that the environment names, else a temporary one.
  nonisolated private static var folder: URL {
    ProcessInfo.processInfo.environment["ESTATE_SCREENSHOTS"].map {
      URL(filePath: $0, directoryHint: .isDirectory)
    }
      ?? FileManager.default.temporaryDirectory.appending(path: "estate-screenshots-\(UUID())")
  }

  @Test("Every page is drawn at 360, 800 and 1600 px, light and dark")
  func pages() async throws {
    let folder = Self.folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try await BrowserPages.use { pages in
      for page in BrowserPages.all {
        try await pages.visit(page) {
          for width in [360, 800, 1_600] {
            for isDark in [false, true] {
              try await pages.browser.resize(to: width, isDark: isDark)
              let picture = try await pages.browser.screenshot(wholePage: true)
              #expect(picture.count > 5_000, "\(page.name) at \(width) px is empty")
              let file = "\(page.name)-\(width)-\(isDark ? "dark" : "light").png"
              try picture.write(to: folder.appending(path: file))
            }
          }
        }
      }
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files.filter { $0.hasSuffix(".png") }.count >= BrowserPages.all.count * 6)
    // Only the temporary folder; the other one was asked for.
    if ProcessInfo.processInfo.environment["ESTATE_SCREENSHOTS"] == nil {
      try FileManager.default.removeItem(at: folder)
    }
  }
}

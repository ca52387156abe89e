import Foundation
import Testing

/// Pictures of every page, to be looked at.
@Suite("Screenshots", .browser, .serialized, .timeLimit(.minutes(10)))
@MainActor struct ScreenshotTests {
  private static let widths = [360, 800, 1_600]

  /// The folder that the environment names.
  private static let asked = ProcessInfo.processInfo.environment["ESTATE_SCREENSHOTS"].map {
    URL(filePath: $0, directoryHint: .isDirectory)
  }

  /// Runs a test with a folder for its pictures, which is removed unless it was asked for.
  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder =
      Self.asked ?? FileManager.default.temporaryDirectory.appending(path: "estate-screenshots-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { if Self.asked == nil { try? FileManager.default.removeItem(at: folder) } }
    try await body(folder)
  }

  /// Draws the page at each width, light and dark.
  private func draw(_ name: String, _ browser: HeadlessBrowser, in folder: URL) async throws {
    for width in Self.widths {
      for isDark in [false, true] {
        try await browser.resize(to: width, isDark: isDark)
        let picture = try await browser.screenshot(wholePage: true)
        #expect(picture.count > 5_000, "\(name) at \(width) px is empty")
        try picture.write(
          to: folder.appending(path: "\(name)-\(width)-\(isDark ? "dark" : "light").png"))
      }
    }
  }

  @Test("Every page is drawn at 360, 800 and 1600 px, light and dark")
  func pages() async throws {
    try await withFolder { folder in
      try await BrowserPages.use { pages in
        for page in BrowserPages.all {
          try await pages.visit(page) { try await draw(page.name, pages.browser, in: folder) }
        }
      }
    }
  }

  @Test("Every view of the inspector is drawn at 360, 800 and 1600 px, light and dark")
  func inspector() async throws {
    try await withFolder { folder in
      try await InspectorPages.use { inspector in
        for view in InspectorPages.all {
          try await inspector.visit(view)
          try await draw("inspector-\(view.name)", inspector.browser, in: folder)
        }
      }
    }
  }
}

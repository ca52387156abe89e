import Foundation
import Testing

/// The pictures of README, which `Scripts/pictures` keeps in docs/pictures.
@Suite(
  "Pictures of the pages", .enabled(if: HeadlessBrowser.isInstalled, "chromium is not installed"),
  .serialized,
  .timeLimit(.minutes(5)))
@MainActor struct PictureTests {
  /// The names of the pictures, and what they show.
  private static let pictures = [
    ("homes", BrowserPages.Page(name: "homes", path: "/browse?city=SACRAMENTO")),
    ("home", BrowserPages.Page(name: "home", path: "/home/42")),
  ]

  @Test("Each picture is small, and drawn for light and dark pages")
  func drawing() async throws {
    let asked = ProcessInfo.processInfo.environment["SWITCHYARD_PICTURES"]
    let folder = asked.map { URL(filePath: $0, directoryHint: .isDirectory) }
    try await BrowserPages.use { pages in
      for (name, page) in Self.pictures {
        for isDark in [false, true] {
          try await pages.browser.resize(to: 1_200, height: 800, scale: 1.5, isDark: isDark)
          try await pages.visit(page) {
            let picture = try await pages.browser.screenshot(format: "webp", quality: 80)
            #expect(picture.prefix(4) == Data("RIFF".utf8))
            #expect((10_000...120_000).contains(picture.count), "\(name): \(picture.count) bytes")
            let file = "estate-\(name)-\(isDark ? "dark" : "light").webp"
            if let folder { try picture.write(to: folder.appending(path: file)) }
          }
        }
      }
    }
  }
}

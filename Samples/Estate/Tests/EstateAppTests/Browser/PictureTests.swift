import Foundation
import Testing

/// The pictures of Estate's README, which `Scripts/docs --pictures` keeps in docs/pictures.
@Suite("Pictures of the pages", .browser, .serialized, .timeLimit(.minutes(5)))
@MainActor struct PictureTests {
  /// The names of the pictures, and what they show.
  private static let pictures = [
    ("homes", BrowserPages.Page(name: "homes", path: "/browse?city=SACRAMENTO")),
    ("home", BrowserPages.Page(name: "home", path: "/home/42")),
  ]

  @Test("Each picture is small, and drawn for light and dark pages")
  func drawing() async throws {
    try await BrowserPages.use { pages in
      for (name, page) in Self.pictures {
        try await pages.visit(page) {
          try await pages.browser.draw("estate-\(name)", height: 800)
        }
      }
    }
  }
}

/// The pictures of the inspector, likewise.
@Suite("Pictures of the inspector", .browser, .serialized, .timeLimit(.minutes(5)))
@MainActor struct InspectorPictureTests {
  /// The views, and the height of their pictures.
  private static let pictures = [("call", 800), ("totals", 800), ("pipeline", 960), ("routes", 800)]

  @Test("Each picture of the inspector is small, and drawn for light and dark pages")
  func drawing() async throws {
    try await InspectorPages.use { inspector in
      for (name, height) in Self.pictures {
        try await inspector.browser.resize(to: 1_200, height: height, scale: 1.5)
        try await inspector.visit(try #require(InspectorPages.all.first { $0.name == name }))
        try await inspector.browser.draw("inspector-\(name)", height: height)
      }
    }
  }
}

extension HeadlessBrowser {
  /// Takes pictures of the page, light and dark, and writes them to the folder that the environment names.
  fileprivate func draw(_ name: String, height: Int) async throws {
    let asked = ProcessInfo.processInfo.environment["SWITCHYARD_PICTURES"]
    let folder = asked.map { URL(filePath: $0, directoryHint: .isDirectory) }
    for isDark in [false, true] {
      try await resize(to: 1_200, height: height, scale: 1.5, isDark: isDark)
      let picture = try await screenshot(format: "webp", quality: 70)
      #expect(picture.prefix(4) == Data("RIFF".utf8))
      #expect((10_000...120_000).contains(picture.count), "\(name): \(picture.count) bytes")
      if let folder {
        try picture.write(to: folder.appending(path: "\(name)-\(isDark ? "dark" : "light").webp"))
      }
    }
  }
}

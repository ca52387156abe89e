import Foundation
import Testing

/// What a first page weighs, which is bounded, and when it is seen and usable, which is printed.
@Suite("The first page", .browser, .serialized, .timeLimit(.minutes(15)))
@MainActor struct FirstPaintTests {
  /// The number of loads, of which the median is printed.
  private static let loads = 7

  /// When a page was painted, and when it was usable, in milliseconds since the navigation began.
  private struct Times: Decodable {
    let response: Double
    let painted: Double
    let usable: Double
  }

  /// The median of several loads without the browser's cache.
  private func times(_ browser: HeadlessBrowser, _ url: String, usableAt usable: String) async throws -> Times
  {
    var all: [Times] = []
    for _ in 0..<Self.loads {
      try await browser.call("Network.clearBrowserCache", [:])
      try await browser.load(url)
      try await browser.wait(for: "performance.getEntriesByName('first-contentful-paint').length === 1")
      try await browser.wait(for: "(\(usable)) > 0")
      let text = try await browser.evaluate(
        """
        JSON.stringify({response: performance.getEntriesByType("navigation")[0].responseEnd,
          painted: performance.getEntriesByName("first-contentful-paint")[0].startTime, usable: \(usable)})
        """)
      all.append(try JSONDecoder().decode(Times.self, from: Data(text.utf8)))
    }
    func median(_ value: (Times) -> Double) -> Double { all.map(value).sorted()[all.count / 2] }
    return Times(response: median(\.response), painted: median(\.painted), usable: median(\.usable))
  }

  private func report(_ name: String, _ times: Times) {
    func text(_ value: Double) -> String { "\((value * 10).rounded() / 10) ms" }
    let verdict = max(times.painted, times.usable) <= 100 ? "PASS" : "MISS"
    print(
      "first page: \(name): received after \(text(times.response)), painted after \(text(times.painted)), "
        + "usable after \(text(times.usable)); bar 100 ms: \(verdict)")
  }

  @Test("The first page needs 60 kB at most, and how soon pages are painted and usable is printed")
  func pages() async throws {
    try await BrowserPages.use { pages in
      for path in ["/", "/browse", "/home/42"] {
        try await pages.browser.load(pages.origin + path)
        let size = try await pages.browser.evaluate(
          """
          [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
            .filter((entry) => !entry.name.includes("/events")).reduce((sum, entry) => sum + entry.decodedBodySize, 0)
          """)
        let bytes = try #require(Int(size))
        print("first page: \(path): \(bytes) bytes")
        #expect(bytes <= 60_000, "\(path)")
        let usable = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
        report(path, try await times(pages.browser, pages.origin + path, usableAt: usable))
      }
    }
  }

  @Test("How soon the inspector shows its calls is printed")
  func inspector() async throws {
    try await InspectorPages.use { inspector in
      // The first row that the page draws.
      try await inspector.browser.call(
        "Page.addScriptToEvaluateOnNewDocument",
        [
          "source": """
          new MutationObserver((_, observer) => {
            if (!document.querySelector(".space .row")) return;
            observer.disconnect();
            performance.mark("rows");
          }).observe(document, { childList: true, subtree: true });
          """
        ])
      let rows = "(performance.getEntriesByName('rows')[0]?.startTime ?? 0)"
      report("inspector", try await times(inspector.browser, inspector.address, usableAt: rows))
    }
  }
}

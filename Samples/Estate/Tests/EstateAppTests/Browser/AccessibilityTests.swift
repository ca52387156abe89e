import Foundation
import Testing

/// What a reader with other eyes, or without a mouse, meets on each page.
@Suite("Accessibility of the pages", .browser, .serialized, .timeLimit(.minutes(10)))
@MainActor struct AccessibilityTests {
  /// The texts whose contrast with their background is below that of WCAG 2.2, level AA.
  private static let poorContrast = """
    (() => {
      const parse = (text) => { const n = text.match(/[\\d.]+/g).map(Number); return [...n.slice(0, 3), n[3] ?? 1]; };
      const luminance = (color) => {
        const [r, g, b] = color.map((c) => { c /= 255; return c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4; });
        return .2126 * r + .7152 * g + .0722 * b;
      };
      const background = (element) => {
        for (; element; element = element.parentElement) {
          const color = parse(getComputedStyle(element).backgroundColor);
          if (color[3] === 1) return color.slice(0, 3);
        }
        return [255, 255, 255];
      };
      const poor = [];
      for (const element of document.querySelectorAll("body *:not(svg *)")) {
        const text = [...element.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data.trim()).join("");
        if (!text || !element.checkVisibility() || element.closest("noscript, option")) continue;
        const style = getComputedStyle(element);
        const [a, b] = [luminance(parse(style.color).slice(0, 3)), luminance(background(element))];
        const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
        const size = parseFloat(style.fontSize);
        const isLarge = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
        if (ratio < (isLarge ? 3 : 4.5)) poor.push(text.slice(0, 30) + " " + ratio.toFixed(2));
      }
      return poor.join("; ");
    })()
    """

  /// The controls and images without a name for a screen reader.
  private static let unnamed = """
    (() => [...document.querySelectorAll("a, button, input:not([type=hidden]), select, textarea, svg, [role=img]")]
      .filter((element) => {
        if (element.closest("[aria-hidden=true], noscript") || !element.checkVisibility()) return false;
        const label = element.labels?.[0]?.textContent ?? element.getAttribute("aria-label") ?? "";
        return !(label + element.textContent).trim();
      }).map((element) => element.outerHTML.slice(0, 80)).join("; "))()
    """

  /// The headings that skip a level.
  private static let skippedLevels = """
    (() => {
      let last = 0;
      return [...document.querySelectorAll("h1, h2, h3, h4")].filter((heading) => {
        if (!heading.checkVisibility()) return false;
        const level = Number(heading.tagName[1]);
        const isSkip = level > last + 1;
        last = level;
        return isSkip;
      }).map((heading) => heading.outerHTML.slice(0, 60)).join("; ");
    })()
    """

  /// The rules that axe-core finds violated, each with its elements.
  private static let violations = """
    axe.run(document, {resultTypes: ["violations"]}).then((result) => result.violations
      .map((rule) => rule.id + ": " + rule.nodes.map((node) => node.html.slice(0, 90)).join(" | ")).join("; "))
    """

  /// The page's main headings, of which there is one.
  private static let headings =
    "[...document.querySelectorAll('h1')].filter((heading) => heading.checkVisibility()).length"

  private func check(_ name: String, _ browser: HeadlessBrowser) async throws {
    for (width, isDark) in [(360, false), (800, true), (1_600, false), (1_600, true)] {
      try await browser.resize(to: width, isDark: isDark)
      let excess = try await browser.evaluate("document.documentElement.scrollWidth - innerWidth")
      #expect(Int(excess).map { $0 <= 0 } == true, "\(name) at \(width) px")
      #expect(try await browser.evaluate(Self.poorContrast) == "", "\(name) at \(width) px, \(isDark)")
    }
    #expect(try await browser.evaluate(Self.unnamed) == "", "\(name)")
    #expect(try await browser.evaluate(Self.skippedLevels) == "", "\(name)")
    #expect(try await browser.evaluate(Self.headings) == "1", "\(name)")
  }

  @Test("From 360 to 1600 px no page has a horizontal bar, and all texts have contrast, in light and dark")
  func widths() async throws {
    try await BrowserPages.use { pages in
      for page in BrowserPages.all {
        try await pages.visit(page) { try await check(page.name, pages.browser) }
      }
    }
  }

  @Test("The same is true of the inspector's views")
  func inspectorWidths() async throws {
    try await InspectorPages.use { inspector in
      for view in InspectorPages.all {
        try await inspector.visit(view)
        try await check(view.name, inspector.browser)
      }
    }
  }

  /// The script of axe-core that `Scripts/install-dependencies --axe` fetches.
  nonisolated private static let axe = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../../.build/axe/axe.min.js").standardizedFileURL
  nonisolated private static var hasAxe: Bool { FileManager.default.fileExists(atPath: axe.path) }

  /// Lets axe-core judge the page, narrow and wide, light and dark.
  private func judge(_ name: String, _ browser: HeadlessBrowser, by script: String) async throws {
    if try await browser.evaluate("typeof axe") == "undefined" {
      _ = try await browser.settle(script + "\n;typeof axe")
    }
    for (width, isDark) in [(360, true), (1_600, false), (1_600, true)] {
      try await browser.resize(to: width, isDark: isDark)
      let found = try await browser.settle(Self.violations)
      #expect(found == "", "\(name) at \(width) px\(isDark ? ", dark" : "")")
    }
  }

  @Test(
    "axe-core finds nothing on any page, light or dark, narrow or wide",
    .enabled(if: hasAxe, "axe-core is not there; Scripts/install-dependencies --axe fetches it"))
  func rules() async throws {
    let script = try String(contentsOf: Self.axe, encoding: .utf8)
    try await BrowserPages.use { pages in
      for page in BrowserPages.all {
        try await pages.visit(page) { try await judge(page.name, pages.browser, by: script) }
      }
    }
  }

  @Test(
    "axe-core finds nothing in any view of the inspector",
    .enabled(if: hasAxe, "axe-core is not there; Scripts/install-dependencies --axe fetches it"))
  func inspectorRules() async throws {
    let script = try String(contentsOf: Self.axe, encoding: .utf8)
    try await InspectorPages.use { inspector in
      for view in InspectorPages.all {
        try await inspector.visit(view)
        try await judge(view.name, inspector.browser, by: script)
      }
    }
  }
}

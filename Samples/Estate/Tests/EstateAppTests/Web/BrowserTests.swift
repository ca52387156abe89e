import EstateApp
import Foundation
import Navigation
import Testing

@Suite(
  "The pages in Chromium", .enabled(if: HeadlessBrowser.isInstalled, "chromium is not installed"),
  .serialized, .timeLimit(.minutes(5)))
@MainActor struct BrowserTests {
  private static let paths = [
    "/", "/browse?city=GALT", "/home/42", "/compare?homes=1,42,7,100000", "/settings", "/overview",
    "/listings/condo", "/about", "/home/100000", "/login",
  ]

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
        if (element.closest("[aria-hidden=true], noscript")) return false;
        const label = element.labels?.[0]?.textContent ?? element.getAttribute("aria-label") ?? "";
        return !(label + element.textContent).trim();
      }).map((element) => element.outerHTML.slice(0, 80)).join("; "))()
    """

  private func withPages(_ body: (RunningPages, HeadlessBrowser, String) async throws -> Void) async throws {
    let server = try await RunningServer()
    let pages = try await RunningPages(server, RecordingConsole())
    let browser = try await HeadlessBrowser()
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(pages, browser, "http://127.0.0.1:\(pages.port)"))
    } catch {
      result = .failure(error)
    }
    await browser.close()
    await pages.stop()
    await server.stop()
    try result.get()
  }

  @Test("From 360 to 1600 px no page has a horizontal bar, and all texts have contrast, in light and dark")
  func widths() async throws {
    try await withPages { _, browser, origin in
      for path in Self.paths {
        for (width, isDark) in [(360, false), (800, true), (1_600, false), (1_600, true)] {
          try await browser.resize(to: width, isDark: isDark)
          try await browser.load(origin + path)
          let excess = try await browser.evaluate("document.documentElement.scrollWidth - innerWidth")
          #expect(Int(excess).map { $0 <= 0 } == true, "\(path) at \(width) px")
          #expect(try await browser.evaluate(Self.poorContrast) == "", "\(path) at \(width) px, \(isDark)")
        }
        #expect(try await browser.evaluate(Self.unnamed) == "", "\(path)")
        #expect(try await browser.evaluate("document.querySelectorAll('h1').length") == "1", "\(path)")
      }
    }
  }

  @Test("A filter applies as it is chosen or typed, keeps the focus, and the next page is added")
  func filter() async throws {
    try await withPages { pages, browser, origin in
      try await browser.load(origin + "/browse")
      try await browser.evaluate(
        """
        (() => {
          const field = document.querySelector("[name='route.beds']");
          field.value = "4";
          field.dispatchEvent(new Event("input", {bubbles: true}));
        })()
        """)
      try await browser.wait(for: "location.search === '?beds=4'")
      try await browser.evaluate(
        """
        (() => {
          const field = document.querySelector("[name='route.city']");
          field.focus();
          for (const text of ["ELK", "ELK GROVE"]) {
            field.value = text;
            field.dispatchEvent(new Event("input", {bubbles: true}));
          }
        })()
        """)
      try await browser.wait(for: "document.querySelector('h1').textContent.includes('ELK GROVE')")
      #expect(try await browser.evaluate("document.activeElement.name") == "route.city")
      #expect(try await browser.evaluate("location.search") == "?city=ELK%20GROVE&beds=4")
      try await browser.evaluate("document.querySelector('.after button').click()")
      try await browser.wait(for: "document.querySelectorAll('.card').length === 20")
      #expect(pages.shell.navigator.state.count == 1)
    }
  }

  @Test("A step of the terminal shows in the page, and back and forward show the pages before and after")
  func events() async throws {
    try await withPages { pages, browser, origin in
      try await browser.load(origin + "/home/42")
      await pages.type("estate://home/7")
      try await browser.wait(for: "location.pathname === '/home/7' && document.title.includes('#7')")
      try await browser.evaluate("history.back()")
      try await browser.wait(for: "document.title.includes('#42') && document.readyState === 'complete'")
      try await browser.evaluate("history.forward()")
      try await browser.wait(for: "document.title.includes('#7') && location.pathname === '/home/7'")
    }
  }

  @Test("The slider of a loan moves the curves and the monthly payments")
  func slider() async throws {
    try await withPages { _, browser, origin in
      try await browser.load(origin + "/home/42")
      let before = try await browser.evaluate("document.querySelector('.legend b').textContent")
      try await browser.evaluate(
        """
        (() => {
          const slider = document.querySelector("input[type=range]");
          slider.value = 12;
          slider.dispatchEvent(new Event("input", {bubbles: true}));
        })()
        """)
      #expect(try await browser.evaluate("document.querySelector('.legend b').textContent") != before)
      #expect(
        try await browser.evaluate("document.querySelector('output').textContent")
          == "60 % down, a loan of $61,600")
      let transform = "document.querySelector('polyline').getAttribute('transform')"
      #expect(try await browser.evaluate(transform).contains("scale(1 0.4)"))
    }
  }

  @Test("The heart of a guest leads to the login and back, and is filled then")
  func heart() async throws {
    try await withPages { _, browser, origin in
      try await browser.load(origin + "/browse?city=GALT")
      let card = try await browser.evaluate("document.querySelector('.card').id")
      try await browser.evaluate("document.querySelector('.heart button').click()")
      try await browser.wait(for: "document.querySelector('#user') !== null")
      try await browser.evaluate(
        """
        (() => {
          document.querySelector("#user").value = "demo";
          document.querySelector("#password").value = "open-house";
          document.querySelector("form[action='/login'] button").click();
        })()
        """)
      try await browser.wait(for: "document.querySelector('#\(card) .heart .on') !== null")
      #expect(try await browser.evaluate("location.pathname + location.search") == "/browse?city=GALT")
    }
  }
}

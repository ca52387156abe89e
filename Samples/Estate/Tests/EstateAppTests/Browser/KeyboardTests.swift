import Foundation
import Testing

/// The pages by keys alone, which are those of a keyboard.
@Suite("The pages by keyboard", .browser, .serialized, .timeLimit(.minutes(5)))
@MainActor struct KeyboardTests {
  private static let focused = """
    (() => {
      const element = document.activeElement;
      const box = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      const card = element.closest(".card");
      const point = element.querySelector("circle");
      const outline = style.outlineStyle !== "none" || card && getComputedStyle(card).outlineStyle !== "none"
        || point && getComputedStyle(point).strokeWidth === "3px";
      return [element.tagName, outline, box.width > 0 && box.bottom > 0 && box.top < innerHeight].join(" ");
    })()
    """

  @Test("The first key leads to the link that skips the menu")
  func skipping() async throws {
    try await BrowserPages.use { pages in
      let browser = pages.browser
      try await browser.load(pages.origin + "/browse")
      try await browser.press(.tab)
      #expect(try await browser.evaluate("document.activeElement.textContent") == "Skip to the content")
      #expect(try await browser.evaluate(Self.focused) == "A true true")
      try await browser.press(.enter)
      try await browser.wait(for: "location.hash === '#content'")
      try await browser.press(.tab)
      #expect(try await browser.evaluate("document.activeElement.closest('main') !== null") == "true")
      try await browser.press(.tab, withShift: true)
      #expect(try await browser.evaluate("document.activeElement.closest('form[data-live]')") == "null")
    }
  }

  @Test(
    "Tab visits every control once, in the order of the page, visibly",
    arguments: ["/browse?city=GALT", "/home/42", "/settings", "/compare?homes=1,42", "/login"])
  func order(path: String) async throws {
    try await BrowserPages.use { pages in
      let browser = pages.browser
      try await browser.resize(to: 1_280)
      try await browser.load(pages.origin + path)
      try await browser.evaluate(
        """
        (() => {
          window.controls = [...document.querySelectorAll("a[href], button, input, select, textarea, [tabindex='0']")]
            .filter((element) => element.checkVisibility() && element.type !== "hidden" && !element.disabled
              && !element.closest("noscript"));
          return controls.length;
        })()
        """)
      let count = try #require(Int(try await browser.evaluate("controls.length")))
      #expect(count > 10)
      for place in 0..<count {
        try await browser.press(.tab)
        let found = try await browser.evaluate("controls.indexOf(document.activeElement)")
        let element = try await browser.evaluate("document.activeElement.outerHTML.slice(0, 120)")
        #expect(found == "\(place)", "\(element)")
        let state = try await browser.evaluate(Self.focused)
        #expect(state.hasSuffix(" true true"), "\(place): \(state)")
        if found != "\(place)" { return }
      }
    }
  }

  @Test("Enter opens a card's page, which is read from its start, and back returns to the list")
  func cards() async throws {
    try await BrowserPages.use { pages in
      let browser = pages.browser
      try await browser.load(pages.origin + "/browse?city=GALT")
      try await browser.evaluate("document.querySelector('.card :is(h2, h3) a').focus()")
      try await browser.press(.enter)
      try await browser.wait(
        for: "location.pathname.startsWith('/home/') && document.readyState === 'complete'")
      #expect(try await browser.evaluate("document.activeElement.tagName") == "BODY")
      try await browser.press(.tab)
      #expect(try await browser.evaluate("document.activeElement.className") == "skip")
      try await browser.evaluate("history.back()")
      try await browser.wait(for: "location.search === '?city=GALT' && document.readyState === 'complete'")
    }
  }

  @Test("The focus stays on what was pressed where it still is, and otherwise moves to the new content")
  func focus() async throws {
    try await BrowserPages.use { pages in
      let browser = pages.browser
      try await pages.logIn()
      try await browser.load(pages.origin + "/browse?city=GALT")
      try await browser.evaluate("document.querySelector('.heart button').focus()")
      let card = try await browser.evaluate("document.activeElement.closest('.card').id")
      try await browser.press(.enter)
      try await browser.wait(for: "document.querySelector('#\(card) .heart .on') !== null")
      #expect(try await browser.evaluate("document.activeElement.closest('.card').id") == card)
      // A step of the terminal, as the page shows it.
      try await browser.evaluate("document.activeElement.blur()")
      await pages.pages.type("estate://home/42")
      try await browser.wait(for: "location.pathname === '/home/42'")
      #expect(try await browser.evaluate("document.activeElement.id") == "content")
    }
  }
}

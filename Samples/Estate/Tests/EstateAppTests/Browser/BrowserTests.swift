import EstateApp
import Foundation
import Switchyard
import SwitchyardTesting
import Testing

@Suite("The pages in Chromium", .browser, .serialized, .timeLimit(.minutes(5)))
@MainActor struct BrowserTests {
  @Test("A filter applies as it is chosen or typed, keeps the focus, and the next page is added")
  func filter() async throws {
    try await BrowserPages.use { running in
      let (pages, browser, origin) = (running.pages, running.browser, running.origin)
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
      try await browser.click("[name='route.city']")
      try await browser.type("ELK GROVE")
      try await browser.wait(for: "document.querySelector('h1').textContent.includes('Elk Grove')")
      #expect(try await browser.evaluate("document.activeElement.name") == "route.city")
      #expect(try await browser.evaluate("location.search") == "?city=ELK%20GROVE&beds=4")
      try await browser.click(".after button")
      try await browser.wait(for: "document.querySelectorAll('.card').length === 20")
      #expect(pages.shell.navigator.state.count == 1)
    }
  }

  @Test("F18: A step of the terminal shows in the page, and back and forward show the pages before and after")
  func events() async throws {
    try await BrowserPages.use { running in
      let (pages, browser, origin) = (running.pages, running.browser, running.origin)
      try await browser.load(origin + "/home/42")
      await pages.type("estate://home/7")
      try await browser.wait(for: "location.pathname === '/home/7' && document.title.includes('#7')")
      try await browser.evaluate("history.back()")
      try await browser.wait(for: "document.title.includes('#42') && document.readyState === 'complete'")
      try await browser.evaluate("history.forward()")
      try await browser.wait(for: "document.title.includes('#7') && location.pathname === '/home/7'")
    }
  }

  @Test("Several pages follow the app, each with one stream for as long as it is seen")
  func severalPages() async throws {
    try await BrowserPages.use { running in
      let (pages, browser, origin) = (running.pages, running.browser, running.origin)
      try await HeadlessBrowser.use { other in
        for page in [browser, other] { try await page.load(origin + "/home/42") }
        try await waitUntil("two streams of events are open") { pages.openStreams == 2 }
        for home in [7, 42, 77] {
          await pages.type("estate://home/\(home)")
          for page in [browser, other] { try await page.wait(for: "document.title.includes('#\(home),')") }
        }
        #expect(pages.openStreams == 2)
      }
      await pages.type("estate://home/8")
      try await browser.wait(for: "document.title.includes('#8,')")
    }
  }

  @Test("The map shows all homes, and a point leads to its card, or to the homes of its city")
  func map() async throws {
    try await BrowserPages.use { running in
      let (browser, origin) = (running.browser, running.origin)
      try await browser.resize(to: 1_600)
      try await browser.load(origin + "/browse")
      let caption = try await browser.evaluate(
        "document.querySelector('.map figcaption').innerText.split('\\n').join(', ')")
      #expect(caption == "All 932 homes, 10 in the list, 856 more that match, 66 others")
      let shown = """
        [...document.querySelectorAll('.map svg :is(.listed, .found)')]
          .reduce((sum, point) => sum + Number(point.querySelector('text')?.textContent ?? 1), 0)
        """
      #expect(try await browser.evaluate(shown) == "866")
      // A card and its point are lit together.
      try await browser.hover(".card:nth-child(2)")
      let home = try await browser.evaluate("document.querySelector('.card:nth-child(2)').id.slice(5)")
      #expect(
        try await browser.evaluate("document.querySelector('.map [data-home~=\"\(home)\"]').matches('.lit')")
          == "true")
      try await browser.hover(".map a.listed")
      #expect(try await browser.evaluate("document.querySelector('.card.lit') !== null") == "true")
      try await browser.click(".map a.listed")
      try await browser.wait(for: "location.hash.startsWith('#home-')")
      try await browser.click(".map a.found[href$='city=ROSEVILLE']")
      try await browser.wait(
        for: "location.search === '?city=ROSEVILLE' && document.readyState === 'complete'")
      let narrowed = try await browser.evaluate("document.querySelector('.map figcaption').innerText")
      #expect(narrowed.hasPrefix("All 932 homes"))
      #expect(
        try await browser.evaluate("[...document.querySelectorAll('.map .name')].map((n) => n.textContent)")
          == "Roseville")
      // More cards, more of its points.
      let listed = "document.querySelectorAll('.map [data-home]').length"
      let before = try #require(Int(try await browser.evaluate(listed)))
      try await browser.click(".after button")
      try await browser.wait(for: "document.querySelectorAll('.card').length === 20")
      let after = try #require(Int(try await browser.evaluate(listed)))
      #expect(after >= before)
    }
  }

  @Test("Cards are picked for a comparison, up to its maximum, also by keys")
  func picking() async throws {
    try await BrowserPages.use { pages in
      let browser = pages.browser
      try await browser.load(pages.origin + "/browse")
      #expect(
        try await browser.evaluate("getComputedStyle(document.querySelector('.picker')).display") == "none")
      try await browser.click(".card:nth-child(1) .pick")
      try await browser.click(".card:nth-child(3) .pick")
      // More cards don't unpick the others.
      try await browser.click(".after button")
      try await browser.wait(for: "document.querySelectorAll('.card').length === 20")
      try await browser.evaluate("document.querySelector('.card:nth-child(12) .pick input').focus()")
      try await browser.press(.space)
      let picked = try await browser.evaluate(
        "[...document.querySelectorAll('.pick :checked')].map((b) => b.value)")
      #expect(picked.split(separator: ",").count == 3)
      for place in 4...8 { try await browser.click(".card:nth-child(\(place)) .pick") }
      #expect(try await browser.evaluate("document.querySelectorAll('.pick :disabled').length") == "12")
      for place in 4...8 { try await browser.click(".card:nth-child(\(place)) .pick") }
      #expect(try await browser.evaluate("document.querySelectorAll('.pick :disabled').length") == "0")
      try await browser.click(".picker button")
      try await browser.wait(for: "location.pathname === '/compare' && document.readyState === 'complete'")
      #expect(try await browser.evaluate("location.search") == "?homes=\(picked)")
      #expect(try await browser.evaluate("document.querySelectorAll('thead th').length") == "3")
    }
  }

  @Test("The slider of a loan moves the curves and the monthly payments")
  func slider() async throws {
    try await BrowserPages.use { pages in
      let (browser, origin) = (pages.browser, pages.origin)
      try await browser.load(origin + "/home/42")
      let before = try await browser.evaluate("document.querySelector('.legend b').textContent")
      try await browser.evaluate("document.querySelector('input[type=range]').focus()")
      let start = try #require(
        Int(try await browser.evaluate("document.querySelector('input[type=range]').value")))
      for _ in start..<12 { try await browser.press(.right) }
      #expect(try await browser.evaluate("document.querySelector('.legend b').textContent") != before)
      #expect(
        try await browser.evaluate("document.querySelector('output').textContent")
          == "60 % down, a loan of $61,600")
      let transform = "document.querySelector('polyline').getAttribute('transform')"
      #expect(try await browser.evaluate(transform).contains("scale(1 0.4)"))
    }
  }

  @Test("The page of a loan asks the app for the price, and a route that it may not call looks unknown to it")
  func loan() async throws {
    try await BrowserPages.use { pages in
      try await pages.browser.load(pages.origin + "/loan")
      try await pages.browser.wait(for: "document.querySelector('#monthly').textContent === '$1516.96'")
      try await pages.browser.wait(for: "document.querySelector('#logout').textContent === 'not_found'")
    }
  }

  @Test("The heart of a guest leads to the login and back, and is filled then")
  func heart() async throws {
    try await BrowserPages.use { pages in
      let (browser, origin) = (pages.browser, pages.origin)
      try await browser.load(origin + "/browse?city=GALT")
      let card = try await browser.evaluate("document.querySelector('.card').id")
      try await browser.click(".heart button")
      try await browser.wait(for: "document.querySelector('#user') !== null")
      try await browser.click("#user")
      try await browser.type("demo")
      try await browser.click("#password")
      try await browser.type("open-house")
      try await browser.click("form[action='/login'] .main")
      try await browser.wait(for: "document.querySelector('#\(card) .heart .on') !== null")
      #expect(try await browser.evaluate("location.pathname + location.search") == "/browse?city=GALT")
    }
  }
}

import EstateApp
import Foundation
import Switchyard
import SwitchyardTesting
import Testing

/// The pages with data, answers and restarts as they should not be.
@Suite("The pages under faults", .browser, .serialized, .timeLimit(.minutes(5)))
@MainActor struct BrowserFaultTests {
  private static let script = "<SCRIPT>ALERT(1)</SCRIPT><IMG SRC=X ONERROR='ALERT(2)'>"

  @Test("Markup in a listing, an error or a route is text on the page, and no script of it runs")
  func markup() async throws {
    let homes = (1...3).map { "\(Self.script),z95838,\($0),1.0,836,Residential,5922\($0),38.63,-121.43" }
    let listings =
      "city,zip,beds,baths,sqft,type,price,latitude,longitude\n" + homes.joined(separator: "\n") + "\n"
    try await BrowserPages.use(listings) { pages in
      let browser = pages.browser
      for (path, text) in [
        ("/browse", Self.script), ("/home/1", Self.script), ("/compare?homes=1,2", Self.script),
        ("/overview", Self.script), ("/browse?city=%3CSCRIPT%3E&beds=1", "<SCRIPT>"),
        ("/%3Cscript%3Ealert(1)%3C/script%3E", "%3Cscript%3E"), ("/home/%3Cscript%3E", "Parameter"),
        ("/compare?homes=%3Cscript%3E", "Parameter"),
      ] {
        try await browser.load(pages.origin + path)
        // Words in capitals are shown as names.
        let shown = try await browser.evaluate("document.body.innerText")
        #expect(shown.lowercased().contains(text.lowercased()), "\(path)")
        #expect(try await browser.evaluate("document.scripts.length") == "1", "\(path)")
        #expect(
          try await browser.evaluate("document.querySelectorAll('img, [onerror]').length") == "0", "\(path)")
      }
      try await browser.click("#url")
      try await browser.type("estate://<script>alert(1)</script>")
      try await browser.press(.enter)
      try await browser.wait(for: "document.querySelector('.notice') !== null")
      #expect(try await browser.evaluate("document.scripts.length") == "1")
    }
  }

  @Test("What takes longer than 300 ms shows a bar until it has failed, and the page says why")
  func progress() async throws {
    try await BrowserPages.use { pages in
      let browser = pages.browser
      try await browser.load(pages.origin + "/browse")
      #expect(try await browser.evaluate("document.querySelector('.bar').checkVisibility()") == "false")
      try await browser.click("#url")
      // The server does not answer it.
      try await browser.type("estate://fault/slow")
      try await browser.press(.enter)
      try await browser.wait(for: "document.querySelector('.bar').checkVisibility()")
      try await browser.wait(for: "document.querySelector('.notice.failure') !== null")
      #expect(try await browser.evaluate("document.querySelector('.bar').checkVisibility()") == "false")
      #expect(try await browser.evaluate("document.querySelector('.notice [role=alert]').textContent") != "")
    }
  }

  @Test("A page that is open over a restart of the app loads itself again, and its forms work")
  func restart() async throws {
    // The system chooses none of these for other programs, so that the port stays free meanwhile.
    try await RunningPages.use(port: .random(in: 20_000..<30_000)) { server, first in
      try await HeadlessBrowser.use { browser in
        try await browser.load("http://127.0.0.1:\(first.port)/home/42")
        let run = try await browser.evaluate("document.body.dataset.run")
        await first.stop()
        let second = try await RunningPages(server, port: first.port)
        try await browser.wait(
          for:
            "document.body.dataset.run !== \(HeadlessBrowser.quoted(run)) && document.title.includes('#42')")
        try await browser.wait(for: "document.readyState === 'complete'")
        try await browser.click("#url")
        try await browser.type("estate://home/7")
        try await browser.press(.enter)
        try await browser.wait(for: "document.title.includes('#7')")
        await second.stop()
      }
    }
  }

  @Test("A page that follows the app ends at what the app shows, and opens nothing that it has left")
  func following() async throws {
    try await RunningPages.use(pulse: .milliseconds(50)) { _, pages in
      try await HeadlessBrowser.use { browser in
        try await browser.load("http://127.0.0.1:\(pages.port)/home/42")
        for isLeft in [false, true] {
          // The page asks for #7, and its request is late.
          try await browser.evaluate(
            """
            (window.release = undefined, window.send ??= fetch, window.fetch = (...all) =>
              new Promise((go) => { window.release = go; }).then(() => window.send(...all)))
            """)
          await pages.type("estate://home/7")
          try await browser.wait(for: "window.release !== undefined")
          if isLeft { await pages.type("back") }
          await pages.type("estate://home/9")
          try await browser.evaluate("(window.fetch = window.send, window.release())")
          try await browser.wait(for: "document.title.includes('#9')")
          #expect(pages.shell.navigator.state.top?.url == "estate://home/9")
        }
      }
    }
  }

  @Test("A browser that goes away ends its stream of events, and an open one ends with the app")
  func leaving() async throws {
    try await RunningPages.use(pulse: .milliseconds(50)) { _, pages in
      for _ in 0..<3 {
        try await HeadlessBrowser.use { browser in
          try await browser.load("http://127.0.0.1:\(pages.port)/home/42")
          // The page follows the app as soon as it is loaded.
          await pages.type("estate://home/7")
          try await browser.wait(for: "document.title.includes('#7')")
          #expect(pages.openStreams == 1)
        }
        try await waitUntil("no stream of events is open") { pages.openStreams == 0 }
      }
      await pages.type("estate://home/42")
      #expect(try await pages.get("/home/42").status == 200)
      try await HeadlessBrowser.use { browser in
        try await browser.load("http://127.0.0.1:\(pages.port)/home/42")
        try await waitUntil("one stream of events is open") { pages.openStreams == 1 }
        await pages.stop()
        try await waitUntil("no stream of events is open") { pages.openStreams == 0 }
      }
    }
  }
}

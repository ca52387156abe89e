import EstateApp
import Foundation
import SwitchyardTesting
import Testing
import WebPages

@Suite("The guide in Chromium", .browser, .serialized, .timeLimit(.minutes(5)))
@MainActor struct GuideTests {
  @Test(
    "J5: A page is native around and web inside; its requests are signed and share the app's cookies, and without a server it comes from its signed package"
  )
  func guide() async throws {
    try await BrowserPages.use { running in
      let (pages, browser) = (running.pages, running.browser)
      let inside = "/guide/"
      try await browser.load(running.origin + "/guide")
      #expect(try await browser.evaluate("document.querySelector('h1').textContent") == "The guide")
      // The server refuses requests without a signature, and counts visits by its cookie.
      try await browser.wait(for: "document.querySelector('#visits').textContent === '1'", inFrame: inside)
      try await browser.wait(
        for: "document.querySelector('#monthly').textContent === '$1516.96'", inFrame: inside)
      await pages.type("estate://visit")
      try await browser.load(running.origin + "/guide")
      try await browser.wait(for: "document.querySelector('#visits').textContent === '3'", inFrame: inside)
      try await waitUntil("the package is installed") { pages.shell.pages?.store.version == 1 }

      await running.server.stop(keepingState: true)
      try await browser.load(running.origin + "/guide")
      try await browser.wait(
        for: "document.querySelector('#visits').textContent === 'offline'", inFrame: inside)
      let heading = try await browser.evaluate("document.querySelector('h1').textContent", inFrame: inside)
      #expect(heading == "Buying a home")
      let weight = try await browser.evaluate(
        "getComputedStyle(document.querySelector('#visits')).fontWeight", inFrame: inside)
      #expect(weight == "700")
    }
  }
}

import EstateApp
import Foundation
import Inspection
import Testing

/// The inspector's page in a headless browser, over an app that has made calls of every kind.
@MainActor struct InspectorPages {
  let browser: HeadlessBrowser
  /// The page's address, without a view.
  let address: String

  /// A view by its name.
  struct View: Sendable {
    let name: String
    /// The part of the address that names it, in which `ID` is the call, and `OTHER` the one before it.
    let hash: String
    /// The condition of JavaScript on the call `c`; empty if the view needs none.
    var call = ""
    /// The expression of JavaScript that is true once the view shows everything.
    let isReady: String
  }

  private nonisolated static let calls = "document.querySelectorAll('.space .row').length > 10"
  private nonisolated static let call = "document.querySelector('.call .tabs') !== null"

  /// Every kind of view; the last one empties the list.
  nonisolated static let all = [
    View(name: "calls", hash: "calls", isReady: calls),
    View(
      name: "calls-failed", hash: "calls?failed=1",
      isReady: "document.querySelector('.list .foot').textContent.includes(' of ')"),
    View(
      name: "calls-none", hash: "calls?q=nothing-like-this",
      isReady: "!document.querySelector('.list .empty').hidden"),
    View(
      name: "call", hash: "calls/ID", call: "c.path.startsWith('/v1/houses') && c.attempts === 1",
      isReady: call),
    View(name: "call-retried", hash: "calls/ID", call: "c.attempts > 1", isReady: call),
    View(name: "call-stored", hash: "calls/ID", call: "c.cache === 'hit'", isReady: call),
    View(name: "call-failure", hash: "calls/ID", call: "c.state === 'failed'", isReady: call),
    View(
      name: "call-response", hash: "calls/ID/response", call: "c.path.startsWith('/v1/homes/')", isReady: call
    ),
    View(name: "call-wire", hash: "calls/ID/wire", call: "c.redirects > 0", isReady: call),
    View(name: "call-gone", hash: "calls/100000", isReady: "document.querySelector('.call .empty') !== null"),
    View(
      name: "diff", hash: "diff/OTHER/ID", call: "c.cache === 'hit'",
      isReady: "document.querySelector('.diff-table') !== null"),
    View(name: "timeline", hash: "timeline", isReady: "document.querySelectorAll('.entry').length > 10"),
    View(name: "totals", hash: "totals", isReady: "document.querySelector('.spark') !== null"),
    View(name: "pipeline", hash: "pipeline", isReady: "document.querySelectorAll('.step').length > 10"),
    View(
      name: "routes", hash: "routes",
      isReady:
        "document.querySelector('.drawing img')?.naturalWidth > 0 && document.querySelector('.opened .entry') !== null"
    ),
    View(
      name: "calls-empty", hash: "calls",
      isReady: "document.querySelector('.list .empty h2')?.textContent === 'No calls yet'"),
  ]

  /// What the app does before the page is opened.
  private static let lines = [
    "estate://browse?city=SACRAMENTO", "estate://browse/more", "estate://home/42", "estate://home/42",
    "estate://listings/condo", "estate://overview", "estate://compare?homes=1,42,7,100000",
    "estate://settings",
    "estate://fault/moved", "estate://fault/away", "estate://fault/broken", "estate://fault/unknown-host",
    "estate://fault/tampered", "estate://settings/network/offline", "estate://home/77",
    "estate://settings/network/online", "estate://home/7",
  ]

  /// Runs a test with an app, its inspector and a browser, which end after it.
  static func use(_ body: (InspectorPages) async throws -> Void) async throws {
    let inspector = Inspector.estate()
    try await RunningPages.use(inspector: inspector) { _, pages in
      for line in lines { await pages.type(line) }
      try await inspector.use { browser, address in
        try await body(InspectorPages(browser: browser, address: address))
      }
    }
  }

  /// Shows a view, and returns when it is complete.
  func visit(_ view: View) async throws {
    if try await !browser.evaluate("location.href").hasPrefix(address) { try await browser.load(address) }
    try await browser.wait(for: "document.querySelector('#live').dataset.state === 'live'")
    var hash = view.hash
    if !view.call.isEmpty {
      let numbers = try await browser.settle(
        """
        fetch("calls?after=0").then((answer) => answer.json()).then(({ calls }) => {
          const call = calls.findLast((c) => \(view.call));
          const other = call && calls.findLast((c) => c.id < call.id && c.api === call.api);
          return [call?.id ?? "", other?.id ?? ""].join(" ");
        })
        """
      ).split(separator: " ").map(String.init)
      hash = hash.replacing("ID", with: try #require(numbers.first, "no call for \(view.name)"))
      if hash.contains("OTHER") { hash = hash.replacing("OTHER", with: try #require(numbers.last)) }
    }
    if view.name == "calls-empty" { try await browser.click("#clear") }
    try await browser.evaluate("(location.hash = '#/\(hash)')")
    try await browser.wait(for: view.isReady)
    // Drawn, and the images loaded. A busy browser may draw no frame of a page that doesn't change.
    _ = try await browser.settle(
      """
      Promise.race([
        new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done("")))),
        new Promise((done) => setTimeout(() => done(""), 1000)),
      ])
      """)
  }
}

extension Inspector {
  /// Runs a test with the inspector's page and a browser, which end after it.
  @MainActor func use(_ body: (_ browser: HeadlessBrowser, _ address: String) async throws -> Void)
    async throws
  {
    let address = try await serve()
    try await run {
      try await HeadlessBrowser.use { try await body($0, address) }
    } finally: {
      await stop()
    }
  }
}

import EstateApp
import Foundation
import Testing

/// The app's pages in a headless browser, with a server, for one test.
@MainActor struct BrowserPages {
  let server: RunningServer
  let pages: RunningPages
  let browser: HeadlessBrowser

  /// The address of the pages, without a path.
  var origin: String { "http://127.0.0.1:\(pages.port)" }

  /// A page by its name, with what leads to its state.
  struct Page: Sendable {
    let name: String
    let path: String
    /// Lines that are typed in the app's terminal before the page is loaded.
    var lines: [String] = []
    /// Lines that undo those.
    var afterwards: [String] = []
    /// Whether a member looks at it.
    var needsLogin = false
  }

  /// Every kind of page; those of members come last.
  nonisolated static let all = [
    Page(name: "welcome", path: "/"),
    Page(name: "homes", path: "/browse"),
    Page(name: "homes-filtered", path: "/browse?kind=condo&max=150000&beds=2"),
    Page(name: "homes-none", path: "/browse?city=NOWHERE"),
    Page(name: "listings", path: "/listings/condo"),
    Page(name: "overview", path: "/overview"),
    Page(name: "home", path: "/home/42"),
    Page(name: "condo", path: "/home/7"),
    Page(name: "comparison", path: "/compare?homes=1,42,7,100000"),
    Page(name: "settings", path: "/settings"),
    Page(name: "addresses", path: "/settings/network"),
    Page(name: "help", path: "/about"),
    Page(name: "login", path: "/login"),
    Page(name: "missing", path: "/home/100000"),
    Page(name: "unknown", path: "/hoem/42"),
    Page(
      name: "stored", path: "/home/42",
      lines: ["estate://home/42", "estate://settings/network/offline", "estate://home/42"],
      afterwards: ["estate://settings/network/online"]),
    Page(
      name: "offline", path: "/listings/multi?page=2", lines: ["estate://settings/network/offline"],
      afterwards: ["estate://settings/network/online"]),
    Page(
      name: "favourites", path: "/favourites",
      lines: ["estate://favourites/add/42", "estate://favourites/add/7"], needsLogin: true),
    Page(
      name: "favourites-waiting", path: "/favourites",
      lines: ["estate://settings/network/offline", "estate://favourites/add/77", "estate://favourites"],
      afterwards: ["estate://settings/network/online"], needsLogin: true),
    Page(name: "activity", path: "/settings/activity", needsLogin: true),
  ]

  /// Runs a test with a server, the pages and a browser, which end after it.
  static func use(
    _ listings: String? = nil, _ body: (BrowserPages) async throws -> Void
  ) async throws {
    try await RunningPages.use(listings, hasQueues: true) { server, pages in
      try await HeadlessBrowser.use { browser in
        try await body(BrowserPages(server: server, pages: pages, browser: browser))
      }
    }
  }

  /// Loads a page in the state that it is named for, and undoes the state afterwards.
  func visit(_ page: Page, _ body: () async throws -> Void) async throws {
    if page.needsLogin, pages.shell.memberName == nil { try await logIn() }
    for line in page.lines { await pages.type(line) }
    try await browser.load(origin + page.path)
    try await body()
    for line in page.afterwards { await pages.type(line) }
  }

  /// Logs in by the form.
  func logIn() async throws {
    try await browser.load(origin + "/login")
    try await browser.click("#user")
    try await browser.type("demo")
    try await browser.press(.tab)
    try await browser.type("open-house")
    try await browser.press(.enter)
    try await browser.wait(for: "document.querySelector('.account span')?.textContent === 'demo'")
  }
}

import EstateApp
import HTTPServing
import Switchyard
import Testing

@testable import EstateWeb

@Suite("The app in a browser", .timeLimit(.minutes(5)))
@MainActor struct WebServerTests {
  @Test(
    "G5: A form opens a screen of a module that knows no browser, with a page for each entry and a way back"
  )
  func walk() async throws {
    try await RunningPages.use { _, pages in
      let empty = try await pages.get("/")
      #expect(empty.status == 200 && empty.html.contains("<a href=\"/browse?kind=condo\">Condos</a>"))
      let list = try await pages.post("/open", "url=estate%3A%2F%2Flistings%2Fhouse%3Fcity%3DSACRAMENTO")
      #expect(list.title?.hasPrefix("Houses in Sacramento: page 1") == true)
      #expect(list.cards.count == 10 && list.html.contains("Map of 10 homes"))
      let home = try await pages.post("/open", "url=estate://home/42")
      #expect(home.title?.hasPrefix("Home #42") == true)
      #expect(home.lines.contains { $0.contains("a month") })
      #expect(home.html.contains("<a href=\"/listings/house?city=SACRAMENTO\">Houses in Sacramento"))
      // The browser's own back button requests the older page, which changes nothing in the app.
      let older = try await pages.get("/entry/1")
      #expect(older.title == list.title && older.html.contains("Return to this screen"))
      #expect(try await pages.get("/listings/house?city=SACRAMENTO").html == older.html)
      #expect(try await pages.get("/").title == home.title)
      let returned = try await pages.post("/return", "entry=1")
      #expect(returned.title == list.title && !returned.html.contains("Return to this screen"))
      #expect(try await pages.get("/entry/2").status == 404)
      let bottom = try await pages.post("/back", "")
      #expect(bottom.title == list.title)
      #expect(
        bottom.notice == "There is no screen below the current one; replace it with another root instead.")
      #expect(try await pages.get("/").notice == nil)
    }
  }

  @Test("Each path is a route: it is opened, shown again on a reload, and an error has a way to try again")
  func addresses() async throws {
    try await RunningPages.use { _, pages in
      let home = try await pages.get("/home/42", site: "none")
      #expect(home.status == 200 && home.title == "Home #42, Sacramento 95822")
      #expect(try await pages.get("/home/42").title == home.title)
      #expect(pages.shell.navigator.state.top?.id.number == 1)
      let homes = try await pages.get("/browse?kind=condo&city=&max=150000&beds=", site: "same-origin")
      #expect(homes.title == "Condos up to $150,000")
      var bytes = homes.html.utf8.count
      for asset in ["css", "js"] { bytes += try await pages.get("/assets/estate.\(asset)").html.utf8.count }
      #expect(bytes < 60_000, "a page with its stylesheet and its script has \(bytes) bytes")
      for (path, status) in [("/home/100000", 404), ("/hoem/1", 404), ("/listings/house?page=30", 502)] {
        let missing = try await pages.get(path, site: "none")
        #expect(missing.status == status && missing.html.contains("<a class=\"button\" href=\"\(path)\">Try"))
      }
      for path in ["/logout", "/listings/next", "/favourites/add/1"] {
        #expect(try await pages.get(path, site: "none").status == 404, "\(path)")
      }
      // A page of another site, or of another port, opens only what is open to it.
      for site in ["cross-site", "same-site", nil] {
        #expect(try await pages.get("/home/7", site: site).status == 404)
        #expect(try await pages.get("/home/7", referrer: "http://127.0.0.1:1/", site: site).status == 404)
      }
      // A link on the page of an older screen returns to that screen first.
      let other = try await pages.get("/home/8", referrer: "http://127.0.0.1:\(pages.port)/home/42")
      #expect(other.title?.hasPrefix("Home #8") == true)
      #expect(pages.shell.navigator.state.entries.count == 2)
    }
  }

  @Test("A filter replaces the list and its address, the next page is added, and a reload keeps both")
  func filter() async throws {
    try await RunningPages.use { _, pages in
      #expect(try await pages.get("/browse", site: "none").cards.count == 10)
      let galt = try await pages.post(
        "/form", "route=estate%3A%2F%2Fbrowse%2Ffilter&route.kind=house&route.city=GALT&route.max=&from=1")
      #expect(galt.title == "Houses in Galt" && galt.html.contains("value=\"Galt\""))
      let more = try await pages.post("/open", "url=estate://browse/more&from=1")
      #expect(more.cards.count == 20 && Set(more.cards).isSuperset(of: galt.cards))
      #expect(try await pages.get("/browse?city=GALT").cards == more.cards)
      #expect(pages.shell.navigator.state.count == 1)
    }
  }

  @Test("A step taken in the terminal is an event on each open stream, and the streams stay open")
  func events() async throws {
    try await RunningPages.use { _, pages in
      let first = try await pages.get("/home/42", site: "none")
      let version = try #require(first.html.firstMatch(of: /data-version="(\d+)"/).map { String($0.1) })
      let streams = [
        try ServerSentEvents(try await pages.events("after=\(version)")),
        try ServerSentEvents(try await pages.events("after=\(version)")),
      ]
      #expect(pages.openStreams == 2)
      var (one, other) = (streams[0].makeAsyncIterator(), streams[1].makeAsyncIterator())
      for home in [7, 42] {
        await pages.type("estate://home/\(home)")
        // The opening and the end of the step are one event or two.
        while let event = try await one.next(), !event.data.contains("\"/home/\(home)\"") {}
        while let event = try await other.next(), !event.data.contains("\"/home/\(home)\"") {}
      }
      #expect(streams[0].retry == .milliseconds(250))
      // A page that has lost its connection continues after the last event that it received.
      let last = try #require(Int(streams[0].lastEventID))
      await pages.type("estate://home/7")
      let again = try ServerSentEvents(try await pages.events("after=\(last)"))
      var events = again.makeAsyncIterator()
      #expect(try await events.next()?.data.contains("\"/home/7\"") == true)
      #expect(try await pages.get("/events?after=1000&run=another").html.contains("event: restart\ndata:\n"))
    }
  }

  @Test("Pages on a port that is taken fail with an error that names it")
  func portInUse() async throws {
    try await RunningPages.use { server, pages in
      let error = await #expect(throws: ServingError.self) {
        try await RunningPages(server, port: pages.port)
      }
      #expect(error == .portTaken(pages.port))
      let page = try await pages.get("/")
      #expect(page.status == 200)
    }
  }

  @Test("The app's help is found by its links")
  func help() async throws {
    try await RunningPages.use { _, pages in
      let about = try await pages.post("/open", "url=estate://about")
      #expect(about.lines.first == "Homes around Sacramento, and what a loan for them costs.")
      #expect(about.html.contains("/link?url=estate%3A%2F%2Fhelp%2Foffers"))
      let topic = try await pages.follow("/link?url=estate%3A%2F%2Fhelp%2Foffers")
      #expect(topic.title == "Are these homes for sale?")
      #expect(try await pages.follow("/link?url=estate%3A%2F%2Ftopics%2Flogin").title == topic.title)
      #expect(try await pages.post("/open", "url=estate://about/sources").title == "Sources")
    }
  }

  @Test("A service's answer, an error and a web page are shown")
  func answers() async throws {
    try await RunningPages.use { _, pages in
      let quote = try await pages.post("/open", "url=estate://mortgage/quote%3Fprice=300000")
      #expect(quote.notice?.contains("MortgageQuote(loan: 240000") == true)
      let unknown = try await pages.post("/open", "url=estate://hoem/42%3Cscript%3E")
      #expect(unknown.notice?.isEmpty == false && !unknown.html.contains("<script>"))
      let help = try await pages.post("/open", "url=https://api.estate.test/help.html")
      #expect(help.title == "Estate help")
      let next = try await pages.follow("/link?url=https%3A%2F%2Fapi.estate.test%2Fhelp.html%3Fa&from=1")
      #expect(next.title == "Estate help")
    }
  }

  @Test("F16: The login form comes before the favourites, and a refusal is reported")
  func login() async throws {
    try await RunningPages.use { _, pages in
      let door = try await pages.get("/favourites", site: "none")
      #expect(door.location == "/login")
      #expect(try await pages.get("/login").html.contains("action=\"/login\""))
      let refused = try await pages.post("/back", "")
      #expect(refused.notice?.contains("members") == true && refused.title == "Find a home around Sacramento")
      #expect(try await pages.post("/open", "url=estate://favourites/add/7").title == "Login")
      let added = try await pages.post("/login", "user=demo&password=open-house")
      #expect(added.notice == "added, 1 in all")
      let favourites = try await pages.get("/favourites", site: "none")
      #expect(favourites.title == "Favourites" && favourites.cards == [7])
      #expect(!favourites.html.contains("open-house"))
      let again = try await pages.post("/login", "user=demo&password=guess")
      #expect(again.notice == "The login is no longer open.")
    }
  }

  @Test("A login that the user leaves for another page is over, and one that is done returns to the page")
  func leftLogin() async throws {
    try await RunningPages.use { _, pages in
      #expect(try await pages.get("/favourites", site: "none").location == "/login")
      #expect(try await pages.get("/home/7", site: "none").title?.hasPrefix("Home #7") == true)
      #expect(try await pages.post("/open", "url=estate://login").title == "Login")
      let home = try await pages.post("/login", "user=demo&password=open-house")
      #expect(home.title?.hasPrefix("Home #7") == true && home.html.contains("<span>demo</span>"))
    }
  }

  @Test("F5: A link on a page reaches only routes exposed to that page")
  func links() async throws {
    try await RunningPages.use { _, pages in
      let home = try await pages.follow("/link?url=estate%3A%2F%2Fhome%2F7")
      #expect(home.title?.hasPrefix("Home #7") == true)
      for (url, referrer) in [
        ("estate://logout", nil), ("estate://listings/next", nil),
        ("estate://home/8", "https://evil.example/a"),
        ("estate://home/8", "https://127.0.0.1.evil.example/"), ("estate://home/8", "nonsense"),
      ] as [(String, String?)] {
        let refused = try await pages.follow("/link?url=\(url)", referrer: referrer)
        #expect(refused.title == home.title, "\(url) \(referrer ?? "")")
        #expect(refused.notice?.contains("No route matches") == true)
      }
      let bare = try await pages.get("/link?url=estate://home/8")
      #expect(bare.status == 303)
      #expect(try await pages.get("/").title == home.title)
      #expect(try await pages.get("/link").status == 400)
      // A link on a web page has the rights of that page's host.
      let help = try await pages.post("/open", "url=https://api.estate.test/help.html")
      #expect(help.title == "Estate help" && help.html.contains("<a href=\"/home/7\">"))
      #expect(try await pages.follow("/link?url=estate://home/9&from=2").title?.hasPrefix("Home #9") == true)
      #expect(
        try await pages.follow("/link?url=estate://settings&from=2").notice?.contains("No route matches")
          == true)
    }
  }

  @Test(
    "Other sites can't use the pages: forms need the token, the host must be this machine, no script runs"
  )
  func foreignSites() async throws {
    try await RunningPages.use { _, pages in
      for form in ["url=estate://home/1", "url=estate://home/1&token=", "url=estate://home/1&token=token-2"] {
        let answer = try await pages.submit("/open", form)
        #expect(answer.status == 403 && answer.title?.contains("not from a page of the app") == true)
      }
      #expect(try await pages.get("/").title == "Find a home around Sacramento")
      #expect(try await pages.get("/", host: "rebound.example").status == 421)
      #expect(try await pages.get("/", host: "localhost").status == 200)
      #expect(try await pages.get("/open?url=estate://home/1&token=token-1").status == 404)
      #expect(try await pages.submit("/open", "url=" + String(repeating: "a", count: 40_000)).status == 413)
      for path in ["/entry/0", "/entry/x", "/entry/99999999999999999999", "/nowhere", "/assets/x"] {
        #expect(try await pages.get(path).status == 404, "\(path)")
      }
      let page = try await pages.get("/")
      #expect(page.fields[.contentSecurityPolicy]?.hasPrefix("default-src 'none'") == true)
      #expect(page.fields[.cacheControl] == "no-store")
    }
  }
}

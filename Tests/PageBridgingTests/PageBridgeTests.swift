import Mediation
import MediationFixtures
import PageBridging
import RouteRedirects
import SwitchyardTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct PageBridgeTests {
  private struct Broken: Error {}

  private static func mediator(
    _ journal: Journal, guards: [any RouteGuard] = [], redirects: RedirectTables? = nil,
    quote: @escaping @Sendable (QuoteRoute, RouteContext) async throws -> Int = { route, _ in route.id * 1000
    }
  ) throws -> Mediator {
    let module = TestModule { table in
      table.action(QuoteRoute.self) { route, context in
        journal.note("quote \(route.id) \(route.note ?? "-") opener=\(context.opener ?? "-")")
        return try await quote(route, context)
      }
      table.action(UnlistedRoute.self) { _, _ in
        journal.note("unlisted")
        return 1
      }
      table.action(InnerRoute.self) { _, _ in journal.note("inner") }
      table.action(ShareRoute.self) { _, _ in journal.note("share") }
      table.action(MapRoute.self) { route, _ in route.transform("map") }
    }
    return try Mediator(
      schemes: ["estate"], modules: [module], guards: guards, observers: [journal],
      web: RouteFallback { url, _ in journal.note("web \(url.text)") },
      notFound: RouteFallback { url, _ in journal.note("none \(url.text)") }, redirector: redirects)
  }

  private static func bridge(
    _ mediator: Mediator, _ page: Page, url: String = "https://estate.example/offers?x=1",
    limits: PageCallLimits = PageCallLimits()
  ) throws -> PageBridge {
    try PageBridge(
      mediator: mediator, page: url,
      methods: [
        PageMethod("quote", QuoteRoute.self), PageMethod("inner", InnerRoute.self),
        PageMethod("share", ShareRoute.self),
      ], limits: limits, send: page.take)
  }

  @Test("F20: a page calls a listed route by name or URL, and gets the result under its id")
  func success() async throws {
    let journal = Journal()
    let page = Page()
    let bridge = try Self.bridge(try Self.mediator(journal), page)
    try bridge.receive(PageCall(id: "1", method: "quote", parameters: ["id": "3", "note": "a&b/ü"]))
    #expect(try await page.last("1") == .success(.int(3000)))
    try bridge.receive(PageCall(id: "2", url: "estate://quote/4"))
    #expect(try await page.last("2") == .success(.int(4000)))
    try bridge.receive(PageCall(id: "3", method: "share"))
    #expect(try await page.last("3") == .success(.null))
    #expect(page.replies.count == 3)
    #expect(bridge.count == 0)
    #expect(
      journal.lines.filter { $0.hasPrefix("quote") } == [
        "quote 3 a&b/ü opener=https://estate.example/offers?x=1",
        "quote 4 - opener=https://estate.example/offers?x=1",
      ])
  }

  @Test(
    "F20: unknown, unlisted, unexposed, native and foreign routes look the same to the page, and no fallback runs",
    arguments: [
      .url("estate://nowhere"), .url("estate://unlisted/1"), .url("estate://unlisted/x"),
      .url("estate://unlisted"),
      .url("estate://inner"), .url("https://estate.example/a"), .url("other://quote/1"),
      .url("estate://MapRoute"),
      .method("inner", parameters: [:]), .method("nativeMap", parameters: [:]),
      .method("unlisted", parameters: [:]),
      .method("QuoteRoute", parameters: ["id": "1"]),
    ] as [PageCall.Target])
  func refused(_ target: PageCall.Target) async throws {
    let journal = Journal()
    let page = Page()
    let bridge = try Self.bridge(try Self.mediator(journal), page)
    let call =
      switch target {
      case .url(let url): PageCall(id: "1", url: url)
      case .method(let name, let parameters): PageCall(id: "1", method: name, parameters: parameters)
      }
    try bridge.receive(call)
    #expect(try await page.last("1") == .failure(.notFound))
    #expect(journal.lines.count == 1 && journal.lines[0].hasPrefix("failed"))
  }

  @Test("F20: a page of another host cannot call any route")
  func otherHost() async throws {
    let journal = Journal()
    let page = Page()
    let bridge = try Self.bridge(try Self.mediator(journal), page, url: "https://evil.example/estate.example")
    try bridge.receive(PageCall(id: "1", method: "quote", parameters: ["id": "3"]))
    #expect(try await page.last("1") == .failure(.notFound))
    #expect(!journal.lines.contains { $0.hasPrefix("quote") })
  }

  @Test(
    "F20: only an https page on the default port can have a bridge",
    arguments: [
      "http://estate.example/", "https://estate.example:8443/", "file:///x", "estate://estate.example/",
      "https://estate.example@evil.example:1/", "https://user@estate.example/", "about:blank", "",
    ])
  func insecure(_ url: String) throws {
    let mediator = try Self.mediator(Journal())
    #expect(throws: PageBridgeError.insecurePage) { try Self.bridge(mediator, Page(), url: url) }
  }

  @Test("A method or a route that is listed twice is refused")
  func listedTwice() throws {
    let mediator = try Self.mediator(Journal())
    for second in [PageMethod("quote", ShareRoute.self), PageMethod("other", QuoteRoute.self)] {
      #expect(throws: PageBridgeError.method(second.name)) {
        try PageBridge(
          mediator: mediator, page: "https://estate.example",
          methods: [PageMethod("quote", QuoteRoute.self), second]
        ) { _ in }
      }
    }
  }

  @Test("F20: an id in progress is refused, and its call gets exactly one final reply")
  func uniqueIDs() async throws {
    let page = Page()
    let gate = Gate()
    let mediator = try Self.mediator(Journal()) { route, _ in
      await gate.wait()
      return route.id
    }
    let bridge = try Self.bridge(mediator, page)
    try bridge.receive(PageCall(id: "1", url: "estate://quote/1"))
    #expect(throws: PageBridgeError.duplicateID) {
      try bridge.receive(PageCall(id: "1", url: "estate://quote/2"))
    }
    gate.open()
    #expect(try await page.last("1") == .success(.int(1)))
    #expect(page.replies.count == 1)
    try await waitUntil("no call is in flight") { bridge.count == 0 }
    try bridge.receive(PageCall(id: "1", url: "estate://quote/3"))
    try await waitUntil("the page has two replies") { page.replies.count == 2 }
    #expect(page.replies.last == PageReply(id: "1", event: .success(.int(3))))
  }

  @Test("F20: progress replies precede the final reply, and nothing follows it")
  func progress() async throws {
    struct Secret: Sendable {}
    let page = Page()
    let step = Gate()
    let leak = Mutex<RouteContext?>(nil)
    let mediator = try Self.mediator(Journal()) { route, context in
      leak.withLock { $0 = context }
      context.report(0.25)
      context.report(Secret())
      await step.wait()
      context.report("half")
      return route.id
    }
    let bridge = try Self.bridge(mediator, page)
    try bridge.receive(PageCall(id: "1", url: "estate://quote/1"))
    try await waitUntil("the page has a reply") { page.replies.count == 1 }
    #expect(page.replies == [PageReply(id: "1", event: .progress(.double(0.25)))])
    step.open()
    #expect(try await page.last("1") == .success(.int(1)))
    leak.withLock { $0?.report(2) }
    #expect(
      page.replies.map(\.event) == [.progress(.double(0.25)), .progress(.string("half")), .success(.int(1))])
  }

  @Test(
    "F20: a failure reveals only what a page may know",
    arguments: [
      (.url("estate://quote/0"), PageFailure.failed), (.url("estate://quote/-1"), .dismissed),
      (.url("estate://quote/-2"), .cancelled), (.url("estate://quote/13"), .rejected),
      (.url("no url"), .malformed), (.url("estate://quote/%FF"), .malformed),
      (.method("quote", parameters: [:]), .parameter),
      (.method("quote", parameters: ["id": "x"]), .parameter),
      (.method("quote", parameters: ["id": "1", "style": "root"]), .parameter),
      (.url("estate://quote/1?note=a&note=b"), .parameter),
    ] as [(PageCall.Target, PageFailure)])
  func failure(_ target: PageCall.Target, _ expected: PageFailure) async throws {
    let page = Page()
    let guards = [
      TestGuard("luck") { target, _ in target.parameters["id"] == "13" ? .reject("secret reason") : .proceed }
    ]
    let mediator = try Self.mediator(Journal(), guards: guards) { route, _ in
      switch route.id {
      case 0: throw Broken()
      case -1: throw RouteError.dismissed
      case -2: throw CancellationError()
      default: return 1
      }
    }
    let bridge = try Self.bridge(mediator, page)
    let call =
      switch target {
      case .url(let url): PageCall(id: "1", url: url)
      case .method(let name, let parameters): PageCall(id: "1", method: name, parameters: parameters)
      }
    try bridge.receive(call)
    #expect(try await page.last("1") == .failure(expected))
    #expect(page.replies.count == 1)
  }

  @Test("F20: neither a guard nor a redirect table can lead a page off its list")
  func redirects() async throws {
    let journal = Journal()
    let page = Page()
    let guards = [
      TestGuard("away") { target, _ in
        target.parameters["id"] == "1" && target.name == "QuoteRoute"
          ? .redirect("estate://unlisted/1") : .proceed
      }
    ]
    let redirects = RedirectTables(.unsigned())
    let mediator = try Self.mediator(journal, guards: guards, redirects: redirects)
    try redirects.apply(
      RedirectTable(
        version: 1,
        rules: [
          .redirect("estate://quote/2", to: "estate://unlisted/2"),
          .redirect("estate://old/{id:int}", to: "estate://quote/{id:int}"),
        ]))
    let bridge = try Self.bridge(mediator, page)
    for id in 1...2 { try bridge.receive(PageCall(id: "\(id)", url: "estate://quote/\(id)")) }
    for id in 1...2 { #expect(try await page.last("\(id)") == .failure(.notFound)) }
    #expect(!journal.lines.contains("unlisted"))
    try bridge.receive(PageCall(id: "3", url: "estate://old/3"))
    #expect(try await page.last("3") == .success(.int(3000)))
  }

  @Test("F20: a route that forwards a URL of the page does not lend it permissions")
  func forwarding() async throws {
    let journal = Journal()
    let page = Page()
    let mediator = try Self.mediator(journal) { route, context in
      try await context.forward(route.note ?? "")
      return route.id
    }
    let bridge = try Self.bridge(mediator, page)
    for (id, url) in [("1", "estate://unlisted/1"), ("2", "estate://inner"), ("3", "estate://share")] {
      try bridge.receive(PageCall(id: id, method: "quote", parameters: ["id": id, "note": url]))
    }
    #expect(try await page.last("1") == .failure(.failed))
    #expect(try await page.last("2") == .failure(.failed))
    #expect(try await page.last("3") == .success(.int(3)))
    #expect(!journal.lines.contains("unlisted") && !journal.lines.contains("inner"))
  }

  @Test(
    "F20: when the page is gone, its calls are cancelled and no reply is sent", arguments: [true, false])
  func gone(_ isClosed: Bool) async throws {
    let journal = Journal()
    let page = Page()
    let begun = Gate()
    let mediator = try Self.mediator(journal) { _, context in
      begun.open()
      await Gate.cancelled()
      journal.note("ended cancelled=\(Task.isCancelled)")
      context.report(1)
      return 1
    }
    var bridge: PageBridge? = try Self.bridge(mediator, page)
    try bridge?.receive(PageCall(id: "1", url: "estate://quote/1"))
    await begun.wait()
    if isClosed {
      bridge?.close()
      #expect(throws: PageBridgeError.closed) {
        try bridge?.receive(PageCall(id: "2", url: "estate://quote/2"))
      }
      #expect(bridge?.count == 0)
    }
    bridge = nil
    try await waitUntil("the call is answered or has failed") {
      journal.lines.contains { $0.hasPrefix("answered") || $0.hasPrefix("failed") }
    }
    #expect(journal.lines.contains("ended cancelled=true"))
    #expect(page.replies == [])
  }

  @Test("F20: the number of calls in progress, ids and sizes are limited")
  func limits() async throws {
    let page = Page()
    let gate = Gate()
    let mediator = try Self.mediator(Journal()) { route, _ in
      await gate.wait()
      return route.id
    }
    let bridge = try Self.bridge(mediator, page, limits: PageCallLimits(calls: 2, id: 3, size: 30))
    for id in ["a", "b"] { try bridge.receive(PageCall(id: id, url: "estate://quote/1")) }
    try bridge.receive(PageCall(id: "c", url: "estate://quote/1"))
    #expect(try await page.last("c") == .failure(.busy))
    for id in ["", "long"] {
      #expect(throws: PageBridgeError.illegalID) {
        try bridge.receive(PageCall(id: id, url: "estate://quote/1"))
      }
    }
    gate.open()
    #expect(try await page.last("a") == .success(.int(1)))
    #expect(try await page.last("b") == .success(.int(1)))
    try await waitUntil("no call is in flight") { bridge.count == 0 }
    let long = String(repeating: "x", count: 1_000_000)
    try bridge.receive(PageCall(id: "d", url: "estate://quote/1?note=" + long))
    #expect(try await page.last("d") == .failure(.tooLarge))
    try bridge.receive(PageCall(id: "e", method: "quote", parameters: ["id": "1", "note": long]))
    #expect(try await page.last("e") == .failure(.tooLarge))
  }

  @Test("Many concurrent calls end once each, with their replies in order")
  func concurrent() async throws {
    let page = Page()
    let mediator = try Self.mediator(Journal()) { route, context in
      for step in 1...3 {
        context.report(step)
        await Task.yield()
      }
      if route.id % 7 == 0 { throw Broken() }
      return route.id
    }
    let bridge = try Self.bridge(mediator, page, limits: PageCallLimits(calls: 500))
    await withTaskGroup(of: Void.self) { group in
      for id in 1...300 {
        group.addTask { try? bridge.receive(PageCall(id: "\(id)", url: "estate://quote/\(id)")) }
      }
    }
    try await waitUntil("no call is in flight") { bridge.count == 0 }
    try await waitUntil("the page has 300 replies") { page.replies.count { !Self.isProgress($0) } == 300 }
    for (id, replies) in Dictionary(grouping: page.replies, by: \.id) {
      let number = Int(id) ?? 0
      #expect(replies.last?.event == (number % 7 == 0 ? .failure(.failed) : .success(.int(number))))
      #expect(replies.dropLast().allSatisfy(Self.isProgress))
      let steps = replies.dropLast().map { String(describing: $0.event) }
      #expect(steps == steps.sorted())
    }
  }

  private static func isProgress(_ reply: PageReply) -> Bool {
    if case .progress = reply.event { true } else { false }
  }

  @Test("A call made while a reply is sent gets its reply after that one")
  func nested() async throws {
    let page = Page()
    let mediator = try Self.mediator(Journal())
    let again = Mutex<PageBridge?>(nil)
    let bridge = try PageBridge(
      mediator: mediator, page: "https://estate.example/", methods: [PageMethod("quote", QuoteRoute.self)]
    ) { reply in
      page.take(reply)
      let bridge = again.withLock { $0.take() }
      try? bridge?.receive(PageCall(id: "2", url: "estate://nowhere"))
    }
    again.withLock { $0 = bridge }
    try bridge.receive(PageCall(id: "1", url: "estate://quote/1"))
    #expect(try await page.last("2") == .failure(.notFound))
    #expect(page.replies.map(\.id) == ["1", "2"])
  }
}

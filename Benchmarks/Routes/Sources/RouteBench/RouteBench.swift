import AllocationCounting
import Foundation
import Measuring
import Mediation
import RouteRedirects

/// Measures route lookups next to Hummingbird's router and Foundation's URLs, in one process.
@main
struct RouteBench {
  private var outcomes: [Outcome] = []
  private let routes: GitHubRoutes
  private let rounds: Int

  @concurrent static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let file = arguments.first(where: { !$0.hasPrefix("--") }) else {
      print("usage: RouteBench [--quick] FILE, each line a method and a path such as /users/:user")
      exit(64)
    }
    var bench = RouteBench(
      routes: try GitHubRoutes(file: file), rounds: arguments.contains("--quick") ? 30 : 300)
    try await bench.lookUps()
    // Before the large table, whose hundred thousand types slow down the runtime's type lookups.
    try bench.tables()
    try bench.redirects()
    try await bench.screens()
    try bench.large()
    for outcome in bench.outcomes { print(outcome) }
    if bench.outcomes.contains(where: { $0.verdict == .miss }) { exit(1) }
  }

  private init(routes: GitHubRoutes, rounds: Int) {
    self.routes = routes
    self.rounds = rounds
  }

  private mutating func add(
    _ name: String, _ unit: Measuring.Unit, _ bar: Bar?, _ ours: Double, _ peer: Double? = nil
  ) {
    outcomes.append(Outcome(Figure(name, unit, bar: bar), .measured(ours: ours, peer: peer)))
  }

  /// Measures the list's own table: parsing, lookup, heap blocks, and the peers with the same URLs.
  @concurrent private mutating func lookUps() async throws {
    let paths = routes.paths(routes.paths.count)
    let mediator = try NumberedRoutes.mediator(paths.map { GitHubRoutes.pattern($0) })
    var values = Values()
    let peerPaths = paths.map { "/" + GitHubRoutes.substituted($0, &values) }
    let urls = peerPaths.map { "api:/" + $0 }
    for (path, url) in zip(paths, urls) {
      let pattern = GitHubRoutes.pattern(path)
      guard mediator.lookUp(url)?.pattern.text == pattern else {
        throw Trouble(description: "\(url) does not match \(pattern)")
      }
    }

    let peer = HummingbirdPeer(paths, requests: peerPaths)
    if let number = await peer.wrongAnswer() {
      throw Trouble(description: "Hummingbird does not route \(peerPaths[number]) to route \(number)")
    }

    // A pass is much shorter than a time slice, so that even on a busy machine some passes are not
    // interrupted.
    let passes = 10
    let count = passes * urls.count
    var sum = 0
    // Interleaved, so that a busy moment affects all of them.
    var ours = Double.infinity
    var parse = Double.infinity
    var theirs = Double.infinity
    var withoutTree = Double.infinity
    var foundation = Double.infinity
    var value = Double.infinity
    for _ in 0..<rounds {
      ours = min(
        ours,
        Stopwatch.nanoseconds(count, rounds: 1) {
          sum &+= Self.lookUps(urls, passes, mediator)
        })
      parse = min(
        parse,
        Stopwatch.nanoseconds(count, rounds: 1) {
          sum &+= Self.scans(urls, passes)
        })
      theirs = min(theirs, await Stopwatch.nanoseconds(urls.count) { await peer.answer() })
      withoutTree = min(
        withoutTree, await Stopwatch.nanoseconds(urls.count) { await peer.answerWithoutTree() })
      foundation = min(
        foundation,
        Stopwatch.nanoseconds(urls.count, rounds: 1) {
          for url in urls { Stopwatch.keep(URL(string: url)) }
        })
      value = min(
        value,
        Stopwatch.nanoseconds(urls.count, rounds: 1) {
          for url in urls { Stopwatch.keep(try? RouteURL(url)) }
        })
    }
    let before = allocation_count()
    sum &+= Self.lookUps(urls, passes, mediator)
    let blocks = Double(allocation_count() - before) / Double(count)
    Stopwatch.keep(sum)

    add("routes.parse.vs-foundation", .nanoseconds, .atMost(80), parse, foundation)
    add("routes.url-value.vs-foundation", .nanoseconds, nil, value, foundation)
    add("routes.look-up", .nanoseconds, .atMost(100), ours)
    add("routes.look-up.vs-hummingbird", .nanoseconds, .ratioAtMost(0.1), ours, theirs - withoutTree)
    add("routes.look-up.heap-blocks", .blocks, .atMost(0), blocks)
    small = ours
  }

  /// The time of a lookup in the list's own table.
  private var small = Double.infinity

  /// Looks up each URL, through a span, which saves the loop reference counting.
  @inline(never)
  private static func lookUps(_ urls: [String], _ passes: Int, _ mediator: Mediator) -> Int {
    var sum = 0
    let span = urls.span
    for _ in 0..<passes {
      for index in span.indices { sum &+= mediator.lookUp(span[index]) == nil ? 0 : 1 }
    }
    return sum
  }

  /// Scans each URL.
  @inline(never)
  private static func scans(_ urls: [String], _ passes: Int) -> Int {
    var sum = 0
    let span = urls.span
    for _ in 0..<passes {
      for index in span.indices { sum &+= RouteURL.isReadable(span[index]) ? 1 : 0 }
    }
    return sum
  }

  /// Measures lookups in a table of a hundred thousand routes.
  private mutating func large() throws {
    let paths = routes.paths(100_000)
    let mediator = try NumberedRoutes.mediator(paths.map { GitHubRoutes.pattern($0) })
    var values = Values()
    let all = paths.map { "api://" + GitHubRoutes.substituted($0, &values) }.shuffled(using: &values)
    for (name, urls, bar) in [
      ("routes.look-up.100k", Array(all.prefix(routes.paths.count)), Bar.ratioAtMost(3)),
      ("routes.look-up.100k.10k-urls", Array(all.prefix(10_000)), nil),
    ] {
      var sum = 0
      let passes = max(1, 2_000 / urls.count)
      let time = Stopwatch.nanoseconds(passes * urls.count, rounds: rounds) {
        sum &+= Self.lookUps(urls, passes, mediator)
      }
      Stopwatch.keep(sum)
      add(name, .nanoseconds, bar, time, small)
    }
  }

  /// Measures building and checking a table.
  private mutating func tables() throws {
    for (name, count, bar) in [("routes.table.1k", 1000, 5.0), ("routes.table.10k", 10_000, 200)] {
      let patterns = routes.paths(count).map { GitHubRoutes.pattern($0) }
      // The first build instantiates the types, which exist already in a real program.
      Stopwatch.keep(try NumberedRoutes.mediator(patterns))
      let time = try Stopwatch.nanoseconds(1, rounds: max(3, rounds / 30)) {
        Stopwatch.keep(try NumberedRoutes.mediator(patterns))
      }
      add(name, .milliseconds, .atMost(bar), time / 1e6)
    }
  }

  /// Measures checking and applying a redirect table with a rule for each route of the list.
  private mutating func redirects() throws {
    let paths = routes.paths(routes.paths.count)
    let host = "moved.example"
    let redirects = RedirectTables(.unsigned(webHosts: [host]))
    Stopwatch.keep(
      try NumberedRoutes.mediator(
        paths.map { GitHubRoutes.pattern($0) }, redirector: redirects, web: RouteFallback { _, _ in }))
    let rules = paths.map { path in
      RedirectRule.redirect(
        GitHubRoutes.pattern(path), to: GitHubRoutes.pattern(path, under: "https://\(host)/"))
    }
    var version = 0
    let time = try Stopwatch.nanoseconds(1, rounds: max(3, rounds / 10)) {
      version += 1
      try redirects.apply(RedirectTable(version: version, rules: rules))
    }
    guard redirects.version == version else {
      throw Trouble(description: "The redirect table was not applied")
    }
    add("routes.redirects.apply", .milliseconds, nil, time / 1e6)
  }

  /// Measures transitions of the navigation, and opening a screen, with five aspects and without any.
  private mutating func screens() async throws {
    let rounds = rounds
    let (transitions, openings) = try await Self.screens(rounds)
    add("routes.screens.transition", .nanoseconds, nil, transitions.bare)
    add("routes.screens.transition.aspects", .nanoseconds, nil, transitions.aspects, transitions.bare)
    add("routes.screens.open", .nanoseconds, nil, openings.bare)
    add("routes.screens.open.aspects", .nanoseconds, nil, openings.aspects, openings.bare)
  }

  /// The times without aspects and with five.
  private typealias Pair = (bare: Double, aspects: Double)

  @MainActor private static func screens(
    _ rounds: Int
  ) async throws -> (transitions: Pair, openings: Pair) {
    let bare = try ScreenTransitions(aspects: 0)
    let around = try ScreenTransitions(aspects: 5)
    var transitions = Pair(.infinity, .infinity)
    var openings = Pair(.infinity, .infinity)
    for _ in 0..<rounds {
      transitions.bare = min(transitions.bare, try bare.transition())
      transitions.aspects = min(transitions.aspects, try around.transition())
      openings.bare = min(openings.bare, try await bare.opening())
      openings.aspects = min(openings.aspects, try await around.opening())
    }
    guard around.isComplete(after: rounds) else {
      throw Trouble(description: "The aspects did not receive every event")
    }
    return (transitions, openings)
  }

  /// An error that invalidates the measurements.
  private struct Trouble: Error, CustomStringConvertible { let description: String }
}

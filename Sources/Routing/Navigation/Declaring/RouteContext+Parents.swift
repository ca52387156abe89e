import Mediation

extension RouteContext {
  /// Returns the parents of a route that a link opened, so that the user can go back from its screen; nil if
  /// there are none, or if the call did not come from a link.
  ///
  /// - Throws: `NavigationError` for a mistake in the code of the app, before anything is shown.
  @MainActor func parents(of route: some Route) throws -> ParentStack? {
    switch origin {
    // The user comes from a screen of the app, to which the way back leads.
    case .native, .external(.web): return nil
    case .external: break
    }
    // A restored navigation has its own entries for the parents.
    guard let navigator = self[NavigatorKey.self], PendingScreens.of(navigator, self) == nil else {
      return nil
    }
    if route.parents.isEmpty { return nil }
    let parents = try ParentChain(of: route) { try Mediator.url(of: $0) }.parents
    for parent in parents where mediator.routeNeeds(NavigatorKey.self, url: parent.url) != true {
      throw NavigationError.parentWithoutScreen(parent.name, of: String(describing: type(of: route)))
    }
    return ParentStack(parents, navigator, self)
  }
}

/// The parents of a screen that a link opens, as far as they are shown or made.
///
/// If some of them are shown, the highest of those is revealed, and only the ones above it are shown.
@MainActor struct ParentStack {
  private let parents: [ParentChain.Parent]
  private let navigator: Navigator
  private let context: RouteContext
  /// The screens that were made, by the index of the parent; an inner nil for a parent that is left out.
  private var prepared: [Int: PreparedScreen?] = [:]
  /// The names of the aspects that were overdue.
  private var overdueAspects: Set<String> = []

  init(_ parents: [ParentChain.Parent], _ navigator: Navigator, _ context: RouteContext) {
    self.parents = parents
    self.navigator = navigator
    self.context = context
  }

  /// The highest parent that is shown now, with its entry.
  var highestShown: (index: Int, entry: EntryID)? {
    let shown = navigator.shownIdentities(by: context.mediator)
    for index in parents.indices.reversed() {
      let screen = prepared[index] ?? nil
      // A guard or a redirect table may have led to another screen than the parent's.
      let identities = [parents[index].identity] + (screen?.identities ?? [])
      if let entry = identities.lazy.compactMap({ shown[$0] }).first { return (index, entry) }
      if let instance = screen?.instance, let entry = navigator.entry(showing: instance) {
        return (index, entry)
      }
    }
    return nil
  }

  /// The lowest parent that would have to be shown now and is not made yet.
  var lowestMissing: Int? {
    let first = highestShown.map { $0.index + 1 } ?? 0
    return (first..<parents.count).first { prepared[$0] == nil }
  }

  /// The screens to show now, the lowest first, without those that have ended by themselves.
  var screensToShow: [PreparedScreen] {
    let first = highestShown.map { $0.index + 1 } ?? 0
    return (first..<parents.count).compactMap { prepared[$0] ?? nil }.filter {
      !navigator.isEnded($0.entry.id)
    }
  }

  /// Makes the screen of a parent; one that a guard or an aspect refuses is left out.
  ///
  /// - Throws: The error of a parent that cannot be opened for another reason; nothing must be shown then.
  mutating func prepare(_ index: Int) async throws {
    let pending = PendingScreens(for: navigator, overdueAspects: overdueAspects)
    defer { pending.close() }
    do throws(RouteError) {
      try await context.open(parents[index].url, preparing: pending)
    } catch {
      if let screen = pending.take() { navigator.discard(screen.entry.id) }
      switch error {
      case .rejected, .overdue: break
      case .failed(let cause as ScreenAspectError, _) where cause.isRefusal: break
      default: throw error
      }
    }
    overdueAspects = pending.overdueAspects
    prepared[index] = .some(pending.take())
  }

  /// Forgets the completions of the screens that were made, whether they are shown now or not needed.
  func discard() {
    for case let screen? in prepared.values { navigator.discard(screen.entry.id) }
  }
}

/// The screens below a route's own screen: its parents, the parents of those, and so on.
struct ParentChain {
  /// The maximum number of screens below one screen.
  static let limit = 16

  /// A parent, by its URL.
  struct Parent: Sendable, Hashable {
    let url: RouteURL
    let identity: RouteIdentity
    /// The name of the route's type.
    let name: String

    init(_ route: some Route, _ url: RouteURL) {
      self.url = url
      identity = RouteIdentity(route) ?? RouteIdentity(unrouted: url.text)
      name = ParentChain.name(of: route)
    }
  }

  /// The parents, the lowest first, each once.
  private(set) var parents: [Parent] = []

  /// Collects the parents of a route.
  ///
  /// - Parameter url: Returns the URL of a route.
  /// - Throws: The error of a URL; a ``NavigationError`` if the parents form a cycle or are too many, because
  ///   they are values that code computes and so have no natural end.
  init(of route: some Route, _ url: (any Route) throws -> RouteURL) throws {
    if route.parents.isEmpty { return }
    // A route that only an alias can name has no URL of its own; the limit then ends a cycle.
    try collect(route, [(try? url(route), Self.name(of: route))], url)
  }

  private static func name(of route: some Route) -> String { String(describing: type(of: route)) }

  /// Adds the parents of the last route of a trail, which leads from the shown route to one of its parents.
  private mutating func collect(
    _ route: some Route, _ trail: [(url: RouteURL?, name: String)],
    _ url: (any Route) throws -> RouteURL
  ) throws {
    for next in route.parents {
      let parent = Parent(next, try url(next))
      let names = trail.map(\.name) + [parent.name]
      if trail.contains(where: { $0.url == parent.url }) { throw NavigationError.parentCycle(names) }
      if parents.contains(where: { $0.url == parent.url }) { continue }
      // The trail begins with the route itself.
      if max(trail.count, parents.count + 1) > Self.limit {
        throw NavigationError.tooManyParents(names, limit: Self.limit)
      }
      try collect(next, trail + [(parent.url, parent.name)], url)
      parents.append(parent)
    }
  }
}

import Synchronization

/// A call on its way to a route: its caller, where it goes next, and where it has been.
struct CallState {
  var caller: Caller
  var destination: Destination
  /// The redirector's rules when the call began; the call keeps them, even if they change meanwhile.
  let rules: (any RedirectSnapshot)?
  /// The URLs and names that the call was redirected from.
  private(set) var trail: [String] = []

  init(_ destination: Destination, _ caller: Caller, rules: (any RedirectSnapshot)?) {
    self.destination = destination
    self.caller = caller
    self.rules = rules
  }

  /// Continues at another URL.
  mutating func redirect(to url: String, from label: String) {
    trail.append(label)
    destination = .text(url)
    // The attachment is meant for the route that the caller addressed.
    caller.attachment = nil
  }
}

/// Where a call goes next.
enum Destination {
  /// A URL that was not read yet.
  case text(String)
  /// A URL that was not read yet, and that must be one which the source can send.
  case link(String, LinkSource)
  /// A URL that conforms to the profile.
  case url(RouteURL)
  /// A route that is known already.
  case target(RouteTarget)

  /// The URL of the destination, if it has one.
  var text: String? {
    switch self {
    case .text(let text), .link(let text, _): text
    case .url(let url): url.text
    case .target(let target): target.place.url?.text
    }
  }

  /// The name of the route, if it is known.
  var name: String? {
    if case .target(let target) = self { target.route.name } else { nil }
  }

  /// The URL, if it was read.
  var url: RouteURL? {
    switch self {
    case .text, .link: nil
    case .url(let url): url
    case .target(let target): target.place.url
    }
  }
}

/// The route found for a call, with its value.
struct RouteTarget: Sendable {
  let route: RegisteredRoute
  let value: any Sendable
  let place: CallPlace
  /// The pattern of the URL; nil for a native route.
  let pattern: RoutePattern?

  var summary: RouteSummary { RouteSummary(route: route, place: place, matched: pattern) }
}

/// Where code runs or a call goes, for contexts, guards and observers.
enum CallPlace: Sendable {
  case url(RouteURL)
  /// A route that was called by value.
  case value(CalledRoute)
  /// A name for what has no URL, such as a native route.
  case name(String)

  var url: RouteURL? {
    switch self {
    case .url(let url): url
    case .value(let route): route.url
    case .name: nil
    }
  }

  /// The URL, including the query, or the name.
  var label: String {
    switch self {
    case .url(let url): url.text
    case .value(let route): route.url?.text ?? route.name
    case .name(let name): name
    }
  }
}

/// A route that was called by value.
///
/// Its URL is written when it is first asked for. A call needs it if the mediator has observers or redirect
/// rules, and if a guard or the route's code asks for it, as every screen does.
final class CalledRoute: Sendable {
  let name: String
  private let route: any Route
  /// The outer nil until the URL was asked for; the inner one if no URL can carry the route's values.
  private let written = Mutex<RouteURL??>(nil)

  init(_ route: some Route, name: String) {
    self.route = route
    self.name = name
  }

  var url: RouteURL? {
    if let url = written.withLock({ $0 }) { return url }
    // Not under the lock, because the route's own code writes the URL.
    let url = try? Mediator.url(of: route)
    written.withLock { $0 = .some(url) }
    return url
  }
}

/// The origin of a call and what the caller expects.
struct Caller: Sendable {
  let origin: Origin
  /// The code whose context was used, or the web page.
  var opener: CallPlace?
  let wantsResult: Bool
  /// The types of the only routes that may answer; nil if exposure alone decides.
  ///
  /// No fallback runs for a caller with such a list.
  var allowed: Set<ObjectIdentifier>?
  /// Receives what the route's code reports while it runs.
  var progress: ProgressForwarder?
  /// What the caller attached to the call, for the addressed route only.
  var attachment: (any Sendable)?
  /// What receives the screens of the call in place of the user; unlike an attachment it is kept by
  /// redirects.
  var preparation: (any AnyObject & Sendable)?
  /// The measurement that the time of the route does not count towards.
  var ownTime: OwnTime?
}

extension Caller {
  /// Returns code of the app that belongs to no module.
  static func app(
    wantsResult: Bool, progress: (@Sendable (any Sendable) -> Void)? = nil,
    attachment: (any Sendable)? = nil
  ) -> Caller {
    Caller(
      origin: .native(module: nil), wantsResult: wantsResult,
      progress: progress.map { ProgressForwarder($0) },
      attachment: attachment)
  }
}

/// Passes progress reports of a route's code to the caller until the call ends.
final class ProgressForwarder: Sendable {
  private let hasEnded = Atomic(false)
  private let receive: @Sendable (any Sendable) -> Void

  init(_ receive: @escaping @Sendable (any Sendable) -> Void) { self.receive = receive }

  func report(_ value: any Sendable) {
    if !hasEnded.load(ordering: .acquiring) { receive(value) }
  }

  /// Ends the forwarding; later reports are discarded.
  func end() { hasEnded.store(true, ordering: .releasing) }
}

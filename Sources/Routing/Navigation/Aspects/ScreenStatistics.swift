/// Reports which screens are seen and for how long, without parameters of their routes.
///
/// It passes an ``Entry`` for each life-cycle event of a screen to a closure, for example to record it in an
/// `ActivityLog`. Returning to a screen is another event of the same visit, so visits are counted by
/// ``ScreenEvent/Kind/entered`` alone.
///
/// ```swift
/// let (entries, continuation) = AsyncStream.makeStream(of: ScreenStatistics.Entry.self)
/// let aspects = try ScreenAspects([ScreenStatistics { continuation.yield($0) }])
/// Task {
///   for await entry in entries { print(entry.name, entry.route ?? "-", entry.milliseconds) }
/// }
/// ```
public struct ScreenStatistics: ScreenAspect {
  /// What is reported of an event.
  public struct Entry: Sendable, Hashable {
    /// What happened to the screen.
    public let kind: ScreenEvent.Kind
    /// The name of the route's type, or its pattern; nil for a screen without a route, such as a web page.
    public let route: String?
    /// The module that declares the route.
    public let module: String?
    /// The route that opened the screen; nil if the app's own code or a link did.
    public let opener: String?
    /// How long the screen has been seen in the foreground so far, in milliseconds.
    public let milliseconds: Int64
    /// Whether the screen was restored from a saved navigation.
    public let isRestored: Bool

    /// The event's name for a log, such as `screen.entered`.
    public var name: String { "screen.\(kind)" }

    init(_ event: ScreenEvent) {
      kind = event.kind
      route = event.visit.route
      module = event.visit.module
      opener = event.visit.openerRoute
      isRestored = event.visit.isRestored
      let (seconds, attoseconds) = event.timeOnScreen.components
      let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
      milliseconds = overflow ? .max : whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000).0
    }
  }

  /// Observation.
  public let stage = AspectStage.observation
  private let record: @MainActor @Sendable (Entry) -> Void

  /// Creates statistics.
  ///
  /// - Parameter record: Receives the entries in the order of the events; it must return promptly.
  public init(_ record: @escaping @MainActor @Sendable (Entry) -> Void) { self.record = record }

  /// Reports the event.
  public func observe(_ event: ScreenEvent) { record(Entry(event)) }
}

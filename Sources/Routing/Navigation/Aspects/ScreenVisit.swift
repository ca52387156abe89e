/// One entry of the navigation as aspects see it: what is shown, whose it is, and where the user comes from.
public struct ScreenVisit: Sendable, Hashable {
  /// The entry, with its identity, its URL and its opener.
  ///
  /// URLs include their queries, which may be private; ``route`` contains no parameters.
  public let entry: NavigationEntry
  /// The route without its parameters: the name of its type, or its pattern if no type declares it.
  ///
  /// Nil for a screen of a fallback and one that was shown without a route.
  public let route: String?
  /// The opener's route, in the same form; nil if no route of the app opened the screen.
  package let openerRoute: String?
  /// The module that declares the route or the fallback; nil for the app's own fallbacks and screens.
  public let module: String?
  /// Whether the screen is restored from a saved navigation.
  public let isRestored: Bool
  /// The type of the route, if there is one.
  let type: ObjectIdentifier?

  /// Creates a visit.
  package init(
    _ entry: NavigationEntry, route: String? = nil, openerRoute: String? = nil, module: String? = nil,
    isRestored: Bool = false, type: ObjectIdentifier? = nil
  ) {
    self.entry = entry
    self.route = route
    self.openerRoute = openerRoute
    self.module = module
    self.isRestored = isRestored
    self.type = type
  }
}

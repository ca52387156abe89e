extension RouteTable {
  /// Adds guards to every route of the module, including routes declared earlier.
  ///
  /// They run after the app's guards and before a route's own. Use them for a condition that all of a
  /// module's routes share. They do not apply to fallbacks.
  public mutating func guarded(by guards: any RouteGuard...) {
    moduleGuards += guards
  }
}

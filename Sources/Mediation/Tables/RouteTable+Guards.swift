extension RouteTable {
  /// Puts guards before every route of the module, those declared earlier included.
  ///
  /// They are asked after the guards of the whole app and before a route's own. Choose them for a condition
  /// that all of a module's routes share; a fallback is not guarded.
  public mutating func guarded(by guards: any RouteGuard...) {
    moduleGuards += guards
  }
}

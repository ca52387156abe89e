/// A value that a module declares for another part of the app, such as an aspect for the navigator.
package struct ModuleContribution: Sendable {
  /// Where it was declared.
  package let place: RouteTable.Place
  /// The value, whose type its receiver knows.
  package let value: any Sendable
  /// What the environment must hold.
  let needs: [any RouteEnvironmentKey.Type]
}

/// A value of the environment that checks what modules declare for it and follows the app's life cycle, such
/// as the navigator.
package protocol MediatorFollower: Sendable {
  /// Returns the faults in what the modules declare, and in what the follower expects of them.
  ///
  /// - Parameters:
  ///   - contributions: The declarations of all modules, in launch order, also those for other followers.
  ///   - modules: The names of all modules.
  ///   - routes: The modules of all routes, by the routes' types.
  func faults(
    in contributions: [ModuleContribution], of modules: [String], routes: [ObjectIdentifier: String]
  ) -> [RouteTableIssue.Fault]
  /// Follows a life-cycle event, before any module's listener; must return promptly.
  func follow(_ event: LifecycleEvent) async
}

extension Mediator {
  /// What a module declares for other parts of the app, in declaration order.
  package func contributions(of module: String) -> [ModuleContribution] {
    registry.modules.contributions[module] ?? []
  }
}

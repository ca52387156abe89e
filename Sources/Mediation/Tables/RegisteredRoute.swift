/// A route of the finished table: its declaration, and all guards that a call of it passes.
///
/// A class, so that passing it to a call's code, guards and observers costs one retain.
final class RegisteredRoute: Sendable {
  let declaration: RouteDeclaration
  /// The guards of the app, of the module and of the route, in the order in which they decide.
  let guards: [any RouteGuard]

  init(_ declaration: RouteDeclaration, otherGuards: [any RouteGuard]) {
    self.declaration = declaration
    guards = otherGuards + declaration.guards
  }

  var name: String { declaration.place.name }
  var module: String { declaration.place.module }
  var pattern: RoutePattern? { declaration.pattern }
  var exposure: Exposure? { declaration.exposure }

  /// Whether a caller may open the route by a URL.
  func admits(_ origin: Origin) -> Bool { declaration.exposure?.admits(origin, module: module) == true }
}

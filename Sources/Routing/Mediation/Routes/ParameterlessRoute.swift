/// A route whose pattern has no placeholders.
///
/// It supplies the two members that would be empty.
public protocol ParameterlessRoute: Route {
  /// Creates the route.
  init()
}

extension ParameterlessRoute {
  /// Creates the route; there is nothing to read.
  public init(from input: RouteInput) throws(RouteError) { self.init() }
  /// Writes nothing.
  public func write(to output: inout RouteOutput) {}
}

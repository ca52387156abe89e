/// Renders the navigation, for example in a terminal, a window or a web page.
///
/// A host makes no decisions. Gestures that leave a screen are passed to the navigator as commands (`.pop`
/// for a back gesture). The navigator retains its host, so a host must reference its navigator weakly.
@MainActor
public protocol NavigationHost: AnyObject {
  /// Shows the state; a host that animates uses the changes, any other renders the top of the state.
  ///
  /// The method returns immediately: a host whose transitions take time starts one and enqueues further
  /// updates itself. Only one render runs at a time. A command performed during a render changes the state
  /// immediately and is rendered afterwards; the changes of several such commands arrive in one update, in
  /// order.
  func render(_ update: NavigationUpdate)
}

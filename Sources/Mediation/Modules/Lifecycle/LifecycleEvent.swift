/// An event of the whole app that modules can handle.
public enum LifecycleEvent: Sendable, Hashable {
  /// The app has started.
  case launch
  /// The app has become visible to the user.
  case foreground
  /// The app is no longer visible to the user.
  case background
  /// Memory is low. Providers declared `untilMemoryWarning` are released after the modules have handled the
  /// event.
  case memoryWarning
  /// A link has arrived; `Mediator.receive` opens it, this event only informs modules that count links or
  /// prepare for them.
  case link(String, from: LinkSource)
  /// The user has logged out.
  case logout

  /// An event's kind, without its associated values.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The app has started.
    case launch
    /// The app has become visible to the user.
    case foreground
    /// The app is no longer visible to the user.
    case background
    /// Memory is low.
    case memoryWarning
    /// A link has arrived.
    case link
    /// The user has logged out.
    case logout

    /// Whether modules receive the event before the modules they need.
    ///
    /// True for `background`, `memoryWarning` and `logout`: what a module needs is still available while it
    /// cleans up.
    package var isReversed: Bool {
      switch self {
      case .background, .memoryWarning, .logout: true
      case .launch, .foreground, .link: false
      }
    }
  }

  /// The kind of the event.
  public var kind: Kind {
    switch self {
    case .launch: .launch
    case .foreground: .foreground
    case .background: .background
    case .memoryWarning: .memoryWarning
    case .link: .link
    case .logout: .logout
    }
  }
}

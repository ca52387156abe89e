/// Something that happens to the whole app and concerns its modules.
public enum LifecycleEvent: Sendable, Hashable {
  /// The app has started.
  case launch
  /// The user sees the app.
  case foreground
  /// The user no longer sees the app.
  case background
  /// Memory is short; targets declared `untilMemoryWarning` are released once the modules have dealt with it.
  case memoryWarning
  /// A link came in; it is opened by `Mediator.receive`, this only tells who counts or prepares.
  case link(String, from: LinkSource)
  /// The user has logged out.
  case logout

  /// An event without what it carries, to ask for it.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The app has started.
    case launch
    /// The user sees the app.
    case foreground
    /// The user no longer sees the app.
    case background
    /// Memory is short.
    case memoryWarning
    /// A link came in.
    case link
    /// The user has logged out.
    case logout

    /// Whether modules are told before those they need.
    ///
    /// So it is with what ends something (`background`, `memoryWarning`, `logout`): while a module tidies up,
    /// what it needs still stands.
    public var isReversed: Bool {
      switch self {
      case .background, .memoryWarning, .logout: true
      case .launch, .foreground, .link: false
      }
    }
  }

  /// What kind of event it is.
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

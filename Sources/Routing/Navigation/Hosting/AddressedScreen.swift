import Mediation

/// A screen that knows a URL that shows it again, other than the one it was opened with.
///
/// Use it for a screen that is called by value although a URL exists for it, such as a web page, so that it
/// can be restored. A screen that was opened by URL does not need it.
@MainActor
public protocol AddressedScreen: Screen {
  /// The URL that shows this screen again.
  var address: String { get }
}

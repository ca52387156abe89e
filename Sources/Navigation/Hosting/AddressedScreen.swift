/// A screen that knows a URL which shows it again, other than the one that led to it.
///
/// Choose it for a screen that is asked for by value although a URL says the same, such as the page of a web
/// address: so it can be restored. A screen that a URL led to needs it not.
@MainActor
public protocol AddressedScreen: Screen {
  /// The URL that shows this again.
  var address: String { get }
}

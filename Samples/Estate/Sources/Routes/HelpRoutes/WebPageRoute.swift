public import Mediation

/// The screen of a web page; the app's fallback for http and https URLs.
///
/// It takes a value and has no pattern, so that no URL of the app can choose the page.
public struct WebPageRoute: NativeRoute, Hashable {
  /// The page's URL.
  public var url: String

  /// Creates a route to a page.
  public init(url: String) { self.url = url }
}

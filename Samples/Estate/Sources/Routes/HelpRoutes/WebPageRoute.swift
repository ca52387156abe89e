public import Mediation

/// The screen of a page of the web; the app's fallback for every http and https URL.
///
/// It takes a value, not a URL's parameter, so that no URL can choose the page.
public struct WebPageRoute: NativeRoute, Hashable {
  /// The page's URL.
  public var url: String

  /// Makes a route to a page.
  public init(url: String) { self.url = url }
}

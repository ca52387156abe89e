/// A result or a progress value that can be sent to a web page.
///
/// Conform the outputs of routes that pages may call, and no type with data that a page must not see.
public protocol PageRepresentable: Sendable {
  /// The value that the page receives.
  var pageValue: PageValue { get }
}

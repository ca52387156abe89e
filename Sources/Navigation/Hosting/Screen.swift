/// What a module shows for a route, in a form that the app's host can render.
///
/// The protocol requires only what every host needs. An app refines it with what its own host needs (lines of
/// text for a terminal, a view controller for UIKit), its modules conform to the refinement, and the host
/// casts to it with `as?`.
@MainActor
public protocol Screen: Sendable {
  /// The title, for a navigation bar or a list.
  var title: String { get }
}

import Mediation

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

/// The parameters of one call that shows a screen.
struct ScreenParameters: Sendable {
  /// The name of the entry: its URL or the name of the route.
  let name: String
  let url: String?
  let opener: String?
  let style: Presentation
  let wantsResult: Bool
  /// What the call stands for; nil for a route that no URL can carry.
  let identity: RouteIdentity?
  let context: RouteContext

  init(_ context: RouteContext, name: String, identity: RouteIdentity?, style: Presentation) {
    url = context.url?.text
    self.name = url ?? name
    opener = context.opener
    self.style = style
    wantsResult = context.wantsResult
    self.identity = identity
    self.context = context
  }

  init(_ unrouted: UnroutedURL, _ context: RouteContext, style: Presentation) {
    name = unrouted.text
    url = unrouted.text
    opener = context.opener
    self.style = style
    wantsResult = false
    identity = RouteIdentity(unrouted: unrouted.text)
    self.context = context
  }

  /// Returns the screen of the call with its entry.
  @MainActor func prepared(
    _ screen: any Screen, _ id: EntryID, instance: (any Screen & AnyObject)?
  ) -> PreparedScreen {
    let address = (screen as? any AddressedScreen)?.address
    return PreparedScreen(
      screen: screen, entry: NavigationEntry(id: id, name: name, url: address ?? url, opener: opener),
      identities: Set([identity, address.map(context.mediator.identity)].compactMap(\.self)), style: style,
      instance: instance)
  }
}

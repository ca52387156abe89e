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
  /// The name of the route's type, or its pattern if it has none; nil for a fallback.
  let route: String?
  /// The route's type, if it has one.
  let type: ObjectIdentifier?

  init(
    _ context: RouteContext, name: String, type: ObjectIdentifier? = nil, identity: RouteIdentity?,
    style: Presentation
  ) {
    url = context.url?.text
    self.name = url ?? name
    route = name
    self.type = type
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
    route = nil
    type = nil
  }

  /// Returns the entry of the call's screen as aspects see it.
  @MainActor func visit(_ screen: any Screen, _ id: EntryID, isRestored: Bool) -> ScreenVisit {
    let address = (screen as? any AddressedScreen)?.address
    return ScreenVisit(
      NavigationEntry(id: id, name: name, url: address ?? url, opener: opener), route: route,
      openerRoute: context.openerRoute, module: context.module, isRestored: isRestored, type: type)
  }

  /// Returns what the screen stands for.
  @MainActor func identities(of screen: any Screen) -> Set<RouteIdentity> {
    let address = (screen as? any AddressedScreen)?.address
    return Set([identity, address.map(context.mediator.identity)].compactMap(\.self))
  }
}

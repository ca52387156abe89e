import Mediation

/// The parameters of one call that shows a screen.
struct ScreenParameters: Sendable {
  /// The name of the entry: its URL or the name of the route.
  let name: String
  let url: String?
  let opener: String?
  let style: Presentation
  let wantsResult: Bool

  init(_ context: RouteContext, name: String, style: Presentation) {
    url = context.url?.text
    self.name = url ?? name
    opener = context.opener
    self.style = style
    wantsResult = context.wantsResult
  }

  init(_ unrouted: UnroutedURL, _ context: RouteContext, style: Presentation) {
    name = unrouted.text
    url = unrouted.text
    opener = context.opener
    self.style = style
    wantsResult = false
  }

  @MainActor func entry(_ id: EntryID, showing screen: any Screen) -> NavigationEntry {
    NavigationEntry(id: id, name: name, url: (screen as? any AddressedScreen)?.address ?? url, opener: opener)
  }
}

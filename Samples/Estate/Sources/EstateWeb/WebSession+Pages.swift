import AccountRoutes
import EstateApp
import Screens
import Switchyard

extension WebSession {
  /// Returns the page of a screen, or of the top screen; `nil` if the screen is not open.
  func page(_ number: Int? = nil) -> ScreenPage? {
    let state = shell.navigator.state
    let top = state.top?.id.number
    let shown = number ?? top
    if let shown, state.entry(EntryID(shown)) == nil { return nil }
    let entry = shown.flatMap { state.entry(EntryID($0)) }
    let isLogin = entry.map { LoginRoute.pattern.matches($0.name) } ?? false
    var content = entry.map(content) ?? Self.welcome
    content.address = content.address ?? entry?.url
    return ScreenPage(
      content: content, number: shown, steps: steps(state.currentStack), isTop: shown == top,
      asksForLogin: isLogin && shown == top && prompt.isAsking, messages: takeMessages(), token: token,
      member: shell.memberName, version: changes.value, run: run)
  }

  /// Returns a page with a message instead of a screen.
  ///
  /// - Parameter action: What the user can do about it.
  func page(saying message: String, title: String = "This is not possible", action: ScreenAction? = nil)
    -> ScreenPage
  {
    let content = ScreenContent(
      title: title, blocks: [.failure(message, action: action)],
      actions: [.show("All homes", "estate://browse")])
    return ScreenPage(
      content: content, number: nil, steps: [], isTop: true, asksForLogin: false, messages: takeMessages(),
      token: token, member: shell.memberName, version: changes.value, run: run)
  }

  var currentPath: String { shell.navigator.state.top.map(path) ?? "/" }

  /// Returns the number of the open screen that a URL shows, the one nearest to the top.
  func entry(showing url: String) -> Int? {
    let state = shell.navigator.state
    let all = state.entries.reversed()
    let top = state.top.map { [$0] } ?? []
    return (top + all).first { address(of: $0) == url }?.id.number
  }

  /// The host of the server that the content of an open screen is from; `nil` for the app's own.
  func contentHost(ofEntry number: Int?) -> String? {
    guard let entry = number.flatMap({ shell.navigator.state.entry(EntryID($0)) }),
      case .external(.web(let host)) = content(of: entry).origin
    else { return nil }
    return host
  }

  /// The host of the page that a link is on: for a web page or content of a server its own host, otherwise
  /// that of the app's pages.
  func host(ofEntry number: Int?) -> String {
    if let host = contentHost(ofEntry: number) { return host }
    guard let url = number.flatMap({ shell.navigator.state.entry(EntryID($0)) })?.url,
      url.hasPrefix("https://") || url.hasPrefix("http://")
    else { return Self.pageHost }
    let authority = url.drop { $0 != "/" }.dropFirst(2).prefix { !"/?#".contains($0) }
    return String(authority.prefix { $0 != ":" })
  }

  private static let welcome = ScreenContent(
    title: "Find a home around Sacramento",
    blocks: [
      .text("932 real sales, and what a loan for each of them costs. Begin with a kind of home."),
      .cards(
        [
          kind(1, "Houses", "with a garden of their own", .house, "estate://browse"),
          kind(2, "Condos", "in buildings with neighbours", .condo, "estate://browse?kind=condo"),
          kind(3, "Multi-family houses", "in a row", .multiFamily, "estate://browse?kind=multi"),
        ]),
    ],
    actions: [
      .show("The cheapest", "estate://overview"), .show("Compare three", "estate://compare?homes=1,42,7"),
    ])

  private static func kind(
    _ number: Int, _ title: String, _ fact: String, _ picture: HomePicture.Kind, _ route: String
  ) -> Card {
    Card(
      id: "\(number)", title: title, facts: [Fact(title, fact)],
      picture: AppBlock(HomePicture(picture, home: 40 + number, squareFeet: 1_800, beds: 3)), route: route)
  }

  private func content(of entry: NavigationEntry) -> ScreenContent {
    let screen = host.update?.screen(entry.id)
    return (screen as? any ContentScreen)?.content
      ?? ScreenContent(
        title: screen?.title ?? entry.name, blocks: [.text("This screen has no content for a page.")])
  }

  private func steps(_ stack: [NavigationEntry]) -> [ScreenPage.Step] {
    stack.map { ScreenPage.Step(path: path(of: $0), title: content(of: $0).title) }
  }

  private func address(of entry: NavigationEntry) -> String? { content(of: entry).address ?? entry.url }

  /// The path of a screen's page: its URL, or its number if its URL is not one of the app's own.
  private func path(of entry: NavigationEntry) -> String {
    address(of: entry).flatMap(WebAddress.path) ?? "/entry/\(entry.id.number)"
  }
}

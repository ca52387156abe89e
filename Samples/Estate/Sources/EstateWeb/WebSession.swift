import Account
import AccountRoutes
public import EstateApp
import Mediation
import Navigation
import Screens
import TerminalScreens

/// Performs the browser's requests in the app, and makes the pages to show.
@MainActor public final class WebSession {
  /// The host of the app's own pages, as a source of links.
  static let pageHost = "127.0.0.1"
  private static let noticeLimit = 5

  /// Proves that a form comes from a page of this app; pages of other sites can post forms here as well.
  let token: String
  /// The documents whose scripts may call the app.
  let documents: WebDocuments
  private let shell: EstateShell
  private let host: WebHost
  private let prompt: WebPrompt
  private var running = 0
  private var notices: [String] = []
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Creates the session of the one user.
  ///
  /// - Parameters:
  ///   - shell: The app, created with this host and this prompt.
  ///   - token: A secret that its pages carry; by default 128 random bits.
  public init(
    _ shell: EstateShell, host: WebHost, prompt: WebPrompt, token: String = WebSession.randomToken()
  ) {
    self.shell = shell
    self.host = host
    self.prompt = prompt
    self.token = token
    documents = WebDocuments(mediator: shell.mediator)
    prompt.onAsking = { [weak self] in self?.wake() }
  }

  /// Returns a token of 128 random bits.
  nonisolated public static func randomToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return String(generator.next() as UInt64, radix: 16) + "-" + String(generator.next() as UInt64, radix: 16)
  }

  /// Opens a URL that the user typed or chose in the menu, with the rights of the app's own code.
  func open(_ url: String) async {
    await perform { shell in
      await shell.attempt(url) { mediator in
        let answer = try await mediator.open(url, returning: (any Sendable).self)
        return answer is Void ? nil : "\(answer)"
      }
    }
  }

  /// Follows a link on a page, with the rights of pages of its host.
  func follow(_ url: String, fromPageOf host: String) async {
    await perform { shell in
      await shell.attempt("\(url)  — a link of a page of \(host)") { mediator in
        try await mediator.receive(url, from: .web(host: host))
        return nil
      }
    }
  }

  /// The host of the page that a link is on: for a web page its own host, otherwise that of the app's pages.
  func host(ofEntry number: Int?) -> String {
    guard let url = number.flatMap({ shell.navigator.state.entry(EntryID($0)) })?.url,
      url.hasPrefix("https://") || url.hasPrefix("http://")
    else { return Self.pageHost }
    let authority = url.drop { $0 != "/" }.dropFirst(2).prefix { !"/?#".contains($0) }
    return String(authority.prefix { $0 != ":" })
  }

  /// Goes back, or cancels the login.
  func back() async {
    if prompt.isAsking {
      prompt.answer(nil)
    } else {
      command(.pop)
    }
    await settled()
  }

  /// Goes back to a screen further down the stack.
  func goBack(to number: Int) { command(.reveal(EntryID(number))) }

  /// Shows the screens of a tab.
  func select(tab: String) { command(.select(tab: tab)) }

  /// Passes what was typed to the login.
  func logIn(user: String, password: String) async {
    if !prompt.isAsking { note("The login is no longer open.") }
    prompt.answer(user.isEmpty ? nil : Credentials(user: user, password: password))
    await settled()
  }

  /// Returns the page of a screen, or of the top screen; `nil` if the screen is not open.
  func page(_ number: Int? = nil) -> ScreenPage? {
    let state = shell.navigator.state
    let top = state.top?.id.number
    let shown = number ?? top
    if let shown, state.entry(EntryID(shown)) == nil { return nil }
    let screen = shown.flatMap { host.update?.screen(EntryID($0)) }
    let steps = state.currentStack.map { entry in
      ScreenPage.Step(number: entry.id.number, title: host.update?.screen(entry.id)?.title ?? entry.name)
    }
    let isLogin = shown.flatMap { state.entry(EntryID($0)) }?.name == LoginRoute.pattern.text
    defer { notices = [] }
    return ScreenPage(
      title: screen?.title ?? "Estate",
      lines: lines(of: screen), number: shown, steps: steps, isTop: shown == top,
      asksForLogin: isLogin && shown == top && prompt.isAsking, notices: notices, token: token,
      tabs: tabs)
  }

  private var tabs: [ScreenPage.Tab] {
    let state = shell.navigator.state
    return state.tabs.enumerated().map { index, tab in
      ScreenPage.Tab(name: tab.name, count: tab.stack.count, isSelected: index == state.selectedIndex)
    }
  }

  /// Returns a page with a message instead of a screen.
  func page(saying message: String) -> ScreenPage {
    ScreenPage(
      title: message, lines: [], number: nil, steps: [], isTop: false, asksForLogin: false, notices: [],
      token: token)
  }

  /// The path of the top screen's page.
  var currentPath: String { shell.navigator.state.top.map { "/entry/\($0.id.number)" } ?? "/" }

  /// Opens the links that waited, because pages are served now.
  func begin() { shell.ready() }

  /// Ends all waiting for the user, so that the server can stop; links wait from now on.
  public func end() {
    shell.hold()
    documents.close()
    prompt.answer(nil)
  }

  private func lines(of screen: (any Screen)?) -> [String] {
    guard let screen else { return ["Choose something above, or type a URL such as estate://home/42."] }
    return (screen as? any ContentScreen).map { TerminalText($0.content).lines } ?? [
      "This screen has no text to show on a page."
    ]
  }

  private func command(_ command: NavigationCommand) {
    do throws(NavigationError) {
      try shell.navigator.perform(command)
    } catch {
      note(error.description)
    }
  }

  private func note(_ text: String) {
    notices.append(text)
    notices = notices.suffix(Self.noticeLimit)
  }

  /// Runs an action and returns when it has ended or waits for the user.
  private func perform(_ action: @escaping @MainActor (EstateShell) async -> Attempt) async {
    running += 1
    Task {
      let attempt = await action(shell)
      if let text = attempt.text { note(text) }
      running -= 1
      wake()
    }
    await settled()
  }

  /// Waits until nothing runs, or until the login prompt waits: what led to the login ends only after it.
  private func settled() async {
    while running > 0, !prompt.isAsking {
      await withCheckedContinuation { waiters.append($0) }
    }
  }

  private func wake() {
    let all = waiters
    waiters = []
    for waiter in all { waiter.resume() }
  }
}

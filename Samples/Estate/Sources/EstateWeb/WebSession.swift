import Account
import AccountRoutes
package import EstateApp
import Switchyard

/// Performs the browser's requests in the app, and knows which screen each address shows.
@MainActor package final class WebSession {
  /// The host of the app's own pages, as a source of links.
  nonisolated static let pageHost = "127.0.0.1"
  private static let messageLimit = 5

  /// Proves that a form comes from a page of this app; pages of other sites can post forms here as well.
  let token: String
  /// Identifies this run of the app, for pages that are open over a restart.
  let run = KeptToken.random()
  /// The documents whose scripts may call the app.
  let documents: WebDocuments
  let changes = ChangeCount()
  /// The streams by which pages learn of those changes.
  nonisolated let events: EventStreams
  let shell: EstateShell
  let host: WebHost
  let prompt: WebPrompt
  /// The port of the web site's pages; `nil` if there are none.
  var guidePort: UInt16?
  private var running = 0
  private var messages: [ScreenPage.Message] = []
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Creates the session of the one user.
  ///
  /// - Parameters:
  ///   - shell: The app, created with this host and this prompt.
  ///   - token: A secret that its pages carry; by default 128 random bits.
  ///   - pulse: The time after which a silent stream of events sends a heartbeat, and so notices that its
  ///     page is gone.
  package init(
    _ shell: EstateShell, host: WebHost, prompt: WebPrompt, token: String = KeptToken.random(),
    pulse: Duration = .seconds(5)
  ) {
    self.shell = shell
    self.host = host
    self.prompt = prompt
    self.token = token
    documents = WebDocuments(mediator: shell.mediator)
    events = EventStreams(changes, pulse: pulse)
    prompt.onAsking = { [weak self] in self?.noteLogin() }
    host.onChange = { [weak self] in
      self?.changes.increment()
      self?.noteLogin()
    }
  }

  /// Opens a URL that the user typed or chose on a page, with the permissions of that page's content.
  ///
  /// Those are the permissions of the app's own code, or of the server that the content is from.
  ///
  /// - Parameter number: The entry on whose page it was chosen; the app returns to it first.
  func open(_ url: String, from number: Int? = nil) async {
    if let host = contentHost(ofEntry: number) {
      reveal(number)
      await follow(url, fromPageOf: host)
      return
    }
    reveal(number)
    await perform { shell in await shell.attempt(opening: url) }
  }

  /// Follows a link on a page, with the permissions of pages of its host; returns why it failed.
  @discardableResult
  func follow(_ url: String, fromPageOf host: String, keepsMessage: Bool = true) async -> Attempt? {
    await perform(keepsMessage: keepsMessage) { shell in
      await shell.attempt("\(url)  — a link of a page of \(host)") { mediator in
        try await mediator.receive(url, from: .web(host: host))
        return nil
      }
    }
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

  /// Passes what was typed to the login.
  func logIn(user: String, password: String) async {
    if !prompt.isAsking { note("The login is no longer open.", isFailure: true) }
    prompt.answer(user.isEmpty ? nil : MemberCredentials(user: user, password: password))
    await settled()
  }

  /// Ends a login that waits for the user, who has gone on to another page.
  func abandonLogin() async {
    guard prompt.isAsking else { return }
    prompt.answer(nil)
    await settled()
    _ = takeMessages()
  }

  /// Opens the links that waited, because pages are served now.
  func begin() { shell.ready() }

  /// Tells the browser that a command in the terminal may have changed what it shows.
  package func noteCommand() { changes.increment() }

  /// Ends all waiting for the user, so that the server can stop; links wait from now on.
  package func end() {
    shell.hold()
    documents.close()
    prompt.answer(nil)
    changes.close()
  }

  /// Returns what was noted since the last page, and forgets it.
  func takeMessages() -> [ScreenPage.Message] {
    defer { messages = [] }
    return messages
  }

  /// Makes an open screen the top one; does nothing if it is, or is not open.
  func reveal(_ number: Int?) {
    guard let number, shell.navigator.state.top?.id.number != number,
      shell.navigator.state.entry(EntryID(number)) != nil
    else { return }
    command(.reveal(EntryID(number)))
  }

  private func command(_ command: NavigationCommand) {
    do throws(NavigationError) {
      try shell.navigator.perform(command)
    } catch {
      note(error.description, isFailure: true)
    }
  }

  private func note(_ text: String, isFailure: Bool = false) {
    messages.append(.init(text: text, isFailure: isFailure))
    messages = messages.suffix(Self.messageLimit)
  }

  /// Runs an action and returns when it has ended or waits for the user, in which case there is no result.
  @discardableResult
  private func perform(
    keepsMessage: Bool = true, _ action: @escaping @MainActor (EstateShell) async -> Attempt
  ) async -> Attempt? {
    running += 1
    var result: Attempt?
    var isAwaited = true
    Task {
      let attempt = await action(shell)
      result = attempt
      let isFailure = attempt.result != .done
      // After a login the request has been answered already, so only a message can show the result.
      if let text = attempt.text, keepsMessage || !isFailure || !isAwaited {
        note(text, isFailure: isFailure)
      }
      running -= 1
      // The switches and the marks of homes are part of screens that do not change by themselves.
      changes.increment()
      wake()
    }
    await settled()
    isAwaited = false
    return result
  }

  /// Waits until nothing runs, or until the login is shown and waits: what led to it ends only after it.
  private func settled() async {
    while running > 0, !prompt.isShown {
      await withCheckedContinuation { waiters.append($0) }
    }
  }

  /// A login begins to wait before its screen is shown, because aspects of screens are asked in between.
  private func noteLogin() {
    guard prompt.isAsking, let top = shell.navigator.state.top, LoginRoute.pattern.matches(top.name) else {
      return
    }
    prompt.noteShown()
    wake()
  }

  private func wake() {
    let all = waiters
    waiters = []
    for waiter in all { waiter.resume() }
  }
}

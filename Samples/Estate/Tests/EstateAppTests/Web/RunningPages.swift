import EstateApp
import Inspection
import Switchyard

@testable import EstateWeb

/// The app's pages on a port of this machine, with a client for them.
@MainActor final class RunningPages {
  struct Answer {
    let status: Int
    let location: String?
    let fields: HTTPFields
    let html: String

    /// The paragraphs of the screen.
    var lines: [String] {
      html.split(separator: "<p class=\"text\">").dropFirst().compactMap {
        $0.split(separator: "</p>").first.map(String.init)
      }
    }

    /// The numbers of the homes on the cards.
    var cards: [Int] {
      html.matches(of: /<li class="card" id="home-(\d+)">/).compactMap { Int($0.1) }
    }

    var title: String? { html.firstMatch(of: /<h1>(.*?)<\/h1>/).map { String($0.1) } }
    var notice: String? { html.firstMatch(of: /role="(?:status|alert)">(.*?)<\/p>/).map { String($0.1) } }
  }

  let port: UInt16
  /// The app, as a terminal beside the browser uses it.
  let shell: EstateShell
  /// The number of streams of events that pages have open.
  var openStreams: Int { session.events.count }
  private let session: WebSession
  private let stopped: AsyncStream<Void>.Continuation
  private let task: Task<Void, any Error>
  private let client = CurlDispatcher()

  /// Starts the app and its pages.
  ///
  /// - Parameters:
  ///   - asked: The port; 0 for any free one.
  ///   - hasQueues: Whether the user's actions are recorded, and changes wait for the network.
  ///   - inspector: Records the app's calls; nil for none.
  ///   - interventions: Alters the app's calls; nil for none.
  ///   - pulse: The time after which a silent stream of events sends a heartbeat.
  init(
    _ server: RunningServer, _ console: RecordingConsole = RecordingConsole(), port asked: UInt16 = 0,
    hasQueues: Bool = false, inspector: Inspector? = nil, interventions: InterventionInterceptor? = nil,
    pulse: Duration = .seconds(5)
  ) async throws {
    let (host, prompt) = (WebHost(), WebPrompt())
    shell = try server.shell(
      console, prompt: prompt, hasQueues: hasQueues, host: host, inspector: inspector,
      interventions: interventions)
    session = WebSession(shell, host: host, prompt: prompt, token: "token-1", pulse: pulse)
    let pages = WebServer(session, port: asked, logger: .silent)
    (port, stopped, task) = try await runUntilStopped { try await pages.run(until: $0, onListening: $1) }
  }

  /// Runs a test with a server and its pages, which end after it; see the initializer.
  static func use(
    _ listings: String? = nil, port: UInt16 = 0, hasQueues: Bool = false, inspector: Inspector? = nil,
    interventions: InterventionInterceptor? = nil, pulse: Duration = .seconds(5),
    _ body: (RunningServer, RunningPages) async throws -> Void
  ) async throws {
    let server = try await RunningServer(listings: listings)
    try await run {
      let pages = try await RunningPages(
        server, port: port, hasQueues: hasQueues, inspector: inspector, interventions: interventions,
        pulse: pulse)
      try await run {
        try await body(server, pages)
      } finally: {
        await pages.stop()
      }
    } finally: {
      await server.stop()
    }
  }

  /// Stops the server and returns when it has ended.
  func stop() async {
    stopped.finish()
    _ = await task.result
    await client.shutdown()
  }

  /// Types a line in the terminal.
  func type(_ line: String) async {
    _ = await shell.perform(line: line)
    session.noteCommand()
  }

  /// Opens a stream of events, which the client closes when it is released.
  func events(_ query: String) async throws -> Response {
    var request = try Request(
      scheme: "http", authority: "127.0.0.1:\(port)", path: "/events?\(query)"
    ).askingForEvents()
    request.context.connectTarget = ConnectTarget(address: "127.0.0.1", port: Int(port))
    return try await client.dispatch(request)
  }

  func get(
    _ path: String, referrer: String? = nil, site: String? = nil, host: String = "127.0.0.1"
  ) async throws -> Answer {
    var fields: HTTPFields = [:]
    if let name = HTTPField.Name("Sec-Fetch-Site") { fields[name] = site }
    fields[.referer] = referrer
    return try await send(.get, path, fields, host: host)
  }

  /// Posts a form and follows the redirect.
  func post(_ path: String, _ form: String, token: String = "token-1") async throws -> Answer {
    let posted = try await submit(path, form + "&token=" + token)
    guard posted.status == 303, let location = posted.location else { return posted }
    return try await get(location)
  }

  func submit(_ path: String, _ form: String) async throws -> Answer {
    try await send(.post, path, [.contentType: "application/x-www-form-urlencoded"], body: form)
  }

  /// Sends a call as a document's script does.
  func call(_ json: String, _ document: String) async throws -> Answer {
    var fields: HTTPFields = [.contentType: "application/json"]
    if let name = HTTPField.Name("Estate-Document") { fields[name] = document }
    return try await send(.post, "/bridge", fields, body: json)
  }

  /// Follows a link on the app's own page, and the redirect.
  func follow(_ path: String, referrer: String? = nil) async throws -> Answer {
    let answer = try await get(path, referrer: referrer ?? "http://127.0.0.1:\(port)/entry/1")
    guard answer.status == 303, let location = answer.location else { return answer }
    return try await get(location)
  }

  private func send(
    _ method: HTTPRequest.Method, _ path: String, _ fields: HTTPFields, host: String = "127.0.0.1",
    body: String? = nil
  ) async throws -> Answer {
    var request = Request(
      method: method, scheme: "http", authority: "\(host):\(port)", path: path, headerFields: fields,
      body: body.map { .bytes(Array($0.utf8)) } ?? .empty)
    request.context.connectTarget = ConnectTarget(address: "127.0.0.1", port: Int(port))
    let response = try await client.dispatch(request)
    let html = String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
    return Answer(
      status: response.status.code, location: response.head.headerFields[.location],
      fields: response.head.headerFields, html: html)
  }
}

import ArgumentParser
import HTTPTypes
import Interception
import RedirectFollowing
import ToolCommands

/// How a response is written, for the commands that print one.
struct ResponseOptions: ParsableArguments {
  @OptionGroup var chain: ChainOptions

  @Flag(name: .shortAndLong, help: "Writes the status and the header fields before the content.")
  var include = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Writes to a file, which appears only when it is complete.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(name: .shortAndLong, help: "Exits with 22, and writes no content, if the status is 400 or above.")
  var fail = false

  @Option(
    help: ArgumentHelp(
      "Keeps responses on disk for as long as they state, and says on standard error how it was used.",
      valueName: "directory"),
    completion: .directory)
  var cache: String?

  /// Sends a request, and writes its response.
  func send(_ method: HTTPRequest.Method, _ url: String, _ content: ContentOptions?) async throws {
    var request = try Request(URLArgument.completed(url), method: method)
    try content?.apply(to: &request)
    try chain.connection.apply(to: &request)
    request.options.delivery = .streamed
    if chain.noRedirects { request.context.redirects = .manual }
    let session = try Session(chain, cache: cache, retries: chain.retry ?? 0)
    var response: Response?
    var failure: (any Error)?
    do {
      let received = try await session.pipeline.send(request)
      response = received
      try await write(received)
    } catch {
      failure = error
    }
    try await session.finish(
      response?.exchange, failure: failure,
      hadCredentials: request.head.headerFields.contains(.authorization))
    if let failure { throw failure }
  }

  private func write(_ response: Response) async throws {
    if fail, response.status.code >= 400 {
      throw ToolFailure(
        .httpError,
        "The server responded with \(Printable.text("\(response.status)")), which --fail makes an error.")
    }
    let target = try OutputTarget(output)
    if include { try target.write(head: HeadText.text(response, isForTerminal: target.isTerminal)) }
    switch response.body {
    case .bytes(let bytes): try target.write(bytes)
    case .stream(let stream):
      for try await chunk in stream { try target.write(chunk) }
    }
    try Task.checkCancellation()
    try target.finish()
  }
}

/// The head of a response as text.
enum HeadText {
  /// Returns the status line and the fields; for a terminal without control characters of the server.
  static func text(_ response: Response, isForTerminal: Bool) -> String {
    let status = response.status
    let version = response.exchange.transport?.version?.rawValue ?? "HTTP"
    // HTTP/2 has no reason phrase.
    let reason = status.reasonPhrase.isEmpty ? "" : " \(status.reasonPhrase)"
    let fields = response.head.headerFields.map { "\($0.name.rawName): \($0.value)" }
    let lines = ["\(version) \(status.code)\(reason)"] + fields
    return lines.map { (isForTerminal ? Printable.text($0) : $0) + "\r\n" }.joined() + "\r\n"
  }
}

struct GetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Sends a GET, and writes the content of the response.")

  @Argument(help: "The URL, with https:// or http://.") var url: String
  @OptionGroup var options: ResponseOptions

  func run() async throws {
    try await perform { [url, options] in try await options.send(.get, url, nil) }
  }
}

struct PostCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "post", abstract: "Sends a POST with JSON, a file or a form.")

  @Argument(help: "The URL, with https:// or http://.") var url: String
  @OptionGroup var content: ContentOptions
  @OptionGroup var options: ResponseOptions

  func run() async throws {
    try await perform { [url, options, content] in try await options.send(.post, url, content) }
  }
}

struct SendCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Sends a request with any method, such as PUT, DELETE or HEAD.")

  @Argument(help: "The method.") var method: String
  @Argument(help: "The URL, with https:// or http://.") var url: String
  @OptionGroup var content: ContentOptions
  @OptionGroup var options: ResponseOptions

  func run() async throws {
    let method = try MethodArgument.method(method)
    try await perform { [url, options, content] in try await options.send(method, url, content) }
  }
}

/// A method on the command line.
enum MethodArgument {
  static func method(_ text: String) throws -> HTTPRequest.Method {
    guard let method = HTTPRequest.Method(text) else {
      throw ValidationError("\"\(Printable.text(text))\" is no method of HTTP, such as PUT.")
    }
    return method
  }
}

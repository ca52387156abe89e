import ArgumentParser
import Foundation
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

  @Flag(help: "Shows JSON as a whole on a terminal, instead of folding it to the terminal's height.")
  var all = false

  @Flag(
    help: "Sends nothing, and prints the curl command that sends the same request, with secrets hidden.")
  var asCurl = false

  @Flag(help: "Shows secrets in the command of --as-curl.")
  var showSecrets = false

  func validate() throws {
    guard asCurl || !showSecrets else { throw ValidationError("--show-secrets needs --as-curl.") }
    let others = [
      ("--trace", chain.trace), ("--trace-svg", chain.traceSvg != nil), ("--explain", chain.explain),
      ("--har", chain.har != nil), ("--cache", cache != nil),
    ]
    for (name, isGiven) in others where asCurl && isGiven {
      throw ValidationError("--as-curl sends nothing, so that \(name) has no effect; leave one of them out.")
    }
  }

  /// Sends a request, and writes its response.
  func send(_ method: HTTPRequest.Method, _ url: String, _ content: ContentOptions?) async throws {
    var request = try Request(URLArgument.completed(url), method: method)
    try content?.apply(to: &request, readsInput: !asCurl)
    try chain.connection.apply(to: &request)
    if asCurl { return try await printCurl(request, content) }
    request.options.delivery = .streamed
    if chain.noRedirects { request.context.redirects = .manual }
    let hadCredentials = request.head.headerFields.contains(.authorization)
    let session = try Session(chain, cache: cache, retries: chain.retry ?? 0)
    let writer = ResponseWriter(options: self, hadCredentials: hadCredentials)
    var response: Response?
    var failure: (any Error)?
    do {
      let received = try await session.pipeline.send(request)
      response = received
      try await writer.write(received)
    } catch {
      failure = error
    }
    try await session.finish(response?.exchange, failure: failure, hadCredentials: hadCredentials)
    if let error = failure as? NetworkError, !Task.isCancelled {
      var report = FailureReport(error)
      report.exchanges = session.tracer.exchanges
      if response != nil {
        (report.receivedBytes, report.announcedBytes) = (writer.receivedBytes, writer.announcedBytes)
      }
      if case .tls(let fault) = error.kind, [.expired, .nameMismatch, .untrusted].contains(fault) {
        report.certificate = certificate(for: error, after: report.exchanges)
        report.now = Int64(Date().timeIntervalSince1970)
      }
      throw report.failure
    }
    if let failure { throw failure }
  }

  /// Reads the certificate that was refused; nil if the connection was not a direct one.
  private func certificate(for error: NetworkError, after exchanges: [TracedExchange]) -> CertificateFacts? {
    let connection = chain.connection
    guard let request = error.request, request.scheme == "https", connection.proxy == nil,
      !connection.envProxies, let server = ServerAddress(authority: request.authority),
      connection.unixSocket.isEmpty
    else { return nil }
    return CertificateReader.certificate(
      of: server, at: exchanges.last?.address.flatMap { ServerAddress(authority: $0) })
  }

  private func printCurl(_ request: Request, _ content: ContentOptions?) async throws {
    var options = try chain.connection.curlOptions()
    options.maxRedirects = chain.noRedirects ? nil : chain.maxRedirects
    (options.retries, options.includesHead, options.fails) = (chain.retry ?? 0, include, fail)
    (options.output, options.showsSecrets) = (output, showSecrets)
    if let content {
      options.content = try content.curlContent
      options.expectContinue = content.expectContinue
    }
    let line = CurlLine(
      try await Session.prepared(request, chain), agent: ConnectionOptions.userAgent,
      redaction: chain.redaction, options: options)
    try Terminal.output.line(line.line)
    guard line.hiddenCount > 0 else { return }
    Terminal.note("\(Figures.count(line.hiddenCount, "value")) hidden as REDACTED; --show-secrets shows all")
  }
}

import EstateApp
import HTTPServing
import HTTPTypes
import Interception
import MortgageRoutes
import PageBridging
import WebPages

/// Stands for the web view of a device: what that would load by the app's scheme, a browser loads from a port
/// of this machine.
///
/// A web view would give each request to the handler as it is. Here the scheme and the host are those of the
/// port, in the URL and in the fields that name pages.
struct GuideServer: Sendable {
  private static let pageOrigin = "\(SitePages.scheme)://\(SitePages.site)"
  /// Fields of the page around the frame, which a web view's page does not have.
  private static let framing = ["Sec-Fetch-Site", "Sec-Fetch-Dest", "Sec-Fetch-Mode", "Sec-Fetch-User"]
    .compactMap { HTTPField.Name($0) }

  private let pages: PageHandler

  /// Serves the site's pages on a port of their own while `body` runs, if there are any.
  static func serving(
    _ session: WebSession, _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    guard let pages = await session.shell.pages else { return try await body() }
    let calls = PageCalling(
      mediator: await session.shell.mediator,
      methods: [PageMethod(LoanPage.method, MortgageQuoteRoute.self)])
    let guide = GuideServer(pages: try pages.handler(calls: calls, frames: "http://127.0.0.1:*"))
    let server = LoopbackServer(port: 0, scheme: "http", bodyLimit: WebRoutes.formLimit) { request in
      await guide.response(to: request)
    }
    try await server.serve { port in
      await session.showGuide(at: port)
      try await body()
    }
  }

  /// Answers a browser as a web view is answered: by the events of a load.
  func response(to received: ReceivedRequest) async -> ServerResponse {
    guard let request = request(for: received) else { return ServerResponse(.misdirectedRequest) }
    let (events, event) = AsyncStream.makeStream(of: PageLoad.Event.self)
    let load = await MainActor.run {
      pages.start(request) { event.yield($0) }
    }
    event.onTermination = { _ in Task { @MainActor in load.cancel() } }
    var response = ServerResponse(.badGateway)
    var body: [UInt8] = []
    for await each in events {
      switch each {
      case .head(let head): response = ServerResponse(head.status, fields: mapped(head, for: received))
      case .bytes(let bytes): body += bytes
      case .finished:
        return ServerResponse(response.status, fields: response.fields, body: body)
      case .failed:
        return ServerResponse(.badGateway)
      }
    }
    return ServerResponse(.badGateway)
  }

  /// Returns the request as a web view would make it; `nil` for another name of this machine.
  private func request(for received: ReceivedRequest) -> Request? {
    guard let authority = received.head.authority, authority.hasPrefix("127.0.0.1:") else { return nil }
    let origin = "http://\(authority)"
    var fields = received.head.headerFields
    for name in Self.framing { fields[name] = nil }
    if let value = fields[.origin], value == origin { fields[.origin] = Self.pageOrigin }
    if let value = fields[.referer] {
      // The page around the frame is the app's, which a web view does not name.
      fields[.referer] =
        value.hasPrefix(origin + "/") ? Self.pageOrigin + value.dropFirst(origin.count) : nil
    }
    return Request(
      method: received.head.method, scheme: SitePages.scheme, authority: SitePages.site,
      path: received.head.path ?? "/", headerFields: fields, body: .bytes(received.body))
  }

  private func mapped(_ head: HTTPResponse, for received: ReceivedRequest) -> HTTPFields {
    var fields = head.headerFields
    fields[.contentLength] = nil
    if let target = fields[.location], target.hasPrefix(Self.pageOrigin), let port = received.head.authority {
      fields[.location] = "http://\(port)" + target.dropFirst(Self.pageOrigin.count)
    }
    return fields
  }
}

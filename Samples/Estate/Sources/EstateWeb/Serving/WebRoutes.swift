import EstateApp
import Foundation
import HTTPServing
import PageBridging
import Screens
import Switchyard

/// The addresses of the pages and the actions of their forms.
///
/// Reading the page of an open screen changes nothing in the app, and reading another page opens it with the
/// permissions of a link. Everything else comes from forms that carry the session's token.
struct WebRoutes: Sendable {
  static let formLimit = 32 * 1024
  let session: WebSession

  func router() -> HTTPRouter<ServerResponse> {
    var router = HTTPRouter<ServerResponse>()
    router.on(.get, "/") { _ in await answer(await session.page()) }
    router.on(.get, "/entry/{id}") { _, id in
      guard let number = Int(id) else { return await answer(nil) }
      return await answer(await session.page(number))
    }
    router.on(.get, "/link") { request in await link(request) }
    router.on(.get, "/picked") { request in await picked(request) }
    router.on(.get, "/loan") { _ in
      let page = try await session.documents.openLoanPage()
      var response = html(.ok, page.html)
      response.fields[.contentSecurityPolicy] = page.policy
      return response
    }
    router.on(.get, "/guide") { _ in
      guard let page = await session.openGuide() else {
        return await refusal(.notFound, "The server has no guide; start a newer one.")
      }
      var response = html(.ok, page.html)
      response.fields[.contentSecurityPolicy] = page.policy
      return response
    }
    router.on(.get, "/events") { request in await events(request) }
    for asset in WebAsset.all { router.on(.get, asset.path) { _ in asset.response } }
    router.on(.post, "/bridge") { request in try await bridge(request) }
    post("/open", &router) { fields in
      guard let url = fields["url"], !url.isEmpty else { return }
      await session.open(url, from: fields["from"].flatMap(Int.init))
    }
    post("/form", &router) { fields in
      guard let route = fields["route"], !route.isEmpty else { return }
      await session.open(
        WebAddress.url(of: route, fields: fields.ofRoute), from: fields["from"].flatMap(Int.init))
    }
    post("/back", &router) { _ in await session.back() }
    post("/return", &router) { fields in
      if let number = fields["entry"].flatMap(Int.init) { await session.goBack(to: number) }
    }
    post("/login", &router) { fields in
      await session.logIn(user: fields["user"] ?? "", password: fields["password"] ?? "")
    }
    return router
  }

  /// Returns the page of the route that a path names: of the open screen, or of one that is opened by it.
  func screen(for request: ReceivedRequest) async -> ServerResponse {
    guard request.head.method == .get || request.head.method == .head, let url = WebAddress.url(of: request)
    else { return await refusal(.notFound, "There is no such page.") }
    if let number = await session.entry(showing: url) { return await answer(await session.page(number)) }
    // A page that follows the app opens nothing: the app may have left the screen meanwhile.
    if Self.isFollowing(request) { return await redirectToCurrent() }
    await session.abandonLogin()
    let source: String
    switch PageSource(request) {
    case .app:
      let number = await referringEntry(of: request)
      source = await session.contentHost(ofEntry: number) ?? WebSession.pageHost
      await session.reveal(number)
    case .user: source = WebSession.pageHost
    case .page(let host): source = host
    }
    let attempt = await session.follow(url, fromPageOf: source, keepsMessage: false)
    guard case .failed(let label)? = attempt?.result else {
      // A guard or a redirect may have led to another screen.
      guard let number = await session.entry(showing: url) else { return await redirectToCurrent() }
      return await answer(await session.page(number))
    }
    let page = await session.page(
      saying: attempt?.text ?? "The page could not be opened.",
      action: .show("Try again", url))
    return html(Self.status(of: label), page.html)
  }

  private static func isFollowing(_ request: ReceivedRequest) -> Bool {
    HTTPField.Name("Estate-Follows").map { request.head.headerFields.contains($0) } ?? false
  }

  /// The entry of the page on which a link of the app was chosen.
  private func referringEntry(of request: ReceivedRequest) async -> Int? {
    let referrer = request.head.headerFields[.referer] ?? ""
    let path = referrer.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }
    if path.hasPrefix("/entry/") { return Int(path.dropFirst(7)) }
    guard path.count > 1 else { return nil }
    return await session.entry(showing: "estate:/" + path)
  }

  private static func status(of label: String) -> HTTPResponse.Status {
    switch label {
    case "refused_by_guard": .forbidden
    case "unknown_route", "forbidden", "malformed_url", "wrong_parameter", "status_404", "invalid_params":
      .notFound
    default: .badGateway
    }
  }

  /// Follows a link in a text, with the permissions of the page's host.
  private func link(_ request: ReceivedRequest) async -> ServerResponse {
    let fields = FormFields(request.query.map(String.init) ?? "")
    guard let url = fields["url"] else { return await refusal(.badRequest, "The link has no URL.") }
    let source: String
    switch PageSource(request) {
    // Only the app's own pages may name an entry, whose page's host then counts.
    case .app: source = await session.host(ofEntry: fields["from"].flatMap(Int.init))
    case .user: source = "unknown.invalid"
    case .page(let host): source = host
    }
    await session.follow(url, fromPageOf: source)
    return await redirectToCurrent()
  }

  /// Leads to the page of a route that takes the numbers of the picked cards; it opens nothing by itself.
  private func picked(_ request: ReceivedRequest) async -> ServerResponse {
    let fields = FormFields(request.query.map(String.init) ?? "")
    let cards = fields.all("card").filter { Int($0) != nil }
    guard let route = fields["route"], let parameter = fields["parameter"], !cards.isEmpty,
      let path = WebAddress.path(of: "\(route)?\(parameter)=\(cards.joined(separator: ","))"),
      path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return await refusal(.badRequest, "Nothing is picked; go back and pick some cards.") }
    return ServerResponse(.seeOther, fields: [.location: path])
  }

  /// Opens a stream of the app's changes for a page.
  ///
  /// A page of an earlier run of the app learns at once that it has to be loaded again. A page that connects
  /// again names the last event that it received, which is later than the change in its address.
  private func events(_ request: ReceivedRequest) async -> ServerResponse {
    let fields = FormFields(request.query.map(String.init) ?? "")
    let type: HTTPFields = [.contentType: "text/event-stream"]
    guard fields["run"] ?? session.run == session.run else {
      return ServerResponse(.ok, fields: type, body: Array("retry: 250\nevent: restart\ndata:\n\n".utf8))
    }
    let last = HTTPField.Name("Last-Event-ID").flatMap { request.head.headerFields[$0] } ?? fields["after"]
    let stream = session.events.stream(after: last.flatMap { Int($0) } ?? 0) { session.currentPath }
    guard let stream else { return ServerResponse(.serviceUnavailable, fields: [.retryAfter: "2"]) }
    return ServerResponse(.ok, fields: type, stream: stream)
  }

  /// Passes a document's call, which is JSON, to the app, and answers with the list of its replies.
  ///
  /// Forms of other sites can neither send JSON nor name the document.
  private func bridge(_ request: ReceivedRequest) async throws -> ServerResponse {
    guard let name = HTTPField.Name("Estate-Document"), let token = request.head.headerFields[name],
      let document = await session.documents.document(token)
    else { return ServerResponse(.forbidden) }
    guard request.body.count <= Self.formLimit else { return ServerResponse(.contentTooLarge) }
    let replies: [PageReply]
    do {
      let call = try JSONDecoder().decode(PageCall.self, from: Data(request.body))
      replies = try await document.answer(call)
    } catch is DecodingError {
      return ServerResponse(.badRequest)
    } catch is PageBridgeError {
      return ServerResponse(.conflict)
    }
    return ServerResponse(
      .ok, fields: [.contentType: "application/json"], body: [UInt8](try JSONEncoder().encode(replies)))
  }

  private func post(
    _ path: String, _ router: inout HTTPRouter<ServerResponse>,
    _ action: @escaping @Sendable (FormFields) async -> Void
  ) {
    router.on(.post, path) { request in
      guard request.body.count <= Self.formLimit else {
        return await refusal(.contentTooLarge, "The form is too long.")
      }
      let fields = FormFields(String(decoding: request.body, as: UTF8.self))
      guard fields["token"] == session.token else {
        return await refusal(
          .forbidden, "This form is not from a page of the app; open the app's page again.")
      }
      await action(fields)
      return await redirectToCurrent()
    }
  }

  private func answer(_ page: ScreenPage?) async -> ServerResponse {
    guard let page else { return await refusal(.notFound, "This screen is no longer open.") }
    return html(.ok, page.html)
  }

  private func refusal(_ status: HTTPResponse.Status, _ message: String) async -> ServerResponse {
    html(status, await session.page(saying: message, title: message).html)
  }

  private func html(_ status: HTTPResponse.Status, _ html: HTML) -> ServerResponse {
    ServerResponse(
      status, fields: [.contentType: "text/html; charset=utf-8"], body: Array(html.description.utf8))
  }

  private func redirectToCurrent() async -> ServerResponse {
    ServerResponse(.seeOther, fields: [.location: await session.currentPath])
  }
}

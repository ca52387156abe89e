import Foundation
import HTTPServing
import HTTPTypes
import Mediation
import PageBridging

/// The addresses of the pages and the actions of their forms.
///
/// Reading a page changes nothing in the app. Changes come from forms that carry the session's token, and
/// from links, which have the rights of any link from outside.
struct WebRoutes: Sendable {
  /// The maximum size of a form in bytes.
  static let formLimit = 32 * 1024
  let session: WebSession

  func router() -> HTTPRouter<ServerResponse> {
    var router = HTTPRouter<ServerResponse>()
    router.on(.get, "/") { _ in await answer(await session.page()) }
    router.on(.get, "/entry/{id}") { _, id in
      guard let number = Int(id) else { return await answer(nil) }
      return await answer(await session.page(number))
    }
    router.on(.get, "/link") { request in
      let fields = FormFields(request.query.map(String.init) ?? "")
      guard let url = fields["url"] else { return await refusal(.badRequest, "The link has no URL.") }
      await session.follow(url, fromPageOf: await source(of: request, fields))
      return await redirectToCurrent()
    }
    router.on(.get, "/loan") { _ in
      let page = try await session.documents.openLoanPage()
      var response = html(.ok, page.html)
      response.fields[.contentSecurityPolicy] = page.policy
      return response
    }
    router.on(.post, "/bridge") { request in try await bridge(request) }
    post("/open", &router) { fields in
      guard let url = fields["url"], !url.isEmpty else { return }
      await session.open(url)
    }
    post("/back", &router) { _ in await session.back() }
    post("/tab", &router) { fields in
      if let name = fields["name"] { await session.select(tab: name) }
    }
    post("/return", &router) { fields in
      if let number = fields["entry"].flatMap(Int.init) { await session.goBack(to: number) }
    }
    post("/login", &router) { fields in
      await session.logIn(user: fields["user"] ?? "", password: fields["password"] ?? "")
    }
    return router
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

  /// The host of the page that the link is on.
  ///
  /// Only the app's own pages may name an entry, whose page's host then counts; any other page counts as
  /// itself.
  private func source(of request: ReceivedRequest, _ fields: FormFields) async -> String {
    let referrer = request.head.headerFields[.referer] ?? ""
    let authority = referrer.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }
    guard !authority.isEmpty, referrer.hasPrefix("http") else { return "unknown.invalid" }
    guard String(authority) == request.head.authority else { return String(authority.prefix { $0 != ":" }) }
    return await session.host(ofEntry: fields["from"].flatMap(Int.init))
  }

  private func answer(_ page: ScreenPage?) async -> ServerResponse {
    guard let page else { return await refusal(.notFound, "This screen is no longer open.") }
    return html(.ok, page.html)
  }

  private func refusal(_ status: HTTPResponse.Status, _ message: String) async -> ServerResponse {
    html(status, await session.page(saying: message).html)
  }

  private func html(_ status: HTTPResponse.Status, _ html: HTML) -> ServerResponse {
    ServerResponse(
      status, fields: [.contentType: "text/html; charset=utf-8"], body: Array(html.description.utf8))
  }

  private func redirectToCurrent() async -> ServerResponse {
    ServerResponse(.seeOther, fields: [.location: await session.currentPath])
  }
}

import Foundation
import HTTPTypes
import Hummingbird
import Mediation
import NIOCore

/// The addresses of the pages, and what their forms do.
///
/// Reading a page changes nothing in the app. What changes something is a form with the session's token, or a
/// link, which may do no more than any link from outside.
struct WebRoutes: Sendable {
  private static let formLimit = 32 * 1024
  let session: WebSession

  func router() -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: PageHeaders())
    router.get("/") { _, _ in await self.answer(await session.page()) }
    router.get("entry/:id") { _, context in
      guard let number = context.parameters.get("id").flatMap(Int.init) else { return await answer(nil) }
      return await answer(await session.page(number))
    }
    router.get("link") { request, _ in
      let fields = FormFields(request.uri.query ?? "")
      guard let url = fields["url"] else { return await refusal(.badRequest, "The link names no URL.") }
      await session.follow(url, fromPageOf: await source(of: request, fields))
      return await toCurrent()
    }
    router.get("loan") { _, _ in
      let page = try await session.documents.openLoanPage()
      var answer = html(.ok, page.html)
      answer.headers[.contentSecurityPolicy] = page.policy
      return answer
    }
    router.post("bridge") { request, _ in try await bridge(request) }
    post("open", router) { fields in
      guard let url = fields["url"], !url.isEmpty else { return }
      await session.open(url)
    }
    post("back", router) { _ in await session.back() }
    post("return", router) { fields in
      if let number = fields["entry"].flatMap(Int.init) { await session.goBack(to: number) }
    }
    post("login", router) { fields in
      await session.logIn(user: fields["user"] ?? "", password: fields["password"] ?? "")
    }
    return router
  }

  /// Lets a document call the app: a call as JSON, answered by its replies as a list.
  ///
  /// Forms of other sites can neither send JSON nor name the document.
  private func bridge(_ request: Request) async throws -> Response {
    guard let name = HTTPField.Name("Estate-Document"), let token = request.headers[name],
      let document = await session.documents.document(token)
    else { return Response(status: .forbidden) }
    let replies: [PageReply]
    do {
      let body = try await request.body.collect(upTo: Self.formLimit)
      let call = try JSONDecoder().decode(PageCall.self, from: Data(body.readableBytesView))
      replies = try await document.answer(call)
    } catch is NIOTooManyBytesError {
      return Response(status: .contentTooLarge)
    } catch is DecodingError {
      return Response(status: .badRequest)
    } catch is PageBridgeError {
      return Response(status: .conflict)
    }
    return Response(
      status: .ok, headers: [.contentType: "application/json"],
      body: .init(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(replies))))
  }

  private func post(
    _ path: RouterPath, _ router: Router<BasicRequestContext>,
    _ action: @escaping @Sendable (FormFields) async -> Void
  ) {
    router.post(path) { request, _ in
      let fields: FormFields
      do {
        let body = try await request.body.collect(upTo: Self.formLimit)
        fields = FormFields(String(decoding: body.readableBytesView, as: UTF8.self))
      } catch is NIOTooManyBytesError {
        return await refusal(.contentTooLarge, "The form is too long.")
      }
      guard fields["token"] == session.token else {
        return await refusal(
          .forbidden, "This form is not from a page of the app; open the app's page again.")
      }
      await action(fields)
      return await toCurrent()
    }
  }

  /// Whose page the link stands on.
  ///
  /// Only the app's own pages may name the entry; another page is who it is.
  private func source(of request: Request, _ fields: FormFields) async -> String {
    let referrer = request.headers[.referer] ?? ""
    let authority = referrer.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }
    guard !authority.isEmpty, referrer.hasPrefix("http") else { return "unknown.invalid" }
    guard String(authority) == request.head.authority else { return String(authority.prefix { $0 != ":" }) }
    return await session.host(ofEntry: fields["from"].flatMap(Int.init))
  }

  private func answer(_ page: ScreenPage?) async -> Response {
    guard let page else { return await refusal(.notFound, "This screen was left.") }
    return response(.ok, page)
  }

  private func refusal(_ status: HTTPResponse.Status, _ message: String) async -> Response {
    response(status, await session.page(saying: message))
  }

  private func response(_ status: HTTPResponse.Status, _ page: ScreenPage) -> Response {
    html(status, page.html)
  }

  private func html(_ status: HTTPResponse.Status, _ html: HTML) -> Response {
    Response(
      status: status, headers: [.contentType: "text/html; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(string: html.description)))
  }

  private func toCurrent() async -> Response {
    Response(status: .seeOther, headers: [.location: await session.currentPath])
  }
}

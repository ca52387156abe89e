package import APIManagers
import EstateContract
import HelpRoutes
package import Mediation
import MortgageRoutes
import Navigation
import Screens

/// Shows web pages for URLs that no other module answers, screens of the server, and the app's own help.
package struct HelpModule: BusinessModule {
  package let name = "Help"
  private let client: APIClient

  package init(client: APIClient) { self.client = client }

  /// Declares the screens of web pages and of the server's documents, the pages about the app, and the help
  /// for URLs below `estate://help`.
  package func declare(into table: inout RouteTable) {
    table.screen(WebPageRoute.self) { [client] route, _, _ in
      let page = try await Pages(dispatcher: client.dispatcher).page(route.url)
      return WebPageScreen(url: route.url, page: page)
    }
    table.screen(ServerScreenRoute.self) { [client] route, context in
      let document = try await client.load(ScreenAPI(), ScreenAPI.Params(name: route.name))
      // What the document offers is opened like a link on a page of the server.
      let decoder = ScreenDecoder(
        routes: context.mediator, origin: .external(.web(host: Service.estateHost)),
        kinds: EstateContent.kinds)
      return FixedScreen(try decoder.screen(from: document.bytes))
    }
    // The app's own pages in a browser may show them.
    let toPages = Exposure.link([.web(host: "127.0.0.1")])
    table.screens(
      [
        "estate://about": { request in
          let hasLoans = request.context.mediator.provides((any MortgageQuoting).self)
          return FixedScreen(
            title: "About Estate",
            paragraphs: ["Homes around Sacramento" + (hasLoans ? ", and what a loan for them costs." : ".")]
              + HelpTopic.allCases.map { "\($0.question) estate://help/\($0.rawValue)" })
        },
        "estate://about/sources": { _ in
          FixedScreen(
            title: "Sources", paragraphs: ["The homes are from a public list of sales around Sacramento."])
        },
      ], exposure: toPages)
    table.screen(at: "estate://topics/{topic:login|offers|refusals}", exposure: .moduleOnly) { request in
      let topic: HelpTopic = try request.input.value("topic")
      return FixedScreen(title: topic.question, paragraphs: [topic.answer])
    }
    table.fallback(under: "estate://help") { unrouted, context in
      guard let name = unrouted.url?.segments.first, let topic = HelpTopic(rawValue: name) else {
        throw RouteFallback.DeclinedError()
      }
      try await context.open("estate://topics/\(topic.rawValue)")
    }
  }
}

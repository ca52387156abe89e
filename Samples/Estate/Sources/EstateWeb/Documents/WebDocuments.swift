import EstateApp
import MortgageRoutes
import PageBridging
import Switchyard

/// The documents that the browser has open, at most eight; the oldest one is closed for another.
@MainActor final class WebDocuments {
  static let limit = 8

  private let mediator: Mediator
  private var open: [WebDocument] = []

  init(mediator: Mediator) { self.mediator = mediator }

  /// Opens the page about loans as a new document.
  func openLoanPage() throws(PageBridgeError) -> LoanPage {
    let document = try WebDocument(
      page: LoanPage.url, methods: [PageMethod(LoanPage.method, MortgageQuoteRoute.self)], mediator: mediator,
      token: KeptToken.random())
    if open.count == Self.limit { open.removeFirst().close() }
    open.append(document)
    return LoanPage(nonce: KeptToken.random(), token: document.token)
  }

  /// Returns the document of a token, or `nil` if there is none or it was closed.
  func document(_ token: String) -> WebDocument? { open.first { $0.token == token } }

  func close() {
    for document in open { document.close() }
    open = []
  }
}

import Mediation
import MortgageRoutes

/// The documents that the browser has open, so many at most; the one opened first gives way.
@MainActor final class WebDocuments {
  static let limit = 8

  private let mediator: Mediator
  private var open: [WebDocument] = []

  init(mediator: Mediator) { self.mediator = mediator }

  /// Opens the page about loans, with a bridge of its own.
  func openLoanPage() throws(PageBridgeError) -> LoanPage {
    let document = try WebDocument(
      page: LoanPage.url, methods: [PageMethod(LoanPage.method, MortgageQuoteRoute.self)], mediator: mediator,
      token: WebSession.randomToken())
    if open.count == Self.limit { open.removeFirst().close() }
    open.append(document)
    return LoanPage(nonce: WebSession.randomToken(), token: document.token)
  }

  /// The document of a token; nil if there is none, or it was left.
  func document(_ token: String) -> WebDocument? { open.first { $0.token == token } }

  /// Leaves all documents, and cancels what they asked for.
  func close() {
    for document in open { document.close() }
    open = []
  }
}

/// Offers loans: what the module provides to code that needs more than one quote.
///
/// Other modules find it by this type; a single quote is also at the URL of ``MortgageQuoteRoute``.
package protocol MortgageQuoting: Sendable {
  /// Returns a quote for each term that is offered, the shortest first.
  func quotes(price: Int, downPercent: Int) async throws -> [MortgageQuote]

  /// Returns the quote for one term.
  func quote(price: Int, downPercent: Int, years: Int) async throws -> MortgageQuote
}

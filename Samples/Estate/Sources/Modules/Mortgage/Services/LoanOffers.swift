import MortgageRoutes

/// Calculates loans from the rates of the day.
struct LoanOffers: MortgageQuoting {
  let rates: Rates

  func quotes(price: Int, downPercent: Int) async throws -> [MortgageQuote] {
    let rates = try await self.rates.load()
    return try rates.map(\.years).sorted().map { years in
      try LoanRequest(price: price, downPercent: downPercent, years: years).quote(from: rates)
    }
  }

  func quote(price: Int, downPercent: Int, years: Int) async throws -> MortgageQuote {
    // Checked before anything is loaded.
    let request = try LoanRequest(price: price, downPercent: downPercent, years: years)
    return try request.quote(from: try await rates.load())
  }
}

/// The response of `/v1/mortgage-rates`: constant, fictitious rates.
struct MortgageRatesBody: Encodable {
  struct Rate: Encodable {
    let years: Int
    let percent: Double
  }

  let rates = [
    Rate(years: 10, percent: 5.5), Rate(years: 15, percent: 5.75), Rate(years: 20, percent: 6.25),
    Rate(years: 30, percent: 6.5),
  ]
}

/// The interest rate for a term.
struct Rate: Decodable, Sendable, Hashable {
  let years: Int
  let percent: Double
}

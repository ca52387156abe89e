/// The interest for a time of repayment.
struct Rate: Decodable, Sendable, Hashable {
  let years: Int
  let percent: Double
}

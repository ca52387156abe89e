import APIManagers

/// Loads the interest rates of the day.
struct Rates {
  private struct Answer: Decodable {
    let rates: [Rate]
  }

  let host: HostApp

  func load() async throws -> [Rate] {
    let manager = await APIManager(RatesAPI(), in: host)
    let answer = try await manager.response(for: NoParams())
    return try answer.reformed(by: JSONReformer(Answer.self), from: manager.identity).rates
  }
}

import APIManagers
import Foundation
import Interception

/// Reforms a response of 1 MB of JSON to a list, and for comparison decodes its bytes by `JSONDecoder`.
public struct JSONLoad: Sendable {
  private struct House: Codable, Sendable {
    var id: Int
    var street: String
    var city: String
    var askingPrice: Double
    var bedrooms: Int
    var isSold: Bool
    var features: [String]
    var remarks: String?
  }

  private struct Page: Codable, Sendable {
    var total: Int
    var houses: [House]
  }

  /// The number of bytes of the response.
  public var size: Int { response.bytes.count }

  private let response: APIResponse
  private let manager: ManagerIdentity
  private let count: Int

  /// Writes the JSON.
  public init() throws {
    let houses = (0..<6_000).map { number in
      House(
        id: number, street: "\(number) Capitol Avenue", city: "Sacramento",
        askingPrice: 100_000 + Double(number) * 12.5, bedrooms: number % 6, isSold: number % 7 == 0,
        features: ["garden", "garage", "solar panels"],
        remarks: number % 3 == 0 ? "Built \(1_900 + number % 120), \"as is\"" : nil)
    }
    let content = try JSONEncoder().encode(Page(total: houses.count, houses: houses))
    count = houses.count
    manager = ManagerIdentity(api: HouseCount.identity)
    response = APIResponse(api: HouseCount.identity, bytes: Array(content))
  }

  /// Reforms the response `times` times.
  public func reform(_ times: Int) throws {
    let reformer = JSONReformer<Page>().map(\.houses)
    for _ in 0..<times { try check(try response.reformed(by: reformer, from: manager)) }
  }

  /// Decodes the response's bytes `times` times, as an app without the library would.
  public func decode(_ times: Int) throws {
    for _ in 0..<times {
      try check(try JSONDecoder().decode(Page.self, from: Data(response.bytes)).houses)
    }
  }

  private func check(_ houses: [House]) throws {
    guard houses.count == count else { throw UnexpectedCount(count: houses.count) }
  }
}

/// A list with other than the encoded houses.
private struct UnexpectedCount: Error {
  let count: Int
}

import BodyFormats
import Foundation
import HTTPTypes
import Interception
import Testing

@testable import APIManagers

/// One table for JSON, queries and forms: what is a single value in one of them is one in the others.
@Suite struct SingleValueTests {
  /// A param with a value, and the texts that stand for it.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The value in JSON; nil if it is refused there.
    let json: String?
    /// The query, as of a param `v`; nil if it is refused.
    let query: String?
    let requests: @Sendable () -> [Result<Request, ParamsError>]

    init<Value: Encodable & Sendable>(_ name: String, _ value: Value, json: String?, query: String?) {
      testDescription = name
      (self.json, self.query) = (json, query)
      requests = {
        let service = Service("estate", at: ServiceAddress(authority: "estate.example"))
        let encodings: [ParamsEncoding<Params<Value>>] = [.json, .query, .form]
        return encodings.map { encoding in
          let endpoint = Endpoint(service, "values", method: .post, path: "/", encoding: encoding)
          do throws(ParamsError) {
            return .success(
              try endpoint.request(for: Params(v: value), at: ServiceAddress(authority: "estate.example")))
          } catch {
            return .failure(error)
          }
        }
      }
    }

    init<Value: Encodable & Sendable>(_ name: String, _ value: Value, _ text: String) {
      self.init(name, value, json: text, query: "v=\(text)")
    }

    init<Value: Encodable & Sendable>(_ name: String, _ value: Value, quoted text: String, query: String) {
      self.init(name, value, json: "\"\(text)\"", query: "v=\(query)")
    }
  }

  private struct Params<Value: Encodable & Sendable>: Encodable, Sendable { let v: Value }

  /// Encodes itself as another value, as a wrapper of an identifier does.
  private struct Wrapped<Value: Encodable & Sendable>: Encodable, Sendable {
    let value: Value
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  private enum Kind: String, Encodable { case house = "a house" }
  private enum Floor: Int8, Encodable { case cellar = -1 }

  private static let date = Date(timeIntervalSince1970: 1_700_000_000.75)
  private static let data = Data([1, 2, 255, 254])
  private static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  private static let place = URL(string: "https://a.example/b?c=d")

  static let rows: [Row] = [
    Row("String", "a b", quoted: "a b", query: "a%20b"),
    Row("Bool", true, "true"),
    Row("Int", Int.min, "-9223372036854775808"),
    Row("UInt64", UInt64.max, "18446744073709551615"),
    Row("Int128", Int128.min, "-170141183460469231731687303715884105728"),
    Row("UInt128", UInt128.max, "340282366920938463463374607431768211455"),
    Row("Double", 0.5, "0.5"),
    Row("Float", Float(0.1), "0.1"),
    Row("a Double that is not a number", Double.nan, json: nil, query: nil),
    Row("an infinite Float", Float.infinity, json: nil, query: nil),
    Row("Decimal", Decimal(sign: .minus, exponent: -2, significand: 45_000_025), "-450000.25"),
    Row(
      "a Decimal of 38 digits", Decimal(string: "12345678901234567890123456789012345678"),
      "12345678901234567890123456789012345678"),
    Row(
      "a small Decimal", Decimal(sign: .plus, exponent: -26, significand: 1), "0.00000000000000000000000001"),
    Row("a Decimal that is not a number", Decimal.nan, json: nil, query: nil),
    Row("Data", data, quoted: "AQL//g==", query: "AQL%2F%2Fg%3D%3D"),
    Row("no Data", Data(), quoted: "", query: ""),
    Row("Date", date, quoted: "2023-11-14T22:13:20Z", query: "2023-11-14T22%3A13%3A20Z"),
    Row(
      "URL", place, quoted: "https://a.example/b?c=d", query: "https%3A%2F%2Fa.example%2Fb%3Fc%3Dd"),
    Row(
      "a relative URL", URL(string: "b?c", relativeTo: place), quoted: "https://a.example/b?c",
      query: "https%3A%2F%2Fa.example%2Fb%3Fc"),
    Row(
      "UUID", uuid, quoted: "01020304-0506-0708-090A-0B0C0D0E0F10",
      query: "01020304-0506-0708-090A-0B0C0D0E0F10"),
    Row("an enumeration of texts", Kind.house, quoted: "a house", query: "a%20house"),
    Row("an enumeration of numbers", Floor.cellar, "-1"),
    Row("a wrapped Decimal", Wrapped(value: Wrapped(value: Decimal(7))), "7"),
    Row("a wrapped Int128", Wrapped(value: Int128.max), "170141183460469231731687303715884105727"),
    Row("wrapped Data", Wrapped(value: data), quoted: "AQL//g==", query: "AQL%2F%2Fg%3D%3D"),
    Row("a wrapped enumeration", Wrapped(value: Kind.house), quoted: "a house", query: "a%20house"),
    Row("an Optional", Optional(Decimal(2)), "2"),
    Row("an Optional in a wrapper", Wrapped(value: Optional(uuid)), json: "\"\(uuid)\"", query: "v=\(uuid)"),
    Row("nil", Decimal?.none, json: "null", query: ""),
    Row("Decimals", [Decimal(1), Decimal(2)], json: "[1,2]", query: "v=1&v=2"),
    Row("UInt128s", [UInt128(1), 2], json: "[1,2]", query: "v=1&v=2"),
    Row(
      "a list of Data", [data, Data([1])], json: #"["AQL//g==","AQ=="]"#,
      query: "v=AQL%2F%2Fg%3D%3D&v=AQ%3D%3D"),
    Row("dates", [date], json: #"["2023-11-14T22:13:20Z"]"#, query: "v=2023-11-14T22%3A13%3A20Z"),
    Row("bytes", [UInt8]([1, 2]), json: "[1,2]", query: "v=1&v=2"),
  ]

  @Test("A value has the same text in JSON, in a query and in a form", arguments: rows)
  func texts(_ row: Row) {
    let requests = row.requests()
    let object = row.json.map { "{\"v\":\($0)}" }
    #expect(text(requests[0]) == object)
    #expect(query(requests[1]) == row.query)
    #expect(text(requests[2]) == row.query)
    for request in requests where object == nil {
      guard case .failure(let error) = request else { continue }
      #expect(error.field == "v")
    }
  }

  private func text(_ request: Result<Request, ParamsError>) -> String? {
    guard case .success(let request) = request else { return nil }
    return String(decoding: request.body.bytes ?? [], as: UTF8.self)
  }

  private func query(_ request: Result<Request, ParamsError>) -> String? {
    guard case .success(let request) = request else { return nil }
    let parts = (request.head.path ?? "").split(separator: "?", omittingEmptySubsequences: false)
    return parts.count == 2 ? String(parts[1]) : ""
  }

  private struct Nested: Encodable, Sendable {
    let point = ["x": [1]]
    let lists = [[Decimal(1)]]
  }

  @Test("An object and a list of lists are refused in a query, by their names")
  func nested() {
    for value in [Nested()] {
      #expect(throws: FormEncodingError.self) { try FormFields(encoding: value) }
      #expect(throws: FormEncodingError.self) { try FormFields(encoding: value.lists) }
    }
  }

  @Test("A Decimal that is not a number is refused in JSON, and its place is named")
  func notANumber() throws {
    struct House: Encodable { let name = "NaN: \"NaN\""; let prices: [Decimal] }
    #expect(
      String(decoding: try JSONCoding().encoded(House(prices: [1])), as: UTF8.self)
        == #"{"name":"NaN: \"NaN\"","prices":[1]}"#)
    do {
      _ = try JSONCoding().encode(House(prices: [1, .nan]))
      Issue.record("It must be refused.")
    } catch let error as NetworkError {
      #expect(error.kind == .invalidRequest)
      #expect("\(error)".contains("prices[1]"))
    }
  }

  @Test("Numbers of 128 bits are decoded, and one that its type can't hold is located")
  func wideNumbers() throws {
    struct House: Decodable, Equatable { let price: Int128; let sums: [UInt128] }
    let text = #"{"price":-170141183460469231731687303715884105728,"sums":[1]}"#
    #expect(try JSONCoding().decode(House.self, from: Array(text.utf8)) == House(price: .min, sums: [1]))
    do {
      _ = try JSONCoding().decode(House.self, from: Array(#"{"price":1,"sums":[1,-1]}"#.utf8))
      Issue.record("It must be refused.")
    } catch let error as BodyDecodingError {
      #expect(error.field == "sums[1]")
    }
  }
}

import Foundation

/// One request of a test, the server's response, and what both sides must observe.
struct SemanticsStep: Decodable, Sendable {
  /// Where the response must come from.
  enum Source: String, Decodable, Sendable {
    case cached
    case notCached = "not_cached"
    case validatedByTag = "etag_validated"
    case validatedByDate = "lm_validated"

    var isValidated: Bool { self == .validatedByTag || self == .validatedByDate }
  }

  /// A check that may be part of the preparation.
  enum Check: String, Decodable, Sendable {
    case source = "expected_type"
    case status = "expected_status"
    case fields = "expected_response_headers"
    case missingFields = "expected_response_headers_missing"
    case text = "expected_response_text"
    case method = "expected_method"
    case requestFields = "expected_request_headers"
    case missingRequestFields = "expected_request_headers_missing"
    case informational = "expected_interim_responses"
  }

  /// An informational response, sent before the final one.
  struct Informational: Decodable, Sendable {
    let status: Int
    let fields: [SemanticsField.Literal]

    init(from decoder: any Decoder) throws {
      var items = try decoder.unkeyedContainer()
      status = try items.decode(Int.self)
      fields = items.isAtEnd ? [] : try items.decode([SemanticsField.Literal].self)
    }
  }

  /// An expectation that may be null, which expects nothing.
  enum Given<Value: Decodable & Sendable>: Sendable {
    case absent
    case null
    case value(Value)

    var value: Value? { if case .value(let value) = self { value } else { nil } }
  }

  // The request.
  let method: String
  let requestFields: [SemanticsField]
  let requestBody: String?
  let filename: String?
  let query: String?
  /// The mode of the Fetch standard.
  let cacheMode: String?
  /// Whether the dates of `If-Modified-Since` are relative to the previous response.
  let hasMagicDates: Bool
  let pausesAfterwards: Bool

  // The response.
  let status: Int?
  let responseFields: [SemanticsField]
  let responseBody: Given<String>
  /// Whether `Location` and `Content-Location` are relative to the test's own URL.
  let hasMagicLocations: Bool
  let disconnects: Bool
  let delay: Int?
  let informational: [Informational]

  // The expectations.
  let source: Source?
  let expectedStatus: Given<Int>
  let expectedFields: [SemanticsExpectation]
  let missingFields: [SemanticsExpectation]
  let expectedText: Given<String>
  let checksBody: Bool
  let expectedMethod: String?
  let expectedRequestFields: [SemanticsExpectation]
  let missingRequestFields: [SemanticsExpectation]
  let expectedInformational: [Informational]

  private let isPreparation: Bool
  private let preparations: Set<Check>

  /// Whether a failed check only concerns the preparation.
  func isPreparation(_ check: Check) -> Bool { isPreparation || preparations.contains(check) }
}

extension SemanticsStep {
  private enum CodingKeys: String, CodingKey {
    case method = "request_method"
    case requestFields = "request_headers"
    case requestBody = "request_body"
    case filename
    case query = "query_arg"
    case cacheMode = "cache"
    case hasMagicDates = "magic_ims"
    case pausesAfterwards = "pause_after"
    case status = "response_status"
    case responseFields = "response_headers"
    case responseBody = "response_body"
    case hasMagicLocations = "magic_locations"
    case disconnects = "disconnect"
    case delay = "response_pause"
    case informational = "interim_responses"
    case source = "expected_type"
    case expectedStatus = "expected_status"
    case expectedFields = "expected_response_headers"
    case missingFields = "expected_response_headers_missing"
    case expectedText = "expected_response_text"
    case checksBody = "check_body"
    case expectedMethod = "expected_method"
    case expectedRequestFields = "expected_request_headers"
    case missingRequestFields = "expected_request_headers_missing"
    case expectedInformational = "expected_interim_responses"
    case isPreparation = "setup"
    case preparations = "setup_tests"
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func flag(_ key: CodingKeys, else other: Bool = false) throws -> Bool {
      try values.decodeIfPresent(Bool.self, forKey: key) ?? other
    }
    func text(_ key: CodingKeys) throws -> String? { try values.decodeIfPresent(String.self, forKey: key) }
    func list<Element: Decodable>(_ key: CodingKeys) throws -> [Element] {
      try values.decodeIfPresent([Element].self, forKey: key) ?? []
    }
    func given<Value: Decodable>(_ key: CodingKeys) throws -> Given<Value> {
      guard values.contains(key) else { return .absent }
      return try values.decodeIfPresent(Value.self, forKey: key).map { .value($0) } ?? .null
    }
    method = try text(.method) ?? "GET"
    requestFields = try list(.requestFields)
    requestBody = try text(.requestBody)
    filename = try text(.filename)
    query = try text(.query)
    cacheMode = try text(.cacheMode)
    hasMagicDates = try flag(.hasMagicDates)
    pausesAfterwards = try flag(.pausesAfterwards)
    if values.contains(.status) {
      var status = try values.nestedUnkeyedContainer(forKey: .status)
      self.status = try status.decode(Int.self)
    } else {
      status = nil
    }
    responseFields = try list(.responseFields)
    responseBody = try given(.responseBody)
    hasMagicLocations = try flag(.hasMagicLocations)
    disconnects = try flag(.disconnects)
    delay = try values.decodeIfPresent(Int.self, forKey: .delay)
    informational = try list(.informational)
    source = try values.decodeIfPresent(Source.self, forKey: .source)
    expectedStatus = try given(.expectedStatus)
    expectedFields = try list(.expectedFields)
    missingFields = try list(.missingFields)
    expectedText = try given(.expectedText)
    checksBody = try flag(.checksBody, else: true)
    expectedMethod = try text(.expectedMethod)
    expectedRequestFields = try list(.expectedRequestFields)
    missingRequestFields = try list(.missingRequestFields)
    expectedInformational = try list(.expectedInformational)
    isPreparation = try flag(.isPreparation)
    preparations = Set(try values.decodeIfPresent([Check].self, forKey: .preparations) ?? [])
  }
}

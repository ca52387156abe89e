import HTTPTypes
import Interception
public import ResponseCaching
import SwitchyardTesting

/// The rules about which response is kept and returned that every store must follow, see `ResponseStore`.
///
/// The rules are checked through a cache, each with a target of its own, so that one store serves for all.
public struct ResponseStoreConformance: Sendable {
  /// The wall clock, which doesn't advance: Sun, 06 Nov 1994 08:49:37 GMT.
  private static let now = WallTime(secondsSince1970: 784_111_777)

  private let store: any ResponseStore
  private let memory: MemoryStore?

  /// Creates the checks of a store, alone or under one in memory.
  public init(_ store: any ResponseStore, under memory: MemoryStore? = nil) {
    self.store = store
    self.memory = memory
  }

  /// Returns a sentence for each rule that the store breaks.
  public func violations() async throws -> [String] {
    var violations: [String] = []
    if try await kept("/late", agesOfDates: [5, 9]) != "1" {
      violations.append("A response that arrived late has replaced a newer one.")
    }
    if try await kept("/next", agesOfDates: [9, 5]) != "2" {
      violations.append("A newer response has not replaced an older one.")
    }
    if try await kept("/undated", agesOfDates: [nil, nil]) != "2" {
      violations.append("Without dates the later response has not replaced the earlier one.")
    }
    if try await kept("/variants-1", agesOfDates: [5, 9], areVariants: true) != "1" {
      violations.append("Of two variants that match, the one stored later is used although it is older.")
    }
    if try await kept("/variants-2", agesOfDates: [9, 5], areVariants: true) != "2" {
      violations.append("Of two variants that match, the one stored first is used although it is older.")
    }
    if try await kept("/removed", agesOfDates: [5, 9], isRemoved: true) != "2" {
      violations.append("A response that was removed prevents storing an older one.")
    }
    violations += try await violationsOfParts()
    return violations
  }

  /// Returns a sentence for each rule about parts that the store breaks.
  private func violationsOfParts() async throws -> [String] {
    let content = Array("0123456789".utf8)
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      let range = request.head.headerFields[.range]
      let bounds =
        range == "bytes=0-4" ? 0..<5 : range == "bytes=5-9" || range == "bytes=5-" ? 5..<10 : 0..<10
      var fields: HTTPFields = [
        .cacheControl: "max-age=60", .eTag: "\"a\"", .contentLength: String(bounds.count),
        .date: HTTPDate.format(Self.now),
      ]
      if range != nil { fields[.contentRange] = "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/10" }
      return Response(
        status: range == nil ? .ok : .partialContent, headerFields: fields, bytes: Array(content[bounds]))
    }
    let chain = server.intercepted(
      by: CachingInterceptor(memory: memory, store: store, time: TimeSource(TestClock()) { Self.now }))
    func send(_ path: String, _ range: String?, _ mode: CacheRule.Mode = .useFresh) async throws -> String? {
      var request = Request(method: .get, authority: "store.example", path: path)
      request.head.headerFields[.range] = range
      request.context.cacheRule = .stated().with(mode)
      guard let response = try? await chain.dispatch(request) else { return nil }
      return String(decoding: try await response.body.collect(upTo: 99), as: UTF8.self)
    }
    var violations: [String] = []
    _ = try await send("/whole", nil)
    if try await send("/whole", "bytes=-3", .onlyStored) != "789" {
      violations.append("A range is not served from a stored response.")
    }
    _ = try await send("/parts", "bytes=0-4")
    if try await send("/parts", "bytes=1-2", .onlyStored) != "12" {
      violations.append("A range is not served from a stored part.")
    }
    if try await send("/parts", nil, .onlyStored) != nil {
      violations.append("A part is used as the whole.")
    }
    _ = try await send("/parts", "bytes=5-9")
    if try await send("/parts", nil, .onlyStored) != "0123456789" {
      violations.append("Two parts that are the whole are not combined.")
    }
    _ = try await send("/rest", "bytes=0-4")
    _ = try await send("/rest", nil)
    if server.requests.last?.head.headerFields[.range] != "bytes=5-" {
      violations.append("A stored part is not completed by its rest.")
    }
    if try await send("/rest", nil, .onlyStored) != "0123456789" {
      violations.append("A part that was completed is not stored as the whole.")
    }
    return violations
  }

  /// Stores two responses to requests for a target, and returns the one that a request then gets.
  ///
  /// - Parameters:
  ///   - ages: How many seconds ago the server has created each, by its `Date`; nil for no such field.
  ///   - areVariants: Whether the first one depends on the language, and the second one, which a request for
  ///     another language got, on nothing.
  ///   - isRemoved: Whether the first one is removed, by its tag, before the second one is stored.
  private func kept(
    _ path: String, agesOfDates ages: [Int?], areVariants: Bool = false,
    isRemoved: Bool = false
  ) async throws -> String? {
    let server = ScriptedDispatcher { _, number throws(NetworkError) in
      var fields: HTTPFields = [:]
      if areVariants, number == 1 { fields[.vary] = "Accept-Language" }
      fields[.date] = ages[min(number, ages.count) - 1].map {
        HTTPDate.format(Self.now.advanced(by: .seconds(-$0)))
      }
      return Response(status: .ok, headerFields: fields, bytes: Array("\(number)".utf8))
    }
    let cache = CachingInterceptor(
      memory: memory, store: store, time: TimeSource(TestClock()) { Self.now })
    let chain = server.intercepted(by: cache)
    func send(_ mode: CacheRule.Mode, language: String = "de") async throws -> String {
      var request = Request(
        method: .get, authority: "store.example", path: path, headerFields: [.acceptLanguage: language])
      request.context.cacheRule = .timed(.seconds(60)).with(mode)
      request.context.cacheTags = ["removed"]
      return String(decoding: try await chain.dispatch(request).body.collect(upTo: 99), as: UTF8.self)
    }
    _ = try await send(.reload)
    if isRemoved { await cache.wipe(tags: ["removed"]) }
    _ = try await send(.reload, language: areVariants ? "en" : "de")
    return try? await send(.onlyStored)
  }
}

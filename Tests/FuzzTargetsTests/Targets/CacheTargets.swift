import Cryptography
import HTTPTypes
import Interception

@testable import ResponseCaching

extension FuzzTarget {
  private static let moment = CacheInstant(wall: WallTime(secondsSince1970: 1_790_000_000), steady: .zero)

  static let cacheControl = FuzzTarget(
    name: "cache-control", reads: "Cache-Control, Expires, Age, Vary and validators",
    seeds: texts(
      "max-age=60, private=\"a, b\", no-cache=\"set-cookie\"\nSun, 06 Nov 2094 08:49:37 GMT\n5\nAccept, X-A\n\"e\"",
      "s-maxage=1, must-revalidate, stale-while-revalidate=30, max-stale, min-fresh=x\n0\n-1\n*\nW/\"x\"",
      "public, no-store=\"a\\\"b\", x=\"unclosed, max-age=9999999999999999999", "max-age=\"60\", immutable,,"),
    words: [
      "max-age=", "no-store", "no-cache", "private", "public", "must-understand", "immutable", "s-maxage=",
      "\"",
      "\\\"", ", ", "=", "stale-if-error=", "max-stale", "only-if-cached", "GMT", "W/\"", "*", "\n",
    ]
  ) { bytes in
    let lines = bytes.split(separator: 0x0A, maxSplits: 4, omittingEmptySubsequences: false).map { text($0) }
    let control = CacheControl(lines[0])
    for value in ["\(lines[0]), no-store", "no-store, \(lines[0])"] {
      try require(CacheControl(value).noStore, "A no-store beside other directives is obeyed.", value)
    }
    let uppercased = String(
      decoding: lines[0].utf8.map { (0x61...0x7A).contains($0) ? $0 - 32 : $0 }, as: UTF8.self)
    try require(
      CacheControl(uppercased) == control, "The case of Cache-Control is insignificant.", uppercased)
    for time in [
      control.maxAge, control.sharedMaxAge, control.staleIfError, control.maxStale, control.minFresh,
    ] {
      try require(
        (Duration.zero...(.seconds(1 << 31))).contains(time ?? .zero), "A time is one of 0 to 2^31 s.")
    }
    var fields: HTTPFields = [:]
    for (name, value) in zip([HTTPField.Name.cacheControl, .expires, .age, .vary, .eTag], lines) {
      fields[name] = value
    }
    fields[.date] = "Sun, 06 Nov 2094 08:49:37 GMT"
    let head = HTTPResponse(status: .ok, headerFields: fields)
    for rule in [CacheRule.timed(.seconds(600)), .stated(limit: .seconds(600))] {
      let freshness = Freshness(of: head, requested: moment, received: moment, rule: rule)
      try require(freshness.initialAge >= .zero, "An age is not negative.", "\(freshness)")
      try require(
        freshness.lifetime <= .seconds(600), "A lifetime is at most that of the rule.", "\(freshness)")
    }
    if let selector = VariantSelector(of: head, to: [:], leavingOut: VolatileParts()) {
      try require(selector.matches([:]), "A response matches the request that it was made for.")
      try require(
        VariantSelector(encoded: selector.encoded), equals: selector, "A selector is read as written.")
    }
    if let validators = Validators(fields) {
      try require(validators.confirm(validators), "Equal validators confirm a response.", "\(validators)")
    }
  }
}

extension FuzzTarget {
  static let cacheKey = FuzzTarget(
    name: "cache-key", reads: "targets of requests, as a server can name them in a redirect",
    maximumLength: 16_384,
    seeds: texts("/a?b=c&a=d", "?z&y&x&w", "/a?a=1&a=2&%61=3", "", "/?&&=&==&a"),
    words: ["?", "&", "=", "a=", "%61", "#", "/"]
  ) { bytes in
    // HTTPTypes replaces control characters, and removes spaces at the end.
    guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return }
    let (path, query) = parts(text(bytes))
    guard let own = key(path, query) else { throw BrokenLaw(law: "Every request has a key.", evidence: "") }
    // A stable sort by name leaves pairs of the same name in their order.
    let named = query.enumerated().map { index, pair in
      (name: Array(pair.utf8.prefix { $0 != UInt8(ascii: "=") }), index: index, pair: pair)
    }
    let sorted = named.sorted { left, right in
      left.name == right.name ? left.index < right.index : left.name.lexicographicallyPrecedes(right.name)
    }.map(\.pair)
    try require(
      key(path, sorted)?.encoded, equals: own.encoded, "The order of other parameters is insignificant.")
    try require(
      CacheKey(encoded: own.encoded)?.preimage, equals: own.preimage, "A key is read as it was written.")
  }

  private static func parts(_ target: String) -> (path: String, query: [String]) {
    let halves = target.utf8.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    let query =
      halves.dropFirst().first?.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) ?? []
    return (String(Substring(halves[0])), query.map { String(Substring($0)) })
  }

  private static func key(_ path: String, _ query: [String]) -> CacheKey? {
    let target = query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    return CacheKey(
      Request(method: .get, scheme: "https", authority: "api.example", path: target),
      leavingOut: VolatileParts())
  }
}

extension FuzzTarget {
  private static let sample: StoredResponse? = {
    var request = Request(method: .get, scheme: "https", authority: "api.example", path: "/a?b=c")
    request.context.partition = "p"
    return CacheKey(request, leavingOut: VolatileParts()).map { key in
      StoredResponse(
        key: key, selector: VariantSelector(names: [], digest: nil),
        head: HTTPResponse(
          status: .ok,
          headerFields: [
            .cacheControl: "max-age=60", .date: "Sun, 06 Nov 1994 08:49:37 GMT", .contentLength: "0",
          ]),
        body: [], trailers: [.expires: "0"],
        freshness: Freshness(received: moment, initialAge: .seconds(1), lifetime: .seconds(60)), tags: ["t"])
    }
  }()

  static let storedResponse = FuzzTarget(
    name: "stored-response", reads: "stored responses, keys and selectors, whose checksum is made correct",
    seeds: sample.map { sample in
      [Array(sample.encodedHead().dropLast(HashValue.size + 8)), sample.key.encoded, sample.selector.encoded]
    } ?? [],
    words: ["\0\0\0\0\0\0\0\u{1}", "\0\0\0\0\0\0\0\0", "switchyard response 2"]
  ) { bytes in
    if let key = CacheKey(encoded: bytes) {
      let again = CacheKey(encoded: key.encoded)
      try require(again?.encoded, equals: key.encoded, "A key, written again, is the same.")
      try require(again?.preimage, equals: key.preimage, "A key, written again, is the same.")
    }
    if let selector = VariantSelector(encoded: bytes) {
      try require(selector.encoded, equals: bytes, "A selector is written as read.")
    }
    _ = StoredResponse(encoded: bytes)
    guard let sample, let checksum = try? HashValue(sha256: bytes) else { return }
    var end = LengthPrefixed()
    end.append(checksum.bytes)
    let head = bytes + end.bytes
    guard let response = StoredResponse(encodedHead: head, body: []) else { return }
    let written = response.encodedHead()
    guard let again = StoredResponse(encodedHead: written, body: []) else {
      throw BrokenLaw(law: "A stored response, written again, can be read.", evidence: "")
    }
    try require(again.encodedHead(), equals: written, "A stored response, written again, is the same.")
    try use(response, beside: sample)
  }

  /// Does with a stored response what a cache does; none of it may trap.
  private static func use(_ response: StoredResponse, beside sample: StoredResponse) throws {
    _ = response.isOlder(than: sample)
    _ = sample.isOlder(than: response)
    let now = CacheInstant(wall: WallTime(secondsSince1970: 1_790_000_100), steady: .seconds(100))
    let age = response.freshness.age(at: now)
    _ = response.freshness.remaining(at: now, limit: .seconds(600))
    _ = response.freshness.isWithinStaleWindow(at: now, limit: .seconds(600))
    _ = response.response(age: age)
    _ = response.control(for: .shared)
    _ = response.excerpt(.from(0), age: age)
    _ = response.combined(with: sample.head, sample.body, exchange: Exchange(), received: now.wall)
    _ = sample.combined(with: response.head, response.body, exchange: Exchange(), received: now.wall)
    _ = response.selector.matches([:])
    _ = response.head.headerFields.updated(by: sample.head.headerFields, received: now.wall)
  }
}

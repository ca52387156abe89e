import Foundation

@testable import Mediation

extension FuzzTarget {
  static let routeURL = FuzzTarget(
    name: "route-url", reads: "URLs of links and pushes, by the URL profile", maximumLength: 9_000,
    seeds: texts(
      "estate://home/42", "estate://home/42?tab=map&a=b+c%20d&=&x=#end",
      "https://estate.example:8443/a%2Fb/é",
      "http://[2001:db8::7]:80/", "HTTPS://Estate.Example./x", "estate://a%C3%A9b/%F0%9F%8F%A0",
      "estate://home/%2e%2e/..", "estate://user@host", "https://a..b/", "estate://h?a=%00"),
    words: [
      "://", "%2F", "%2e", "%C3%A9", "https", "estate", "?", "&", "=", "#", "[::1]", ":443", "@", "\\", "..",
    ]
  ) { bytes in
    let text = text(bytes)
    let url = try? RouteURL(text)
    try require(
      RouteURL.isReadable(text), equals: url != nil, "isReadable and the initializer agree on every text.")
    guard let url else { return }
    guard let head = try? URLHead(text) else {
      throw BrokenLaw(law: "The head of every URL can be read alone.", evidence: "")
    }
    try require(
      [head.scheme, head.host, head.port.map(String.init) ?? ""],
      equals: [url.scheme, url.host, url.port.map(String.init) ?? ""],
      "A URL and its head alone have the same scheme, host and port.")
    let printed = written(url)
    if printed.utf8.count <= 8_192 {
      guard let again = try? RouteURL(printed) else {
        throw BrokenLaw(law: "The parts of a URL, encoded again, are a URL.", evidence: printed)
      }
      try require(parts(again), equals: parts(url), "The parts of a URL, encoded again, are the same parts.")
    }
    try compareWithFoundation(url)
  }

  private static func parts(_ url: RouteURL) -> [[String]] {
    [
      [url.scheme, url.host, url.port.map(String.init) ?? "", url.fragment ?? "-"], url.segments,
      url.query.flatMap { [$0.name, $0.value] },
    ]
  }

  private static func written(_ url: RouteURL) -> String {
    var text = "\(url.scheme)://\(url.isWeb ? url.host : PercentEncoding.encode(url.host))"
    if let port = url.port { text += ":\(port)" }
    for segment in url.segments { text += "/" + PercentEncoding.encode(segment) }
    let fields = url.query.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
    if !fields.isEmpty { text += "?" + fields.joined(separator: "&") }
    return text + (url.fragment.map { "#" + PercentEncoding.encode($0) } ?? "")
  }

  /// Compares with Foundation's parser, where it reads the text too: its grammar is that of RFC 3986.
  private static func compareWithFoundation(_ url: RouteURL) throws {
    guard url.text.utf8.allSatisfy({ $0 < 0x80 }),
      let other = URLComponents(string: url.text, encodingInvalidCharacters: false), let host = other.host
    else { return }
    let law = "Foundation reads the same parts of a URL."
    try require(url.scheme, equals: (other.scheme ?? "").lowercased(), law)
    let isDefault = other.port == (url.scheme == "https" ? 443 : 80)
    try require(url.port, equals: isDefault ? nil : other.port, law)
    let dotless = url.isWeb && host.hasSuffix(".") ? String(host.dropLast()) : host
    let bare = url.host.hasPrefix("[") ? String(url.host.dropFirst().dropLast()) : url.host
    try require(
      bare,
      equals: asciiLowercased(dotless.hasPrefix("[") ? String(dotless.dropFirst().dropLast()) : dotless), law)
    var path = other.percentEncodedPath.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    if path.last == "" { path = path.dropLast() }
    try require(url.segments, equals: path.map { String($0).removingPercentEncoding ?? "" }, law)
    try require(url.fragment, equals: other.fragment, law)
  }

  private static func asciiLowercased(_ text: String) -> String {
    String(decoding: text.utf8.map(URLHead.lowercase), as: UTF8.self)
  }
}

extension FuzzTarget {
  static let routePattern = FuzzTarget(
    name: "route-pattern", reads: "patterns of routes, as in a server's redirect tables",
    seeds: texts(
      "estate://home/{id:int}?tab={tab?}\nestate://home/{id}", "https://estate.example/{path...}",
      "estate://a/{k:house|condo|multi}\nestate://a/{x:text?}",
      "estate://s/{x:double}?a={b:bool}&c={d:uuid?}",
      "estate://%41b/%2F/{y:int?}\nestate://%41b/%2F", "estate://h/{a:b|c%7Cd}"),
    words: [
      "://", "{a}", "{b...}", "{c:int}", "{d:double?}", "{e:x|y}", "?k={v}", "&", ":text", ":uuid", ":bool",
    ]
  ) { bytes in
    let lines = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    let patterns = try lines.compactMap { line -> RoutePattern? in
      guard let pattern = try? RoutePattern(text(line)) else { return nil }
      try check(pattern)
      return pattern
    }
    guard patterns.count == 2 else { return }
    let (one, other) = (patterns[0], patterns[1])
    let relation = one.relation(to: other)
    let inverse: [RoutePattern.Relation: RoutePattern.Relation] = [
      .same: .same, .narrower: .wider, .wider: .narrower, .overlapping: .overlapping, .disjoint: .disjoint,
    ]
    try require(
      other.relation(to: one), equals: inverse[relation] ?? .disjoint,
      "The relation of two patterns is the inverse of that in the other direction.")
    guard relation != .disjoint else { return }
    let sample = one.sampleURL(with: other)
    guard RouteURL.isReadable(sample) else { return }
    try require(
      one.matches(sample) && other.matches(sample), "Two patterns that meet both match the sample URL.",
      sample)
  }

  private static func check(_ pattern: RoutePattern) throws {
    let printed = written(pattern)
    if printed.utf8.count <= 8_192 {
      guard let again = try? RoutePattern(printed) else {
        throw BrokenLaw(law: "The parts of a pattern, encoded again, are a pattern.", evidence: printed)
      }
      try require(
        again.segments == pattern.segments && again.fields == pattern.fields
          && again.isLastOptional == pattern.isLastOptional && again.scheme == pattern.scheme,
        "The parts of a pattern, encoded again, are the same parts.", printed)
    }
    try require(pattern.relation(to: pattern), equals: .same, "A pattern matches the same URLs as itself.")
  }

  private static func written(_ pattern: RoutePattern) -> String {
    var path: [String] = []
    for (index, segment) in pattern.segments.enumerated() {
      let mark = pattern.isLastOptional && index == pattern.segments.count - 1 ? "?" : ""
      switch segment {
      case .literal(let text): path.append(index == 0 ? pattern.writtenHost : PercentEncoding.encode(text))
      case .value(let name, let kind): path.append("{\(name):\(word(kind))\(mark)}")
      case .rest(let name): path.append("{\(name)...}")
      }
    }
    let fields = pattern.fields.map { field in
      "\(PercentEncoding.encode(field.key))={\(field.name):\(word(field.kind))\(field.isOptional ? "?" : "")}"
    }
    return "\(pattern.scheme)://\(path.joined(separator: "/"))"
      + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
  }

  private static func word(_ kind: RoutePattern.ValueKind) -> String {
    kind.texts.flatMap { kind == .bool ? nil : $0.map(PercentEncoding.encode).joined(separator: "|") }
      ?? "\(kind)"
  }
}

import Foundation

@testable import Interception

extension FuzzTarget {
  static let fieldValues = FuzzTarget(
    name: "field-values", reads: "media types, addresses, ports, percent-encoding and queries",
    seeds: texts(
      "text/html; charset=utf-8", "1.2.3.4", "2001:db8::7", "::ffff:1.2.3.4", "0x7f.1", "0177.0.0.1", "65535",
      "/a?b=c&d+e=%41%4&&=&f", "1::2:3:4:5:6:7", "a%2Fb/%zz"),
    words: ["::", ".", ":", "0x", "%41", "&", "=", "?", "+", "/", ";", "ffff"]
  ) { bytes in
    let text = text(bytes)
    _ = MediaTypeSyntax.isValid(text)
    let essence = MediaTypeSyntax.essence(of: text)
    try require(MediaTypeSyntax.essence(of: essence), equals: essence, "A media type's essence is its own.")
    try checkAddress(text)
    if let port = AuthoritySyntax.port(text[...]) {
      try require("\(port)", equals: text, "A port has one spelling.")
    }
    if isAddressOfResolvers(text) != nil, IPAddress(text) == nil {
      try require(
        AuthoritySyntax.isAmbiguous(host: text[...]), "What only resolvers read as an address is ambiguous.")
    }
    try require(
      PercentEncoding.component(text).removingPercentEncoding, equals: text,
      "An encoded text is decoded to itself.")
    let path = PercentEncoding.path(text)
    try require(PercentEncoding.path(path), equals: path, "An encoded path stays as it is.")
    try checkQuery(text)
  }

  private static func checkAddress(_ text: String) throws {
    var (short, long) = (in_addr(), in6_addr())
    // A null byte ends the text for the C library.
    let isText = !text.utf8.contains(0)
    let isAddress = isText && (inet_pton(AF_INET, text, &short) == 1 || inet_pton(AF_INET6, text, &long) == 1)
    let address = IPAddress(text)
    try require(address != nil, equals: isAddress, "The C library reads the same texts as addresses.")
    guard let address else { return }
    try require(IPAddress("\(address)"), equals: address, "The canonical form of an address is that address.")
    let theirs =
      address.isVersion6 ? withUnsafeBytes(of: long) { Array($0) } : withUnsafeBytes(of: short) { Array($0) }
    try require(address.bytes, equals: theirs, "The C library reads the same address.")
  }

  private static func checkQuery(_ text: String) throws {
    let query = QueryItems(text)
    let written = query.items.map { item in
      [item.name, item.value].map { PercentEncoding.encode($0) { _ in false } }.joined(separator: "=")
    }
    let again = QueryItems(query.path + "?" + written.joined(separator: "&"))
    try require(again, equals: query, "The pairs of a query, encoded again, are the same pairs.")
  }
}

extension FuzzTarget {
  private static let now = WallTime(secondsSince1970: 1_790_000_000)

  static let dates = FuzzTarget(
    name: "dates", reads: "dates of header fields", maximumLength: 256,
    seeds: texts(
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
      "Tue, 29 Feb 2028 23:59:60 GMT", "0", "Thu, 01 Jan 1970 00:00:00 GMT", "01-Jan-70 00:00:00 GMT",
      "\u{80}\0\0\0\0\0\0\0", "12345678"),
    words: ["GMT", "Nov", "Feb", "Sun", "Sunday", "1994", "94", ":", "-", ",", " 6", "29", "60", "23:59:59"]
  ) { bytes in
    let text = text(bytes)
    if let time = HTTPDate.parse(text, now: now) {
      let printed = HTTPDate.format(time)
      try require(HTTPDate.parse(printed, now: now), equals: time, "A date, written again, is the same time.")
      if printed == text {
        try require(time.seconds, equals: secondsOfCLibrary(text), "The C library reads the same time.")
      }
    }
    guard bytes.count >= 8 else { return }
    // Any time can be written.
    let seconds = bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    let printed = HTTPDate.format(WallTime(secondsSince1970: seconds))
    // The years with four digits.
    if (-62_167_219_200...253_402_300_799).contains(seconds), let time = HTTPDate.parse(printed, now: now) {
      try require(time.seconds, equals: seconds, "A time, written and read, is the same.")
    }
  }

  private static func secondsOfCLibrary(_ text: String) -> Int64? {
    let words = text.split { " :,".contains($0) }
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let numbers = words.compactMap { Int32($0) }
    guard numbers.count == 5, words.count == 8, let month = months.firstIndex(of: String(words[2])) else {
      return nil
    }
    var parts = tm()
    (parts.tm_mday, parts.tm_mon, parts.tm_year) = (numbers[0], Int32(month), numbers[1] - 1_900)
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[2], numbers[3], numbers[4])
    return Int64(timegm(&parts))
  }

  static let retryAfter = FuzzTarget(
    name: "retry-after", reads: "Retry-After, with the response's Date", maximumLength: 256,
    seeds: texts(
      "120", " 5 ", "99999999999999999999", "Sun, 06 Nov 1994 08:49:37 GMT\nSun, 06 Nov 1994 08:49:07 GMT",
      "Fri, 31 Dec 9999 23:59:59 GMT\nSat, 01 Jan 0000 00:00:00 GMT", "-1", "1.5"),
    words: ["GMT", "Nov", "1994", "9999", "\n", "0"]
  ) { bytes in
    let lines = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false).map(text)
    guard let wait = RetryAfter.wait(lines[0], date: lines.dropFirst().first, now: now) else { return }
    try require(wait >= .zero, "A wait is not negative.", "\(wait)")
    try require(wait + wait > .zero || wait == .zero, "Waits can be added.")
    if let seconds = UInt32(lines[0]) {
      try require(wait, equals: .seconds(Int64(seconds)), "A number is one of seconds.")
    }
  }
}

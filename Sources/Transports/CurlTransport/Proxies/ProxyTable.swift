import Interception

/// A proxy policy whose entries were parsed.
struct ProxyTable: Sendable {
  private struct Rule: Sendable {
    let hosts: [HostPattern]
    let scheme: WebOrigin.Scheme?
    let proxy: Proxy?
  }

  private let exceptions: [HostPattern]
  private let rules: [Rule]
  private let proxy: Proxy?

  /// Parses the entries of a policy; the error names the first one that is not understood.
  init(_ policy: ProxyPolicy) throws(NetworkError) {
    exceptions = try Self.patterns(policy.exceptions, of: "ProxyPolicy(except:)")
    var rules: [Rule] = []
    for rule in policy.rules {
      var scheme: WebOrigin.Scheme?
      if let text = rule.scheme {
        scheme = WebOrigin.Scheme(rawValue: text.lowercased())
        guard scheme != nil else {
          throw .invalidRequest(
            "The scheme \"\(text.printable)\" of a ProxyPolicy.Rule is none of a request; write http or https, or leave "
              + "it out.")
        }
      }
      rules.append(
        Rule(
          hosts: try Self.patterns(rule.hosts, of: "ProxyPolicy.Rule(for:)"), scheme: scheme,
          proxy: rule.proxy))
    }
    self.rules = rules
    proxy = policy.proxy
  }

  /// The proxy for the requests of an origin; nil if they connect directly.
  func proxy(for origin: WebOrigin) -> Proxy? {
    if exceptions.isEmpty, rules.isEmpty { return proxy }
    let place = HostPattern.Place(host: origin.host, port: origin.port)
    if exceptions.contains(where: { $0.covers(place) }) { return nil }
    let rule = rules.first { rule in
      rule.scheme ?? origin.scheme == origin.scheme && rule.hosts.contains { $0.covers(place) }
    }
    return rule.map(\.proxy) ?? proxy
  }

  private static func patterns(_ texts: [String], of place: String) throws(NetworkError) -> [HostPattern] {
    var patterns: [HostPattern] = []
    for text in texts {
      guard let pattern = HostPattern(text) else {
        throw .invalidRequest("The entry \(HostPattern.shown(text)) of \(place) \(HostPattern.remedy)")
      }
      patterns.append(pattern)
    }
    return patterns
  }
}

/// A host, some hosts or addresses, as an entry of a proxy policy names them.
struct HostPattern: Sendable, Hashable {
  /// A host and port to which patterns are compared.
  struct Place {
    let host: String
    let address: ScopedAddress?
    let port: Int

    init(host: String, port: Int) {
      self.host = AuthoritySyntax.comparable(host: host)
      let isBracketed = self.host.utf8.first == UInt8(ascii: "[")
      address = try? ScopedAddress(isBracketed ? self.host.dropFirst().dropLast() : self.host[...])
      self.port = port
    }
  }

  private enum Hosts: Sendable, Hashable {
    case all
    /// Names of one label.
    case local
    /// A name, and its subdomains.
    case domain(String)
    /// The names that match a text in which `*` stands for any characters.
    case names([UInt8])
    /// The IPv4 addresses whose usual form matches such a text.
    case addresses([UInt8])
    case address(ScopedAddress)
    case range(AddressRange)
  }

  private let hosts: Hosts
  /// The port; nil for all.
  private let port: Int?

  /// What to do with an entry that is not understood, as the rest of a sentence.
  static let remedy =
    "is not understood; write a host such as example.com, an address, a range such as 10.0.0.0/8, a pattern such as "
    + "*.example.com, <local>, or *, each with a port after a colon if it is for that port alone."

  /// An entry as an error shows it: one that may hold a password is not shown.
  static func shown(_ text: String) -> String {
    text.contains("@") ? "with user information" : "\"\(text.printable)\""
  }

  /// Parses an entry; nil if it is not understood, or can match no host.
  init?(_ text: String) {
    let text = text[...].trimmingWhitespace().lowercased()
    guard let (host, port) = Self.divided(text[...]), let hosts = Self.hosts(host) else { return nil }
    self.hosts = hosts
    self.port = port
  }

  func covers(_ place: Place) -> Bool {
    guard port == nil || port == place.port else { return false }
    switch hosts {
    case .all: return true
    case .local: return place.address == nil && !place.host.utf8.contains(UInt8(ascii: "."))
    // An address has no subdomains.
    case .domain(let name):
      return place.address == nil && (place.host == name || place.host.hasSuffix("." + name))
    case .names(let pattern): return place.address == nil && Self.matches(Array(place.host.utf8), pattern)
    case .addresses(let pattern):
      guard let address = place.address?.address, !address.isVersion6 else { return false }
      return Self.matches(Array(place.host.utf8), pattern)
    case .address(let own):
      guard let other = place.address, other.address == own.address else { return false }
      return own.zone == nil || own.zone == other.zone?.lowercased()
    case .range(let range): return place.address.map { range.contains($0.address) } ?? false
    }
  }

  /// Splits off a port, which follows the last colon unless that is part of an IPv6 address.
  private static func divided(_ text: Substring) -> (host: Substring, port: Int?)? {
    guard text.first != "[" else {
      guard let end = text.lastIndex(of: "]") else { return nil }
      let rest = text[text.index(after: end)...]
      let address = text[text.index(after: text.startIndex)..<end]
      guard address.utf8.contains(UInt8(ascii: ":")) else { return nil }
      // A range may end within the brackets, or after them.
      if rest.isEmpty { return (address, nil) }
      if rest.first == "/" { return ("\(address)\(rest)", nil) }
      guard rest.first == ":", let port = AuthoritySyntax.port(rest.dropFirst()) else { return nil }
      return (address, port)
    }
    guard let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") else { return (text, nil) }
    guard let port = AuthoritySyntax.port(text[text.index(after: colon)...]) else { return nil }
    return (text[..<colon], port)
  }

  private static func hosts(_ text: Substring) -> Hosts? {
    if text == "*" { return .all }
    if text == "<local>" { return .local }
    if text.contains("/") { return AddressRange(text).map(Hosts.range) }
    if let address = try? ScopedAddress(text) { return .address(address) }
    var name = text.hasPrefix(".") ? text.dropFirst() : text
    if name.hasSuffix(".") { name = name.dropLast() }
    guard name.utf8.contains(UInt8(ascii: "*")) else {
      return AuthoritySyntax.isName(name) ? .domain(String(name)) : nil
    }
    let pattern = Array(name.utf8)
    // Without a letter it means addresses, and must match no name such as 127.example.com.
    if pattern.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "*") }
    ) {
      return isAddressPattern(pattern) ? .addresses(pattern) : nil
    }
    // A pattern is a name once its asterisks are characters of labels.
    let filled = pattern.map { $0 == UInt8(ascii: "*") ? UInt8(ascii: "x") : $0 }
    return AuthoritySyntax.isName(String(decoding: filled, as: UTF8.self)) ? .names(pattern) : nil
  }

  /// Whether a text of digits, dots and asterisks can match an IPv4 address: its numbers are at most 255, and
  /// it has an asterisk in each place where numbers are missing.
  private static func isAddressPattern(_ pattern: [UInt8]) -> Bool {
    let parts = pattern.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 4, parts.count == 4 || parts.contains([UInt8(ascii: "*")]) else { return false }
    return parts.allSatisfy { part in
      guard !part.isEmpty else { return false }
      guard !part.contains(UInt8(ascii: "*")) else { return part.count <= 4 }
      return part.count <= 3 && (part.count == 1 || part.first != UInt8(ascii: "0"))
        && part.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 255
    }
  }

  /// Whether a text matches a pattern, in time proportional to the product of their lengths at most.
  private static func matches(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    var (place, mark) = (0, 0)
    // Where the text continues after the latest asterisk, which takes one character more at each failure.
    var retry: (place: Int, mark: Int)?
    while place < text.count {
      if mark < pattern.count, pattern[mark] == UInt8(ascii: "*") {
        mark += 1
        retry = (place, mark)
      } else if mark < pattern.count, pattern[mark] == text[place] {
        place += 1
        mark += 1
      } else if let latest = retry {
        (place, mark) = (latest.place + 1, latest.mark)
        retry = (place, mark)
      } else {
        return false
      }
    }
    return pattern[mark...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}

/// The addresses that begin with the same bits, such as `10.0.0.0/8` (RFC 4632, section 3.1).
struct AddressRange: Sendable, Hashable {
  private let address: IPAddress
  private let length: Int

  /// Parses an address, a slash, and the number of bits.
  ///
  /// An IPv4 address may lack numbers that the bits do not reach, as in `169.254/16`.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let length = Self.length(parts[1]),
      let address = IPAddress(parts[0]) ?? Self.shortened(parts[0], length: length),
      length <= address.bytes.count * 8
    else { return nil }
    (self.address, self.length) = (address, length)
  }

  /// Whether an address is in the range.
  func contains(_ other: IPAddress) -> Bool {
    guard other.bytes.count == address.bytes.count else { return false }
    return (0..<length).allSatisfy { bit in
      (address.bytes[bit / 8] ^ other.bytes[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
    }
  }

  private static func length(_ text: some StringProtocol) -> Int? {
    guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  private static func shortened(_ text: some StringProtocol, length: Int) -> IPAddress? {
    let count = text.split(separator: ".", omittingEmptySubsequences: false).count
    guard (1...3).contains(count), ((count - 1) * 8 + 1...count * 8).contains(length) else { return nil }
    return IPAddress(text + String(repeating: ".0", count: 4 - count))
  }
}

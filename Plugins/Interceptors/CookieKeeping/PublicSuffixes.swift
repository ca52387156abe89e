/// The domains below which unrelated sites are registered, such as `com` or `co.uk`.
///
/// A cookie for such a domain would be sent to all of those sites, so it is refused.
public struct PublicSuffixes: Sendable {
  private enum Rule: Sendable {
    /// The domain is a public suffix.
    case suffix
    /// Each domain directly below it is a public suffix, too.
    case wildcard
    /// The domain is not a public suffix, although a wildcard includes it.
    case exception
  }

  private var rules: [String: Set<Rule>] = [:]
  /// Whether every cookie is sent only to the host that set it.
  let isHostsOnly: Bool

  /// No list: a cookie is sent only to the host that set it, whatever its `Domain`; the default of a store.
  ///
  /// Only a list tells `example.com` from `co.uk`, whose cookies would be sent to all of its sites. A cookie
  /// for a domain that the host is in is kept for the host, which needs it, for example for its session. An
  /// app whose hosts share cookies creates a value from the list.
  public static let hostsOnly = PublicSuffixes(isHostsOnly: true)

  /// Every domain of a single label, such as `com`, and no other.
  ///
  /// It doesn't know `co.uk` or `github.io`: any site there can set cookies for all the others. Use it for an
  /// app all of whose hosts are in a domain of its own.
  public static let singleLabels = PublicSuffixes(isHostsOnly: false)

  private init(isHostsOnly: Bool) { self.isHostsOnly = isHostsOnly }

  /// Creates the suffixes from a list in the format of publicsuffix.org, with all of its sections.
  ///
  /// Debian installs one at `/usr/share/publicsuffix/public_suffix_list.dat` with the package `publicsuffix`;
  /// an app for other systems contains one. Read it once, because it has about 10,000 rules. Domains of a
  /// single label are public even if they are not in the list.
  public init(list: String) {
    isHostsOnly = false
    for line in list.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      // A rule ends at the first white space; a comment begins with two slashes.
      guard let rule = line.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 }).first,
        !rule.starts(with: "//".utf8)
      else { continue }
      if rule.first == UInt8(ascii: "!") {
        add(.exception, Substring(rule.dropFirst()))
      } else if rule.starts(with: "*.".utf8) {
        add(.wildcard, Substring(rule.dropFirst(2)))
      } else {
        add(.suffix, Substring(rule))
      }
    }
  }

  private mutating func add(_ rule: Rule, _ domain: Substring) {
    guard let domain = Punycode.domain(String(domain)) else { return }
    rules[domain, default: []].insert(rule)
  }

  /// Whether a domain, in lower case, is a public suffix.
  func contains(_ domain: String) -> Bool {
    var labels = domain.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    // `com.` is `com` with the root's dot.
    if labels.last?.isEmpty == true { labels.removeLast() }
    return labels.count <= suffixLength(of: labels)
  }

  /// Returns the domain that was registered below a public suffix, or nil if there is none.
  func registeredDomain(of domain: String) -> String? {
    guard let domain = Punycode.domain(domain) else { return nil }
    let labels = domain.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let length = suffixLength(of: labels)
    guard labels.count > length, !labels.contains(where: \.isEmpty) else { return nil }
    return Self.text(labels.suffix(length + 1))
  }

  /// Returns the number of labels of the public suffix, by the longest rule that matches.
  private func suffixLength(of labels: [Substring.UTF8View]) -> Int {
    for start in labels.indices {
      let rest = labels[start...]
      guard let found = rules[Self.text(rest)] else { continue }
      if found.contains(.exception) { return rest.count - 1 }
      // An exception from it is a longer rule, and was found before.
      if start > 0, found.contains(.wildcard) { return rest.count + 1 }
      if found.contains(.suffix) { return rest.count }
    }
    return 1
  }

  private static func text(_ labels: ArraySlice<Substring.UTF8View>) -> String {
    labels.map { String(Substring($0)) }.joined(separator: ".")
  }
}

/// The encoding of domains with other characters than ASCII, which hosts in requests have (RFC 3492).
enum Punycode {
  /// Returns a domain in lower case and in its ASCII form; nil if a label is too long to be encoded.
  static func domain(_ domain: String) -> String? {
    let domain = domain.lowercased()
    if domain.utf8.allSatisfy({ $0 < 0x80 }) { return domain }
    var labels: [String] = []
    for label in domain.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false) {
      let label = Array(label)
      if label.allSatisfy(\.isASCII) {
        labels.append(String(String.UnicodeScalarView(label)))
      } else {
        guard let encoded = encode(label) else { return nil }
        labels.append("xn--\(encoded)")
      }
    }
    return labels.joined(separator: ".")
  }

  /// Encodes a label (section 6.3).
  private static func encode(_ label: [Unicode.Scalar]) -> String? {
    // A label of a domain has at most 63 characters, which bounds every number below.
    guard label.count <= 63 else { return nil }
    var output = label.filter(\.isASCII).map { UInt8($0.value) }
    let basicCount = output.count
    if basicCount > 0 { output.append(UInt8(ascii: "-")) }
    var (codePoint, delta, bias, handled) = (128, 0, 72, basicCount)
    while handled < label.count {
      guard let next = label.lazy.map({ Int($0.value) }).filter({ $0 >= codePoint }).min() else { return nil }
      delta += (next - codePoint) * (handled + 1)
      codePoint = next
      for scalar in label {
        if scalar.value < codePoint { delta += 1 }
        guard scalar.value == codePoint else { continue }
        appendNumber(delta, bias: bias, to: &output)
        bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      delta += 1
      codePoint += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func appendNumber(_ number: Int, bias: Int, to output: inout [UInt8]) {
    var rest = number
    for weight in stride(from: 36, to: Int.max, by: 36) {
      let threshold = min(max(weight - bias, 1), 26)
      guard rest >= threshold else { break }
      output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
      rest = (rest - threshold) / (36 - threshold)
    }
    output.append(digit(rest))
  }

  /// The bias after a number (section 6.1).
  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var result = 0
    while delta > 455 {
      delta /= 35
      result += 36
    }
    return result + 36 * delta / (delta + 38)
  }

  private static func digit(_ value: Int) -> UInt8 {
    UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30)
  }
}

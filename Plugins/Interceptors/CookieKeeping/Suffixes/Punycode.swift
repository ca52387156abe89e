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

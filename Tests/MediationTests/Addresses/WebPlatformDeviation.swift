import Testing

@testable import Mediation

/// A class of texts that this profile deliberately reads differently from the WHATWG standard.
///
/// The article on the URL profile contains the same table.
struct WebPlatformDeviation: Sendable {
  let name: String
  /// The rule of the URL profile that requires the deviation.
  let rule: String
  let why: String
  /// The number of test vectors in the class.
  let count: Int
  /// Returns whether a vector that deviates belongs to the class, given its text and both results.
  let holds: @Sendable (WebPlatformVector) -> Bool

  static let all: [WebPlatformDeviation] = [
    refused("relative", "U2", "with a base, the same bytes could be two URLs", 133, \.isNoScheme) {
      input, hasBase in
      hasBase
    },
    refused("no-authority", "U2", "without \"//\" there is no host to decide by", 159, \.isNoAuthority) {
      input, _ in
      !input.contains("://")
        || input.firstRange(of: ":").map { !input[$0.upperBound...].hasPrefix("//") } == true
    },
    refused(
      "bare-character", "U3", "nothing is trimmed, skipped or encoded for the writer", 63,
      \.isIllegalCharacter
    ) { input, _ in
      input.unicodeScalars.contains {
        $0.value <= 0x20 || $0.value == 0x7F || "\"<>\\^`{|}".unicodeScalars.contains($0)
      }
    },
    refused("user-information", "U4", "it hides the host", 29, \.isUserInformation) { input, _ in
      input.contains("@")
    },
    refused("empty-host", "U5", "the host is the first literal of a route", 35, \.isEmptyHost) { input, _ in
      input.contains("///") || input.hasSuffix("//") || input.contains("//?") || input.contains("//#")
    },
    refused("web-host", "U6", "the host is compared as it is written", 6, \.isIllegalHost) { input, _ in
      !input.contains("`")
        && (input.contains("%") || input.contains("[") || input.contains("..") || input.contains("]"))
    },
    refused("host-character", "U3", "a host has no character that must be encoded", 4, \.isIllegalHost) {
      input, _ in
      input.contains("`") || input.contains("|")
    },
    refused("dot-host", "U6", "a dot alone is not a host", 1, \.isEmptyHost) { input, _ in
      input == "http://./"
    },
    refused("port", "U7", "only http and https have ports, one to five digits", 47, \.isPort) { input, _ in
      input.dropFirst(
        input.firstRange(of: "://").map { input.distance(from: input.startIndex, to: $0.upperBound) } ?? 0
      )
      .contains(":")
    },
    refused("bad-escape", "U9", "others read a bare percent sign in several ways", 8, \.isPercent) {
      input, _ in
      input.contains("%")
    },
    refused("not-utf8", "U9", "bytes that are not UTF-8 have no text", 1, \.isEncoding) { input, _ in
      input.contains("%")
    },
    refused("nul", "U9", "some parsers end a text at a NUL", 7, \.isNUL) { input, _ in
      input.contains("%00") || input.contains("\0")
    },
    refused("empty-segment", "U10", "some parsers read \"//\" as \"/\"", 7, \.isEmptySegment) { input, _ in
      input.drop { $0 != "/" }.dropFirst(2).contains("//")
    },
    refused("dot-segment", "U11", "nothing is resolved, so nothing can climb", 22, \.isDotSegment) {
      input, _ in
      input.contains(".") || input.lowercased().contains("%2e")
    },
    WebPlatformDeviation(
      name: "host-accepted", rule: "U6",
      why: "a host is not interpreted; one that no table names reaches no route",
      count: 66
    ) { vector in
      vector.standard == nil && acceptedHosts.contains(vector.input)
    },
    WebPlatformDeviation(
      name: "host-as-written", rule: "U6",
      why: "no IDNA, no numeric forms of addresses, no shortening of IPv6", count: 21
    ) { vector in
      guard let host = vector.differingHost, vector.scheme == "http" || vector.scheme == "https" else {
        return false
      }
      return host.ours != host.standard
    },
    WebPlatformDeviation(
      name: "host-as-segment", rule: "U5",
      why: "the host of an app's scheme is decoded and folded like a literal of a route",
      count: 15
    ) { vector in
      guard vector.differingHost != nil else { return false }
      return vector.scheme != "http" && vector.scheme != "https"
    },
  ]

  private static func refused(
    _ name: String, _ rule: String, _ why: String, _ count: Int,
    _ isReason: @escaping @Sendable (RouteURL.SyntaxError.Reason) -> Bool,
    _ isInText: @escaping @Sendable (String, _ hasBase: Bool) -> Bool
  ) -> WebPlatformDeviation {
    WebPlatformDeviation(name: name, rule: rule, why: why, count: count) { vector in
      guard vector.standard != nil, case .failure(let fault) = vector.ours else { return false }
      return isReason(fault.reason) && isInText(vector.input, vector.hasBase)
    }
  }
}

extension WebPlatformVector {
  /// Whether both results are equal.
  var agrees: Bool {
    switch ours {
    case .success(let parts): parts == standard
    case .failure: standard == nil
    }
  }

  var scheme: String? { try? ours.get().scheme }

  /// The two hosts, if the results differ in nothing else.
  var differingHost: (ours: String, standard: String)? {
    guard let standard, var ours = try? ours.get(), ours.host != standard.host else { return nil }
    let host = ours.host
    ours.host = standard.host
    return ours == standard ? (host, standard.host) : nil
  }
}

extension RouteURL.SyntaxError.Reason {
  var isNoScheme: Bool { self == .noScheme }
  var isNoAuthority: Bool { self == .noAuthority }
  var isUserInformation: Bool { self == .userInformation }
  var isEmptyHost: Bool { self == .emptyHost }
  var isIllegalHost: Bool { self == .illegalHost }
  var isPort: Bool { self == .port }
  var isPercent: Bool { self == .percent }
  var isEncoding: Bool { self == .encoding }
  var isNUL: Bool { self == .nul }
  var isEmptySegment: Bool { self == .emptySegment }
  var isDotSegment: Bool { self == .dotSegment }
  var isIllegalCharacter: Bool { if case .illegalCharacter = self { true } else { false } }
}

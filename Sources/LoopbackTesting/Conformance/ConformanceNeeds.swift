/// What a conformance case needs of a dispatcher, or of the machine it runs on.
public struct ConformanceNeeds: OptionSet, Sendable, Hashable {
  /// The bits of the set.
  public let rawValue: UInt

  /// Makes a set of its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Real connections; a scripted dispatcher has none.
  public static let wire = ConformanceNeeds(rawValue: 1 << 0)
  /// TLS, and trust in the authority of ``ConformanceSetting/authorityFile``.
  public static let tls = ConformanceNeeds(rawValue: 1 << 1)
  /// HTTP/2, chosen by ALPN.
  public static let http2 = ConformanceNeeds(rawValue: 1 << 2)
  /// Decoding of the codings that a request accepts; gzip at least.
  public static let decoding = ConformanceNeeds(rawValue: 1 << 3)
  /// Connecting to a request's `connectTarget`.
  public static let connectTarget = ConformanceNeeds(rawValue: 1 << 4)
  /// A transport report with every answer.
  public static let report = ConformanceNeeds(rawValue: 1 << 5)

  /// Everything.
  public static let all: ConformanceNeeds = [.wire, .tls, .http2, .decoding, .connectTarget, .report]
}

extension ConformanceNeeds: CustomStringConvertible {
  /// The names, in a fixed order.
  public var description: String {
    let names: [(ConformanceNeeds, String)] = [
      (.wire, "wire"), (.tls, "tls"), (.http2, "http2"), (.decoding, "decoding"),
      (.connectTarget, "connectTarget"), (.report, "report"),
    ]
    return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
  }
}

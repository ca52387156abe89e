#if LoopbackTesting

/// The abilities that a conformance case needs from a dispatcher or from the machine that it runs on.
public struct ConformanceNeeds: OptionSet, Sendable, Hashable {
  /// The bits of the set.
  public let rawValue: UInt

  /// Creates a set from its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Real connections, which a scripted dispatcher does not have.
  public static let wire = ConformanceNeeds(rawValue: 1 << 0)
  /// TLS, and trust in the authority of ``ConformanceSetting/authorityFile``.
  public static let tls = ConformanceNeeds(rawValue: 1 << 1)
  /// HTTP/2, negotiated by ALPN.
  public static let http2 = ConformanceNeeds(rawValue: 1 << 2)
  /// Connecting to the `connectTarget` of a request.
  public static let connectTarget = ConformanceNeeds(rawValue: 1 << 4)
  /// A transport report with every response.
  public static let report = ConformanceNeeds(rawValue: 1 << 5)

  /// All abilities.
  public static let all: ConformanceNeeds = [.wire, .tls, .http2, .connectTarget, .report]
}

extension ConformanceNeeds {
  /// The names in a fixed order.
  var text: String {
    let names: [(ConformanceNeeds, String)] = [
      (.wire, "wire"), (.tls, "tls"), (.http2, "http2"), (.connectTarget, "connectTarget"),
      (.report, "report"),
    ]
    return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
  }
}
#endif

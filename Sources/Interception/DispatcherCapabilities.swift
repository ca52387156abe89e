/// Abilities of a dispatcher that an interceptor may need; a pipeline checks them when it is built.
public struct DispatcherCapabilities: OptionSet, Sendable, Hashable {
  /// The bits of the set.
  public let rawValue: UInt

  /// Makes a set of its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Connects to ``RequestContext/connectTarget`` while name, SNI and certificate check stay those of the
  /// URL.
  public static let connectTarget = DispatcherCapabilities(rawValue: 1 << 0)
  /// Asks for ``RequestOptions/acceptedCodings`` and hands on decoded bytes.
  public static let responseDecoding = DispatcherCapabilities(rawValue: 1 << 1)
}

extension DispatcherCapabilities: CustomStringConvertible {
  /// The names of the abilities, in a fixed order.
  public var description: String {
    var names: [String] = []
    if contains(.connectTarget) { names.append("connectTarget") }
    if contains(.responseDecoding) { names.append("responseDecoding") }
    return names.isEmpty ? "none" : names.joined(separator: ", ")
  }
}

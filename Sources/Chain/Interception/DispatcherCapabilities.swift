/// The capabilities of a dispatcher that an interceptor may require; a pipeline checks them when it is built.
public struct DispatcherCapabilities: OptionSet, Sendable, Hashable {
  /// The bits of the set.
  public let rawValue: UInt

  /// Creates a set from its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Connects to ``RequestContext/connectTarget``, while the host name, SNI and certificate check remain
  /// those of the URL.
  public static let connectTarget = DispatcherCapabilities(rawValue: 1 << 0)
  /// Decodes content in the codings gzip and deflate by itself, and delivers it without `Content-Encoding`
  /// and `Content-Length`; limits apply to the decoded bytes.
  ///
  /// It is for platforms that can't deliver content as it was sent, such as `URLSession`. Interceptors then
  /// ask for no other codings. ``TransportReport/contentCoding`` says what was decoded.
  public static let responseDecoding = DispatcherCapabilities(rawValue: 1 << 1)
  /// Lets several copies of a request connect at once, and sends the one that is connected first; see
  /// ``ConnectRace``.
  package static let connectRacing = DispatcherCapabilities(rawValue: 1 << 2)
  /// Asks the server to switch to ``RequestContext/upgrade``, and gives a response with the status 101 its
  /// ``Response/connection``.
  package static let protocolUpgrade = DispatcherCapabilities(rawValue: 1 << 3)
  /// Tries HTTP/3 at ``RequestContext/http3RecordPort``; without it, HTTPS records need not be looked up.
  package static let http3Records = DispatcherCapabilities(rawValue: 1 << 4)
}

extension DispatcherCapabilities: CustomStringConvertible {
  /// The names of the capabilities, in a fixed order.
  public var description: String {
    var names: [String] = []
    if contains(.connectTarget) { names.append("connectTarget") }
    if contains(.responseDecoding) { names.append("responseDecoding") }
    if contains(.connectRacing) { names.append("connectRacing") }
    if contains(.protocolUpgrade) { names.append("protocolUpgrade") }
    if contains(.http3Records) { names.append("http3Records") }
    return names.isEmpty ? "none" : names.joined(separator: ", ")
  }
}

public import HTTPTypes
import Interception

/// Limits for every request.
public struct RequestLimits: Sendable, Hashable {
  /// The schemes that are allowed, in lower case: http and https.
  public var schemes: Set<String>
  /// The methods that are refused: CONNECT, which is for proxies, and TRACE, whose response may reveal
  /// credentials.
  public var refusedMethods: Set<HTTPRequest.Method>
  /// The maximum number of bytes of a URL: 8 KiB, as accepted by common servers.
  public var urlBytes: Int
  /// The maximum number of header fields: 100.
  public var fieldCount: Int
  /// The maximum number of bytes of one header field, name and value: 8 KiB.
  public var fieldBytes: Int
  /// The maximum number of bytes of all header fields together: 32 KiB.
  public var headerBytes: Int
  /// The maximum number of bytes of a body whose length is known; nil, the default, for no limit.
  public var bodyBytes: Int64?
  /// Whether GET and HEAD may have a body; servers and caches ignore or refuse it (RFC 9110, section 9.3.1).
  public var allowsBodyOfGet: Bool

  /// Creates limits; the defaults are what common servers accept.
  public init(
    schemes: Set<String> = ["http", "https"],
    refusedMethods: Set<HTTPRequest.Method> = [.connect, .trace], urlBytes: Int = 8 << 10,
    fieldCount: Int = 100, fieldBytes: Int = 8 << 10, headerBytes: Int = 32 << 10, bodyBytes: Int64? = nil,
    allowsBodyOfGet: Bool = false
  ) {
    self.schemes = schemes
    self.refusedMethods = refusedMethods
    self.urlBytes = urlBytes
    self.fieldCount = fieldCount
    self.fieldBytes = fieldBytes
    self.headerBytes = headerBytes
    self.bodyBytes = bodyBytes
    self.allowsBodyOfGet = allowsBodyOfGet
  }
}

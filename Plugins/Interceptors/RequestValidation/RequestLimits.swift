public import HTTPTypes
import Interception

/// Limits for every request.
public struct RequestLimits: Sendable, Hashable {
  /// The schemes that are allowed, in lower case: http and https.
  package var schemes: Set<String>
  /// The methods that are refused: CONNECT, which is for proxies, and TRACE, whose response may reveal
  /// credentials.
  package var refusedMethods: Set<HTTPRequest.Method>
  /// The maximum number of bytes of a URL: 8 KiB, as accepted by common servers.
  package var urlBytes: Int
  /// The maximum number of header fields: 100.
  package var fieldCount: Int
  /// The maximum number of bytes of one header field, name and value: 8 KiB.
  package var fieldBytes: Int
  /// The maximum number of bytes of all header fields together: 32 KiB.
  package var headerBytes: Int
  /// The maximum number of bytes of a body whose length is known; nil, the default, for no limit.
  package var bodyBytes: Int64?
  /// Whether GET and HEAD may have a body; servers and caches ignore or refuse it (RFC 9110, section 9.3.1).
  package var allowsBodyOfGet: Bool

  /// Creates limits; the defaults are what common servers accept.
  ///
  /// - Parameters:
  ///   - schemes: The schemes that are allowed, in lower case: http and https.
  ///   - refusedMethods: The methods that are refused: CONNECT, which is for proxies, and TRACE, whose
  ///     response may reveal credentials.
  ///   - urlBytes: The maximum number of bytes of a URL: 8 KiB, as accepted by common servers.
  ///   - fieldCount: The maximum number of header fields: 100.
  ///   - fieldBytes: The maximum number of bytes of one header field, name and value: 8 KiB.
  ///   - headerBytes: The maximum number of bytes of all header fields together: 32 KiB.
  ///   - bodyBytes: The maximum number of bytes of a body whose length is known; nil, the default, for no
  ///     limit.
  ///   - allowsBodyOfGet: Whether GET and HEAD may have a body; servers and caches ignore or refuse it (RFC
  ///     9110, section 9.3.1).
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

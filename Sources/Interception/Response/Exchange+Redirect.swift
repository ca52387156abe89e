public import HTTPTypes

extension Exchange {
  /// A redirect that was followed: the status of the response, and the request to which it led.
  public struct Redirect: Sendable, Hashable {
    /// The status of the response that redirected.
    public let status: HTTPResponse.Status
    /// The method of the request that followed.
    public let method: HTTPRequest.Method
    /// The absolute URL of the request that followed, with its query and fragment.
    ///
    /// It may contain secrets, such as the code of an authorization response; ``description`` does not.
    public let url: String

    /// Creates a redirect.
    public init(status: HTTPResponse.Status, method: HTTPRequest.Method, url: String) {
      self.status = status
      self.method = method
      self.url = url
    }
  }
}

extension Exchange.Redirect: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The status, the method and the URL, without query and fragment.
  public var description: String {
    let shown = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    return "\(status.code) \(method.rawValue) \(Substring(shown))"
  }

  /// The description.
  public var debugDescription: String { description }

  /// A mirror without the URL.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
